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
import { boundRow, comparedRows, median, type Row, round } from './support/measure.ts'

const latencyMs = 800
const children = join(import.meta.dirname, '../test/payments/support/children')

/** What it takes to be paid: on a chain of this machine, so that what is measured is ours. */
export async function benchPayments(): Promise<readonly Row[]> {
  const chain = await startAnvil()
  try {
    return [
      ...(await transferRows(chain)),
      await slowRpcRow(chain),
      ...(await requirementsRows(chain)),
      await exactRow(),
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

/** The 402 that names every way to pay, against the same server's 402 that names none. */
async function requirementsRows(chain: Chain): Promise<readonly Row[]> {
  const env = { X402_SETTLER_KEY: keyOf(settler) }
  const full = await openShop(chain.url, { env })
  const empty = await openShop(chain.url, { env, saysHowToPay: false })
  function ask({ url }: typeof full) {
    return async () => {
      const response = await fetch(`${url}/api/og?title=Card`)
      await response.arrayBuffer()
    }
  }
  const peer = { name: 'an empty 402', run: ask(empty), atLeast: 0.8 }
  const rows = await comparedRows('A full 402, client included', ask(full), [peer])
  await full.close()
  await empty.close()
  return rows
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
