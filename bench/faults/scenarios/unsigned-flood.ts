import { randomBytes } from 'node:crypto'
import { bytesToHex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { shopkeeper } from '../../../test/payments/support/anvil.ts'
import { signAuthorization, v1Header, v2Header } from '../../../test/payments/support/authorize.ts'
import { freshPath } from '../../../test/payments/support/pay.ts'
import type { Scenario } from '../scenario.ts'
import { ask, inParallel } from '../support/ask.ts'
import { askUntilKnown, cardPrice, openMarket } from '../support/market.ts'

/**
 * An authorization that cannot be valid is refused without asking the chain, and its sender waits behind honest
 * payers.
 */
export const unsignedFlood: Scenario = {
  name: 'unsigned-flood',
  title: 'a flood of payments that nobody signed',
  tried:
    'authorizations with noise for a signature from one address, while an honest payer pays from another; the RPC answers slowly',
  async run(context) {
    const market = await openMarket(context)
    const server = await context.startServer({
      env: { ...market.env, TRUSTED_PROXIES: '127.0.0.1/32' },
    })
    const transfers: string[] = []
    while (transfers.length < context.times(8, 3))
      transfers.push(await market.chain.transfer(shopkeeper.address, cardPrice))
    market.proxy.breakWith(() => Bun.sleep(50).then(() => undefined))
    market.proxy.takeCalls()
    const total = context.times(3000, 200)
    const flood = inParallel(total, 64, async (index) => {
      const signed = await signAuthorization({ from: privateKeyToAccount(generatePrivateKey()).address })
      const forged = { ...signed, signature: bytesToHex(randomBytes(65)) }
      const headers = { ...(index % 2 === 0 ? v1Header : v2Header)(forged), 'x-forwarded-for': '192.0.2.1' }
      await ask(context, server.url + freshPath('Flood'), { headers })
      context.count('forged payments')
    })
    const honest = inParallel(transfers.length, 2, async (index) => {
      const headers = { 'x-payment': transfers[index] ?? '', 'x-forwarded-for': '198.51.100.1' }
      const startMs = performance.now()
      const verdict = await askUntilKnown(context, server.url + freshPath('Honest'), headers)
      context.count('honest payments')
      if (verdict !== '200') context.mistake(`an honest payment was answered ${verdict}`)
      if (performance.now() - startMs > context.times(5000, 20_000))
        context.mistake('an honest payer waited for the others')
    })
    await Promise.all([flood, honest])
    const calls = market.proxy.takeCalls().length
    context.expect(calls < total / 2, `${total} forged payments cost ${calls} calls of the RPC`)
  },
}
