import { payer, settler } from '../../../test/payments/support/anvil.ts'
import { signAuthorization, v1Header } from '../../../test/payments/support/authorize.ts'
import { freshPath } from '../../../test/payments/support/pay.ts'
import type { FaultContext } from '../context.ts'
import type { Scenario } from '../scenario.ts'
import { inParallel } from '../support/ask.ts'
import { askUntilKnown, type Market, openMarket } from '../support/market.ts'

/** An honest settlement uses some 75,000; no wallet may burn much more, or go on burning. */
const gasMaxPerWallet = 1_000_000n

/** A contract account that agrees when it is asked and burns gas when it is mined. */
export const gasDrain: Scenario = {
  name: 'gas-drain',
  title: 'a wallet that burns the settler’s gas',
  tried: 'contracts that vouch for a signature when simulated and burn all gas when mined',
  async run(context) {
    const market = await openMarket(context)
    const server = await context.startServer({ env: market.env })
    const wallets = context.times(3, 1)
    for (let wallet = 0; wallet < wallets; wallet++) {
      const burner = await market.chain.deploy('GasBurner', [0n])
      await market.chain.token('mint', [burner, 1_000_000n], payer)
      const before = await gasOf(market)
      await inParallel(context.times(12, 6), 4, async () => {
        const headers = v1Header(await signAuthorization({ from: burner }))
        const verdict = await askUntilKnown(context, server.url + freshPath('Gas'), headers)
        context.count('calls')
        context.expect(verdict !== '200', 'a call was delivered whose settlement failed')
      })
      const burnt = (await gasOf(market)) - before
      context.count('gas burnt', Number(burnt))
      context.expect(burnt <= gasMaxPerWallet, `one wallet burnt ${burnt} gas`)
    }
    await payHonestly(context, server.url)
  },
}

async function payHonestly(context: FaultContext, url: string): Promise<void> {
  const verdict = await askUntilKnown(context, url + freshPath('Honest'), v1Header(await signAuthorization()))
  context.expect(verdict === '200', `an honest payer is answered ${verdict}`)
}

/** All gas that the settler's transactions have used. */
async function gasOf({ chain }: Market): Promise<bigint> {
  let used = 0n
  const head = await chain.client.getBlockNumber({ cacheTime: 0 })
  for (let blockNumber = 0n; blockNumber <= head; blockNumber++) {
    const { transactions } = await chain.client.getBlock({ blockNumber, includeTransactions: true })
    for (const { from, hash } of transactions) {
      if (from.toLowerCase() !== settler.address.toLowerCase()) continue
      used += (await chain.client.getTransactionReceipt({ hash })).gasUsed
    }
  }
  return used
}
