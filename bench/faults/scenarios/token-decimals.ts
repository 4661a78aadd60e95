import { payer, shopkeeper } from '../../../test/payments/support/anvil.ts'
import { freshPath } from '../../../test/payments/support/pay.ts'
import type { Scenario } from '../scenario.ts'
import { ask } from '../support/ask.ts'
import { askUntilKnown, cardPrice, openMarket } from '../support/market.ts'

/** One cent of a token with 18 decimals. */
const cent = 10n ** 16n

export const tokenDecimals: Scenario = {
  name: 'token-decimals',
  title: 'a token of other decimals',
  tried: 'a card asked for, paid in full and paid with as many units as a token of six decimals would need',
  async run(context) {
    const { chain, env } = await openMarket(context)
    await chain.token('configure', ['USDC', '2', 18], payer)
    await chain.token('mint', [payer.address, 10n ** 20n], payer)
    const server = await context.startServer({ env: { ...env, X402_ASSET_DECIMALS: '18' } })
    const offer = await ask(context, server.url + freshPath())
    const asked = JSON.parse(offer?.text ?? '{}').transfer?.amount
    context.expect(asked === String(cent), `${asked} units are asked for a card`)
    for (const [amount, isEnough] of [
      [cent, true],
      [cardPrice, false],
    ] as const) {
      const headers = { 'x-payment': await chain.transfer(shopkeeper.address, amount) }
      const verdict = await askUntilKnown(context, server.url + freshPath(), headers)
      context.expect((verdict === '200') === isEnough, `${amount} units were answered ${verdict}`)
      context.count('payments')
    }
  },
}
