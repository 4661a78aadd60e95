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
import { median } from './support/measure.ts'
import { repeatIfShort } from './support/repeat-if-short.ts'
import { boundRow, type Row, ratioRow, round, skippedRow } from './support/row.ts'
import { hasWrk, type Load, load } from './support/wrk.ts'

const latencyMs = 800
const children = join(import.meta.dirname, '../test/payments/support/children')

/** The cost of being paid. The chain is on this machine, so that only our own part is measured. */
export async function benchPayments(): Promise<readonly Row[]> {
  const chain = await startAnvil()
  try {
    return [
      ...(await repeatIfShort(() => transferRows(chain))),
      ...(await repeatIfShort(async () => [await slowRpcRow(chain)])),
      ...(await requirementsRows(chain)),
      ...(await repeatIfShort(async () => [await exactRow()])),
    ]
  } finally {
    await chain.stop()
  }
}

/** Calls before those that count: the engine compiles meanwhile. */
const warmUps = 100
const counted = 60

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
  return [
    boundRow(
      'A mined transfer verified and answered, median',
      median(verified.slice(-counted)),
      5,
      'ms',
      'over HTTP, the chain asked',
    ),
    boundRow(
      'The same request again from the ledger, median',
      median(replayed.slice(-counted)),
      1,
      'ms',
      'over HTTP',
    ),
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
  return boundRow(
    `The same with ${latencyMs} ms to the RPC, median`,
    median(times),
    1.2 * latencyMs,
    'ms',
    'one round trip',
  )
}

const unpaid = 'Unpaid: the 402 that names every way to pay, requests a second'
const unpaidRounds = 5

/** The 402 that names every way to pay, against the same server's 402 that names none. Each has a process of its own. */
async function requirementsRows(chain: Chain): Promise<readonly Row[]> {
  if (!hasWrk) return [skippedRow(unpaid, 'wrk is not installed (Debian: apt-get install wrk)')]
  const env = JSON.stringify({ X402_SETTLER_KEY: keyOf(settler) })
  const script = join(children, 'shop.ts')
  const full = await startChild(script, [chain.url, ':memory:', env])
  const empty = await startChild(script, [chain.url, ':memory:', env, 'silent'])
  try {
    return await repeatIfShort(() => compareUnpaid(full, empty))
  } finally {
    await Promise.all([full.stop(), empty.stop()])
  }
}

type Child = Awaited<ReturnType<typeof startChild>>

/** The two take turns. */
async function compareUnpaid(full: Child, empty: Child): Promise<readonly Row[]> {
  function ask({ line, pid }: Child) {
    return load(`${line}/api/og?title=Card`, pid, { seconds: 1, status: 402 })
  }
  const pairs: { readonly full: Load; readonly empty: Load }[] = []
  for (let n = 0; n <= unpaidRounds; n += 1) {
    const pair = { full: await ask(full), empty: await ask(empty) }
    // The first round warms up.
    if (n > 0) pairs.push(pair)
  }
  function middle(of: (pair: (typeof pairs)[number]) => number) {
    return median(pairs.map(of))
  }
  return [
    ratioRow({
      what: unpaid,
      ours: round(middle((pair) => pair.full.requestsPerSecond)),
      peer: `an empty 402 ${round(middle((pair) => pair.empty.requestsPerSecond))}`,
      ratio: middle((pair) => pair.full.requestsPerSecond / pair.empty.requestsPerSecond),
      atLeast: 0.8,
    }),
    {
      what: 'The same, CPU time of the server for one request',
      ours: `${round(middle((pair) => pair.full.cpuMicros))} µs`,
      peer: `an empty 402 ${round(middle((pair) => pair.empty.cpuMicros))} µs`,
      ratio: `${round(middle((pair) => pair.empty.cpuMicros / pair.full.cpuMicros))}×`,
      target: '',
    },
  ]
}

/** Both sides on one chain with a block every two seconds, in turns, by the same client. */
async function exactRow(): Promise<Row> {
  const chain = await startAnvil({ blockSeconds: 2 })
  const facilitator = await startChild(join(children, 'facilitator.ts'), [chain.url, keyOf(stranger)])
  const peer = await startChild(join(import.meta.dirname, 'support/x402-hono.ts'), [
    facilitator.line,
    shopkeeper.address,
  ])
  const env = JSON.stringify({ X402_SETTLER_KEY: keyOf(settler), X402_POLL_MS: '100' })
  const shop = await startChild(join(children, 'shop.ts'), [chain.url, ':memory:', env])
  const client = new x402Client().register('eip155:84532', new ExactEvmScheme(payer))
  const paying = wrapFetchWithPayment(fetch, client)
  const ours: number[] = []
  const theirs: number[] = []
  try {
    for (let n = 0; n < 8; n += 1) {
      // At another moment between two blocks each time.
      await Bun.sleep(250 * n)
      ours.push(await answered(() => paying(`${shop.line}${freshPath()}`)))
      await Bun.sleep(250 * n)
      theirs.push(await answered(() => paying(`${peer.line}${freshPath()}`)))
    }
  } finally {
    await Promise.all([shop.stop(), peer.stop(), facilitator.stop(), chain.stop()])
  }
  function mean(times: readonly number[]) {
    return times.reduce((sum, time) => sum + time, 0) / times.length
  }
  const ratio = mean(ours) / mean(theirs)
  return {
    what: 'A card for a signature at blocks of two seconds, mean',
    ours: `${round(mean(ours))} ms`,
    peer: `@x402/hono with the reference facilitator ${round(mean(theirs))} ms`,
    ratio: `${round(ratio)}`,
    target: '≤ 1.05',
    passed: ratio <= 1.05,
  }
}

async function answered(ask: () => Promise<Response>): Promise<number> {
  const start = performance.now()
  const response = await ask()
  await response.arrayBuffer()
  if (response.status !== 200) throw new Error(`answered ${response.status}`)
  return performance.now() - start
}
