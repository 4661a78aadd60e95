import { afterAll, afterEach, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { type Hex, keccak256, parseGwei } from 'viem'
import { hangMsMax } from '../support/hang-limit.ts'
import { type Chain, keyOf, payer, settler, shopkeeper, startAnvil, stranger } from './support/anvil.ts'
import { type SignedAuthorization, signAuthorization, v1Header } from './support/authorize.ts'
import { carrying, openBundler } from './support/bundle.ts'
import { freshPath, verdictOf } from './support/pay.ts'
import { startRpcProxy } from './support/rpc-proxy.ts'
import { openShop, type Shop } from './support/shop.ts'

setDefaultTimeout(hangMsMax)

let chain: Chain
let proxy: ReturnType<typeof startRpcProxy>
/** How far the shop's clock is ahead; the chain's is set by the block. */
let laterMs = 0
const clock = { now: () => Date.now() + laterMs }
beforeAll(async () => {
  chain = await startAnvil()
  proxy = startRpcProxy(chain.url)
})
afterEach(async () => {
  proxy.heal()
  await chain.calm()
})
afterAll(async () => {
  await proxy.stop()
  await chain.stop()
})

function open(more: Parameters<typeof openShop>[1] = {}) {
  const env = { X402_SETTLER_KEY: keyOf(settler), X402_MAX_FEE_GWEI: '100' }
  return openShop(proxy.url, { clock, ...more, env })
}

function until(seconds: number): number {
  return Math.floor(clock.now() / 1000) + seconds
}

/** A call that is paid by an authorization, which ends in five minutes. */
async function order(shop: Shop, path = freshPath()) {
  const signed = await signAuthorization({ validBefore: until(300) })
  const headers = { ...v1Header(signed), host: new URL(shop.url).host }
  return { signed, send: async (at = shop) => verdictOf(await fetch(`${at.url}${path}`, { headers })) }
}

type Order = Awaited<ReturnType<typeof order>>

/** Settlements that were sent and that no block takes. */
async function stranded(shop: Shop, count: number): Promise<readonly Order[]> {
  await chain.client.setAutomine(false)
  const orders = await Promise.all(Array.from({ length: count }, () => order(shop)))
  for (const { send } of orders) expect(await shop.hurried(send)).toBe('503 settlement_pending')
  return orders
}

function endOf({ authorization }: SignedAuthorization): number {
  return Number(authorization.validBefore)
}

/** A block of that time, and what our settler has in it. */
async function mineAt(seconds: number) {
  await chain.client.setNextBlockTimestamp({ timestamp: BigInt(seconds) })
  await chain.client.mine({ blocks: 1 })
  laterMs = seconds * 1000 - Date.now()
  const { transactions } = await chain.client.getBlock()
  const receipts = await Promise.all(
    (transactions as Hex[]).map((hash) => chain.client.getTransactionReceipt({ hash })),
  )
  return receipts.filter(({ from }) => from === settler.address.toLowerCase())
}

async function isAtNode(hash: string | null | undefined): Promise<boolean> {
  if (hash == null) return false
  const known = await chain.client.getTransaction({ hash: hash as Hex }).catch(() => undefined)
  return known !== undefined
}

function isPayerBlamed(shop: Shop) {
  return shop.store.settlements.failuresOf(payer.address.toLowerCase(), 0, 10)
}

test('settlements that a late block reverts count against nobody, and fresh authorizations are taken', async () => {
  const shop = await open()
  const orders = await stranded(shop, 3)
  // They cannot be withdrawn either.
  proxy.breakWith((method) => (method === 'eth_gasPrice' ? new Response(null, { status: 502 }) : undefined))
  const last = Math.max(...orders.map(({ signed }) => endOf(signed)))
  const mined = await mineAt(last)
  expect(mined.map(({ status }) => status)).toEqual(['reverted', 'reverted', 'reverted'])
  proxy.heal()
  await chain.client.setAutomine(true)
  for (const { send } of orders)
    expect(await send()).toMatch(
      /^402 (settlement_failed|invalid_exact_evm_payload_authorization_valid_before)$/,
    )
  await shop.payments.reconcile()
  expect(await isPayerBlamed(shop)).toEqual([])
  const days = await shop.store.settlements.days(0, 100_000)
  expect(days).toMatchObject([{ count: 3, failed: 3 }])
  expect(await (await order(shop)).send()).toBe('200')
  await shop.close()
})

test('a settlement that reverts while its authorization is valid is its payer’s', async () => {
  const shop = await open()
  const [one] = await stranded(shop, 1)
  await chain.token('setBlacklisted', [payer.address, true], stranger, {
    maxPriorityFeePerGas: parseGwei('20'),
    maxFeePerGas: parseGwei('90'),
  })
  try {
    const mined = await mineAt(until(2))
    expect(mined.map(({ status }) => status)).toEqual(['reverted'])
  } finally {
    await chain.client.setAutomine(true)
    await chain.token('setBlacklisted', [payer.address, false], stranger)
  }
  await shop.payments.reconcile()
  expect(await isPayerBlamed(shop)).toHaveLength(1)
  expect(await one?.send()).toBe('200')
  await shop.close()
})

test.each(['the same server', 'a server that was started anew'])(
  'settlements whose authorization ends are withdrawn from the pool by %s: none reverts',
  async (who) => {
    const shop = await open()
    const before = await chain.balanceOf(shopkeeper.address)
    const orders = await stranded(shop, 3)
    const last = Math.max(...orders.map(({ signed }) => endOf(signed)))
    laterMs += 300_000
    await chain.client.setNextBlockTimestamp({ timestamp: BigInt(last) })
    const other = who === 'the same server' ? shop : await open({ path: shop.path })
    if (other === shop) await shop.payments.start()
    const mined = await mineAt(last)
    expect(mined.map(({ status, gasUsed }) => [status, gasUsed])).toEqual(
      Array.from({ length: 3 }, () => ['success', 21_000n]),
    )
    await chain.client.setAutomine(true)
    for (const { send } of orders) expect(await send(other)).toMatch(/^402/)
    await other.payments.reconcile()
    expect(await other.store.payments.open()).toEqual([])
    expect(await isPayerBlamed(other)).toEqual([])
    expect(await (await order(other)).send()).toBe('200')
    expect((await chain.balanceOf(shopkeeper.address)) - before).toBe(10_000n)
    if (other !== shop) await other.close()
    await shop.close()
  },
)

test('a settlement is withdrawn when its authorization ends, without anybody’s asking', async () => {
  const shop = await open()
  await chain.client.setAutomine(false)
  let make = () => {}
  shop.gate.wait = new Promise((resolve) => {
    make = resolve
  })
  const { makes } = shop.counts
  const one = await order(shop)
  const answer = shop.hurried(one.send)
  while (shop.counts.makes === makes) await Bun.sleep(5)
  laterMs += 298_000
  make()
  expect(await answer).toBe('503 settlement_pending')
  const [sent] = await shop.store.payments.open()
  await chain.client.setNextBlockTimestamp({ timestamp: BigInt(endOf(one.signed)) })
  for (;;) {
    const [row] = await shop.store.payments.open()
    // The store has the transaction before the node does.
    if (row?.txHash !== sent?.txHash && (await isAtNode(row?.txHash))) break
    await Bun.sleep(20)
  }
  const mined = await mineAt(endOf(one.signed))
  expect(mined.map(({ status }) => status)).toEqual(['success'])
  await shop.close()
})

test('a settlement that somebody else made useless is withdrawn, and the money buys its call', async () => {
  const shop = await open()
  const bundler = await openBundler(chain)
  // Ours is on its way, somebody else carries the authorization, and ours arrives.
  const raw: Hex[] = []
  proxy.breakWith((method, { id, params }) => {
    if (method !== 'eth_sendRawTransaction') return undefined
    raw.push(params[0] as Hex)
    return Response.json({ jsonrpc: '2.0', id, result: keccak256(params[0] as Hex) })
  })
  const one = await order(shop)
  expect(await shop.hurried(one.send)).toBe('503 settlement_pending')
  proxy.heal()
  await bundler.run([carrying(one.signed)])
  await chain.client.setAutomine(false)
  for (const serializedTransaction of raw) await chain.client.sendRawTransaction({ serializedTransaction })
  expect(await one.send()).toBe('200')
  const after = await mineAt(until(1))
  expect(after.map(({ status, gasUsed }) => [status, gasUsed])).toEqual([['success', 21_000n]])
  await shop.close()
})
