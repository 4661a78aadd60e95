import { settler } from '../../../test/payments/support/anvil.ts'
import { signAuthorization, v1Header } from '../../../test/payments/support/authorize.ts'
import { carrying, openBundler } from '../../../test/payments/support/bundle.ts'
import { freshPath } from '../../../test/payments/support/pay.ts'
import { altered, type Fault } from '../../../test/payments/support/rpc-proxy.ts'
import type { FaultContext } from '../context.ts'
import type { Scenario } from '../scenario.ts'
import { ask } from '../support/ask.ts'
import { askUntilKnown, checkCovered, type Market, openMarket, verdictOf } from '../support/market.ts'

/** Faults that keep the server from settling, by name. */
const inabilities: Readonly<Record<string, (market: Market) => unknown>> = {
  'dear gas': ({ chain, proxy }) => {
    const dear: Fault = (method, call) =>
      method === 'eth_gasPrice' ? altered(chain.url, call, () => '0x4a817c80000') : undefined
    proxy.breakWith(dear)
  },
  'an empty settler': ({ chain }) => chain.client.setBalance({ address: settler.address, value: 0n }),
  'a nonce that cannot be read': ({ proxy }) =>
    proxy.breakWith((method) =>
      method === 'eth_getTransactionCount' ? new Response(null, { status: 502 }) : undefined,
    ),
}

/** Money that is here buys its call, whatever the server itself lacks, and also when the signature has ended. */
export const moneyHereAlready: Scenario = {
  name: 'money-here-already',
  title: 'the server cannot settle, and somebody else does',
  tried:
    'authorizations shown while gas is dear, the settler is empty or its nonce cannot be read; carried to the chain by a stranger; the server killed; asked for again after they ended, first by a stranger who saw them on chain',
  async run(context) {
    const all = Object.entries(inabilities)
    for (const [, start] of context.isQuick ? all.slice(0, 1) : all) await showAndCarry(context, start)
  },
}

/** Long enough to be shown and carried on a busy machine. */
const validSeconds = 20

async function showAndCarry(context: FaultContext, start: (market: Market) => unknown): Promise<void> {
  const market = await openMarket(context)
  const bundler = await openBundler(market.chain)
  const dataDir = context.directory()
  let server = await context.startServer({ dataDir, env: market.env, isWatched: false })
  const { port } = server
  await start(market)
  const validBefore = Math.floor(Date.now() / 1000) + validSeconds
  const count = context.times(6, 2)
  const all = await Promise.all(Array.from({ length: count }, () => signAuthorization({ validBefore })))
  const orders = all.map((signed) => ({ signed, path: freshPath('Here'), headers: v1Header(signed) }))
  await Promise.all(
    orders.map(async ({ path, headers }) => {
      const verdict = verdictOf(await ask(context, server.url + path, { headers }))
      context.count('payments')
      context.expect(verdict.startsWith('503'), `what cannot be settled was answered ${verdict}`)
    }),
  )
  await server.stop('SIGKILL')
  context.count('kills')
  await bundler.run(orders.map(({ signed }) => carrying(signed)))
  server = await context.startServer({ dataDir, env: market.env, port })
  await Bun.sleep(Math.max(validBefore * 1000 - Date.now(), 0))
  for (const { headers } of orders) {
    const verdict = verdictOf(await ask(context, server.url + freshPath('Thief'), { headers }))
    context.expect(
      verdict !== '200',
      'a stranger bought with an authorization that was shown for another call',
    )
  }
  for (const { path, headers } of orders) {
    const verdict = await askUntilKnown(context, server.url + path, headers, { timeoutMs: 10_000 })
    if (verdict !== '200') context.lose(`a payment whose money is here, answered ${verdict}`)
  }
  await checkCovered(context, market, count)
}
