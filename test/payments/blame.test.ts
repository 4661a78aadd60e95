import { afterEach, expect, test } from 'bun:test'
import { type Hex, keccak256, numberToHex, parseGwei } from 'viem'
import { eventually } from '../support/eventually.ts'
import { started } from '../support/started.ts'
import { payer, settler, settlerEnv, startAnvil, stranger } from './support/anvil.ts'
import { carrying, openBundler } from './support/bundle.ts'
import { freshPath, verdictOf } from './support/pay.ts'
import { altered, startRpcProxy } from './support/rpc-proxy.ts'
import { openShop, type Shop } from './support/shop.ts'
import { type Signed, signAuthorization, v1Header } from './support/sign.ts'

/** How far the shop's clock is ahead; the chain's is set by the block. */
let laterMs = 0
const clock = { now: () => Date.now() + laterMs }
const chain = started(startAnvil)
const proxy = started(() => startRpcProxy(chain.url))
afterEach(async () => {
  proxy.heal()
  await chain.calm()
})

function open(more: Parameters<typeof openShop>[1] = {}) {
  const env = { ...settlerEnv, X402_MAX_FEE_GWEI: '100' }
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

function endOf({ authorization }: Signed): number {
  return Number(authorization.validBefore)
}

/** A block of that time, and what our settler has in it. */
async function mineAt(seconds: number) {
  // Blocks that were mined within one second are a second apart, and so ahead of the clock.
  const { timestamp: last } = await chain.client.getBlock()
  const timestamp = last < BigInt(seconds) ? BigInt(seconds) : last + 1n
  await chain.client.setNextBlockTimestamp({ timestamp })
  await chain.client.mine({ blocks: 1 })
  laterMs = Number(timestamp) * 1000 - Date.now()
  const { transactions } = await chain.client.getBlock()
  const receipts = await Promise.all(
    (transactions as Hex[]).map((hash) => chain.client.getTransactionReceipt({ hash })),
  )
  return receipts.filter(({ from }) => from === settler.address.toLowerCase())
}

function isPayerBlamed(shop: Shop) {
  return shop.store.settlements.failuresOf(payer.address.toLowerCase(), 0, 10)
}

test('settlements that a late block reverts count against nobody, and fresh authorizations are taken', async () => {
  await using shop = await open()
  const orders = await stranded(shop, 3)
  const last = Math.max(...orders.map(({ signed }) => endOf(signed)))
  const mined = await mineAt(last)
  expect(mined.map(({ status }) => status)).toEqual(['reverted', 'reverted', 'reverted'])
  await chain.client.setAutomine(true)
  for (const { send } of orders)
    expect(await send()).toMatch(
      /^402 (settlement_failed|invalid_exact_evm_payload_authorization_valid_before)$/,
    )
  await shop.payments.reconcile()
  expect(await shop.store.payments.open()).toEqual([])
  expect(await isPayerBlamed(shop)).toEqual([])
  const days = await shop.store.settlements.days(0, 100_000)
  expect(days).toMatchObject([{ count: 3, failed: 3 }])
  expect(await (await order(shop)).send()).toBe('200')
})

test('a settlement that reverts while its authorization is valid is its payer’s', async () => {
  await using shop = await open()
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
})

test('a settlement that somebody else made useless reverts, counts against nobody, and the money buys its call', async () => {
  await using shop = await open()
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
  expect(after.map(({ status }) => status)).toEqual(['reverted'])
  await chain.client.setAutomine(true)
  await shop.payments.reconcile()
  expect(await isPayerBlamed(shop)).toEqual([])
  expect(await (await order(shop)).send()).toBe('200')
})

test('a settlement that somebody else made useless, and that no block takes, holds up nobody', async () => {
  await using shop = await open()
  const bundler = await openBundler(chain)
  const nonce = await chain.client.getTransactionCount({ address: settler.address })
  proxy.breakWith((method, { id, params }) =>
    method === 'eth_sendRawTransaction'
      ? Response.json({ jsonrpc: '2.0', id, result: keccak256(params[0] as Hex) })
      : undefined,
  )
  const one = await order(shop)
  expect(await shop.hurried(one.send)).toBe('503 settlement_pending')
  await bundler.run([carrying(one.signed)])
  // Ours bids too little: the pool holds it.
  proxy.breakWith((method, call) =>
    method === 'eth_getTransactionCount' && call.params[1] === 'pending'
      ? altered(chain.url, call, () => numberToHex(nonce + 1))
      : undefined,
  )
  expect(await one.send()).toBe('200')
  const behind = await order(shop)
  expect(await shop.hurried(behind.send)).toBe('503 settlement_pending')
  await shop.payments.start()
  expect(await shop.hurried(behind.send)).toBe('503 settlement_pending')
  laterMs += 61_000
  await shop.payments.start()
  // The chain takes the one behind in a block of its own.
  const minedCount = () => chain.client.getTransactionCount({ address: settler.address })
  await eventually(async () => (await minedCount()) === nonce + 2)
  expect(await behind.send()).toBe('200')
  expect(await minedCount()).toBe(nonce + 2)
})
