import { join } from 'node:path'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { wrapFetchWithPayment, x402Client } from '@x402/fetch'
import {
  type Chain,
  keyOf,
  payer,
  settler,
  shopkeeper,
  startAnvil,
  stranger,
} from '../test/payments/support/anvil.ts'
import { startChild } from '../test/payments/support/child.ts'
import { freshPath, payWith } from '../test/payments/support/pay.ts'
import { startRpcProxy } from '../test/payments/support/rpc-proxy.ts'
import { openShop } from '../test/payments/support/shop.ts'
import { shareRows } from './http.ts'
import { inTurns, isQuick, median, type Row, row } from './support/measure.ts'
import { defer } from './support/processes.ts'
import { load } from './support/wrk.ts'

const latencyMs = 800
const children = join(import.meta.dirname, '../test/payments/support/children')
/** Calls before those that count: the engine compiles meanwhile. */
const warmUps = isQuick ? 2 : 100
const counted = isQuick ? 5 : 60

/** The cost of being paid. The chain is on this machine, so that only our own part is measured. */
export async function benchPayments(): Promise<readonly Row[]> {
  const chain = await startAnvil()
  defer(() => chain.stop())
  return [
    ...(await transferRows(chain)),
    await slowRpcRow(chain),
    ...(await unpaidRows(chain)),
    await exactRow(),
  ]
}

async function transferRows(chain: Chain): Promise<Row[]> {
  const shop = await openShop(chain.url)
  const paid: { url: string; txHash: string }[] = []
  const verified: number[] = []
  for (let n = 0; n < warmUps + counted; n += 1) {
    const [url, txHash] = [`${shop.url}${freshPath()}`, await chain.transfer(shopkeeper.address, 10_000n)]
    verified.push(await answered(() => payWith(url, txHash)))
    paid.push({ url, txHash })
  }
  const replayed: number[] = []
  for (const { url, txHash } of [...paid, ...paid]) replayed.push(await answered(() => payWith(url, txHash)))
  await shop.close()
  const [first, again] = [verified, replayed].map((times) => median(times.slice(-counted)))
  return [
    row({ what: 'A mined transfer verified and answered, median', ours: first ?? 0, unit: 'ms', max: 5 }),
    row({ what: 'The same request again from the ledger, median', ours: again ?? 0, unit: 'ms', max: 1 }),
  ]
}

async function slowRpcRow(chain: Chain): Promise<Row> {
  const proxy = startRpcProxy(chain.url)
  const shop = await openShop(proxy.url)
  proxy.breakWith(() => Bun.sleep(latencyMs).then(() => undefined))
  const times: number[] = []
  for (let n = 0; n < 5; n += 1) {
    const txHash = await chain.transfer(shopkeeper.address, 10_000n)
    times.push(await answered(() => payWith(`${shop.url}${freshPath()}`, txHash)))
  }
  await shop.close()
  await proxy.stop()
  const what = `The same with ${latencyMs} ms to the RPC, which is one round trip, median`
  return row({ what, ours: median(times), unit: 'ms', max: 1.2 * latencyMs })
}

async function start(script: string, words: readonly string[]) {
  const child = await startChild(script, words)
  defer(() => child.stop())
  return child
}

/** The 402 that names every way to pay, against the same server's 402 that names none. Each has a process of its own. */
async function unpaidRows(chain: Chain): Promise<readonly Row[]> {
  const words = [chain.url, ':memory:', JSON.stringify({ X402_SETTLER_KEY: keyOf(settler) })]
  const full = await start(join(children, 'shop.ts'), words)
  const empty = await start(join(children, 'shop.ts'), [...words, 'silent'])
  const asks = [full, empty].map(
    ({ line, pid }) =>
      () =>
        load(`${line}/api/og?title=Card`, pid, { status: 402 }),
  )
  return shareRows('Unpaid: the 402 that names every way to pay', await inTurns(asks), 'an empty 402', 0.8)
}

/** Both sides on one chain with a block every two seconds, in turns, by the same client. */
async function exactRow(): Promise<Row> {
  const chain = await startAnvil({ blockSeconds: 2 })
  defer(() => chain.stop())
  const facilitator = await start(join(children, 'facilitator.ts'), [chain.url, keyOf(stranger)])
  const peerScript = join(import.meta.dirname, 'support/x402-hono.ts')
  const peer = await start(peerScript, [facilitator.line, shopkeeper.address])
  const env = JSON.stringify({ X402_SETTLER_KEY: keyOf(settler), X402_POLL_MS: '100' })
  const shop = await start(join(children, 'shop.ts'), [chain.url, ':memory:', env])
  const client = new x402Client().register('eip155:84532', new ExactEvmScheme(payer))
  const paying = wrapFetchWithPayment(fetch, client)
  const sums = { ours: 0, theirs: 0 }
  const cards = isQuick ? 1 : 8
  for (let n = 0; n < cards; n += 1) {
    for (const [side, { line }] of [
      ['ours', shop],
      ['theirs', peer],
    ] as const) {
      // At another moment between two blocks each time.
      await Bun.sleep(250 * n)
      sums[side] += await answered(() => paying(`${line}${freshPath()}`))
    }
  }
  return row({
    what: 'A card for a signature at blocks of two seconds, mean',
    ...{ ours: sums.ours / cards, unit: 'ms' },
    ...{ peer: '@x402/hono with the reference facilitator', theirs: sums.theirs / cards },
    ...{ ratio: sums.ours / sums.theirs, max: 1.05 },
  })
}

async function answered(ask: () => Promise<Response>): Promise<number> {
  const startMs = performance.now()
  const response = await ask()
  await response.arrayBuffer()
  if (response.status !== 200) throw new Error(`answered ${response.status}`)
  return performance.now() - startMs
}
