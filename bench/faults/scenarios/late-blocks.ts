import { signAuthorization, v1Header } from '../../../test/payments/support/authorize.ts'
import { freshPath } from '../../../test/payments/support/pay.ts'
import type { FaultContext } from '../context.ts'
import type { Scenario } from '../scenario.ts'
import { ask } from '../support/ask.ts'
import { askUntilKnown, checkCovered, type Market, openMarket, verdictOf } from '../support/market.ts'
import type { FaultServer } from '../support/server.ts'

const validSeconds = 9
const withoutBlocksMs = 20_000

/** A payer is not blamed for the chain. */
export const lateBlocks: Scenario = {
  name: 'late-blocks',
  title: 'no block while payments are settled',
  tried:
    'no block for 20 s, so that authorizations end in the pool; the server killed every other time; then the same payments and fresh ones of the payer',
  async run(context) {
    const market = await openMarket(context)
    let delivered = 0
    for (let round = 0; round < context.times(4, 1); round++)
      delivered += await strand(context, market, round % 2 === 1)
    await checkCovered(context, market, delivered)
  },
}

async function strand(context: FaultContext, market: Market, isKilled: boolean): Promise<number> {
  const { chain, env } = market
  const dataDir = context.directory()
  const options = { dataDir, env, isWatched: !isKilled }
  let server: FaultServer = await context.startServer(options)
  const { port } = server
  await chain.client.setAutomine(false)
  const startMs = Date.now()
  const validBefore = Math.floor(startMs / 1000) + validSeconds
  const orders = await Promise.all(
    Array.from({ length: 3 }, async () => {
      const headers = v1Header(await signAuthorization({ validBefore }))
      return { path: freshPath('Late'), headers }
    }),
  )
  await Promise.all(
    orders.map(async ({ path, headers }) => {
      const verdict = verdictOf(await ask(context, server.url + path, { headers }))
      context.expect(verdict.startsWith('503'), `what no block took was answered ${verdict}`)
      context.count('payments')
    }),
  )
  if (isKilled) {
    await server.stop('SIGKILL')
    context.count('kills')
    server = await context.startServer({ ...options, port })
  }
  await Bun.sleep(Math.max(startMs + withoutBlocksMs - Date.now(), 0))
  await chain.client.mine({ blocks: 1 })
  await chain.client.setAutomine(true)
  for (const { path, headers } of orders) {
    const verdict = await askUntilKnown(context, server.url + path, headers)
    context.expect(verdict.startsWith('402'), `what no block took was answered ${verdict} in the end`)
  }
  let delivered = 0
  for (; delivered < 3; delivered += 1) {
    const headers = v1Header(await signAuthorization())
    const verdict = await askUntilKnown(context, server.url + freshPath('Fresh'), headers)
    if (verdict !== '200') context.mistake(`a payer was answered ${verdict} for what the chain did`)
  }
  await server.stop()
  return delivered
}
