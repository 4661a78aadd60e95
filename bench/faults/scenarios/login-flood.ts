import type { FaultContext } from '../context.ts'
import type { Scenario } from '../scenario.ts'
import { ask } from '../support/ask.ts'
import { cookieOf, logIn } from '../support/operator.ts'

const operatorAddress = '203.0.113.9'

/** Wrong passwords from anywhere slow down who guesses, and not the operator. */
export const loginFlood: Scenario = {
  name: 'login-flood',
  title: 'wrong passwords from many addresses',
  tried: 'guesses from as many addresses while the operator, known from before, logs in again; two workers',
  async run(context) {
    const env = { TRUSTED_PROXIES: '127.0.0.1/32', WORKERS: '2' }
    const server = await context.startServer({ env })
    const cookie = cookieOf(await logIn(context, server, { address: operatorAddress }))
    for (let guess = 0; guess < context.times(150, 120); guess++) {
      await logIn(context, server, { password: `guess ${guess}`, address: `198.51.100.${guess}` })
      context.count('guesses')
    }
    const again = await logIn(context, server, { address: operatorAddress })
    context.expect(again?.status === 303, `the operator who logs in again is answered ${again?.status}`)
    const page = await ask(context, `${server.url}/admin`, {
      headers: { cookie, 'x-forwarded-for': operatorAddress },
    })
    context.expect(page?.status === 200, `the operator's session is answered ${page?.status}`)
    await guessFromOneAddress(context)
  },
}

const guessesAllowed = 5

/** The limit of guesses holds over both workers together. */
async function guessFromOneAddress(context: FaultContext): Promise<void> {
  const server = await context.startServer({ env: { WORKERS: '2' } })
  await Bun.sleep(1000)
  let heard = 0
  for (let guess = 0; guess < 16; guess++) {
    const answer = await logIn(context, server, { password: `guess ${guess}` })
    context.count('guesses')
    if (answer?.status !== 429) heard += 1
  }
  context.mistake('a guess beyond the limit of one address was heard', heard - guessesAllowed)
}
