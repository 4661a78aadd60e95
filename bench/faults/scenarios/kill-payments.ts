import { shopkeeper } from '../../../test/payments/support/anvil.ts'
import { signAuthorization, v1Header } from '../../../test/payments/support/authorize.ts'
import { freshPath } from '../../../test/payments/support/pay.ts'
import { randomFrom } from '../../../test/support/random.ts'
import type { FaultContext } from '../context.ts'
import type { Scenario } from '../scenario.ts'
import { ask } from '../support/ask.ts'
import { askUntilKnown, cardPrice, checkCovered, type Market, openMarket } from '../support/market.ts'

interface Purchase {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
}

/** Whenever the server dies, each payment moves once and buys its call once. */
export const killPayments: Scenario = {
  name: 'kill-payments',
  title: 'kill -9 while payments are taken',
  tried:
    'killed between offer and answer, started again; each payer asks again, then tries to buy a second card',
  async run(context) {
    const market = await openMarket(context)
    const random = randomFrom(7)
    const dataDir = context.directory()
    let server = await context.startServer({ dataDir, env: market.env })
    const { port } = server
    const all: Purchase[] = []
    for (let round = 0; round < context.times(13, 1); round++) {
      const purchases = await purchasesOf(market, 8)
      const offers = purchases.map(({ path, headers }) => ask(context, server.url + path, { headers }))
      await Bun.sleep(20 + random.below(500))
      await server.stop('SIGKILL')
      await Promise.all(offers)
      context.count('kills')
      server = await context.startServer({ dataDir, env: market.env, port })
      for (const { path, headers } of purchases) {
        const verdict = await askUntilKnown(context, server.url + path, headers)
        if (verdict !== '200') context.lose(`a payment, which was answered ${verdict} in the end`)
      }
      all.push(...purchases)
    }
    context.count('payments', all.length)
    for (const { headers } of all) {
      const verdict = await askUntilKnown(context, server.url + freshPath(), headers)
      if (verdict === '200') context.mistake('a payment bought two calls')
    }
    await checkMoney(context, market, all.length)
  },
}

/** Half are transfers that were made already, half are authorizations that the server carries to the chain. */
async function purchasesOf({ chain }: Market, count: number): Promise<readonly Purchase[]> {
  const purchases: Purchase[] = []
  const validBefore = Math.floor(Date.now() / 1000) + 3000
  while (purchases.length < count) {
    const transfer = { 'x-payment': await chain.transfer(shopkeeper.address, cardPrice) }
    purchases.push({ path: freshPath('Paid'), headers: transfer })
    purchases.push({ path: freshPath('Paid'), headers: v1Header(await signAuthorization({ validBefore })) })
  }
  return purchases
}

async function checkMoney(context: FaultContext, market: Market, payments: number): Promise<void> {
  await checkCovered(context, market, payments)
  const extra = Number(await market.moved()) / Number(cardPrice) - payments
  context.mistake('money was moved twice', extra)
}
