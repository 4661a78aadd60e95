import { afterEach, beforeAll, expect, test } from 'bun:test'
import { eventually } from '../support/eventually.ts'
import { type HeldLock, holdLock } from '../support/hold-lock.ts'
import { started } from '../support/started.ts'
import { settlerEnv, shopkeeper, startAnvil } from './support/anvil.ts'
import { freshUrl, laterVerdictOf, payWith, verdictOf } from './support/pay.ts'
import { startRpcProxy } from './support/rpc-proxy.ts'
import { openShop } from './support/shop.ts'
import { signAuthorization, v1Header } from './support/sign.ts'

let lock: HeldLock | undefined
const chain = started(startAnvil)
const proxy = started(() => startRpcProxy(chain.url))
const shop = started(() => openShop(proxy.url, { env: settlerEnv }))
beforeAll(() => shop.store.startServing())
afterEach(async () => {
  proxy.heal()
  await release()
})

const price = 10_000n
async function release(): Promise<void> {
  const held = lock
  lock = undefined
  await held?.release()
}

async function hold(): Promise<void> {
  lock ??= await holdLock(shop.path)
}

/** Another process takes the lock when the settlement has been sent and nobody knows yet that it arrived. */
function lockAfterSettlement(): void {
  let isSent = false
  proxy.breakWith(async (method) => {
    if (method === 'eth_sendRawTransaction') isSent = true
    else if (isSent && method === 'eth_getTransactionReceipt') await hold()
    return undefined
  })
}

async function whileHeldFor(timeMs: number, answer: Promise<Response>): Promise<Response> {
  while (lock === undefined) await Bun.sleep(10)
  await Bun.sleep(timeMs)
  await release()
  return answer
}

test('money that arrives while the store is locked for a moment buys its call, once, and the answer is kept', async () => {
  const before = await chain.balanceOf(shopkeeper.address)
  const headers = v1Header(await signAuthorization())
  const url = freshUrl(shop)
  lockAfterSettlement()
  const answer = await whileHeldFor(500, fetch(url, { headers }))
  const card = await answer.text()
  expect(answer.status).toBe(200)
  proxy.heal()
  const again = await fetch(url, { headers })
  expect([again.status, await again.text()]).toEqual([200, card])
  expect((await chain.balanceOf(shopkeeper.address)) - before).toBe(price)
})

test('money that arrives while the store stays locked is 503 and not lost: the same payment buys the call later, once', async () => {
  const before = await chain.balanceOf(shopkeeper.address)
  const headers = v1Header(await signAuthorization())
  const url = freshUrl(shop)
  lockAfterSettlement()
  const answer = await fetch(url, { headers })
  expect(await verdictOf(answer)).toBe('503 settlement_pending')
  expect(answer.headers.get('x-payment-status')).toBe('not-charged')
  proxy.heal()
  await release()
  expect(await laterVerdictOf(() => fetch(url, { headers }))).toBe('200')
  expect(await verdictOf(await fetch(freshUrl(shop), { headers }))).not.toBe('200')
  expect((await chain.balanceOf(shopkeeper.address)) - before).toBe(price)
})

test('a transfer that is shown while the store is locked is 503 and not charged, and buys its call later', async () => {
  const txHash = await chain.transfer(shopkeeper.address, price)
  const url = freshUrl(shop)
  await hold()
  const answer = await payWith(url, txHash)
  expect(await verdictOf(answer)).toBe('503 busy')
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(answer.headers.get('x-payment-status')).toBe('not-charged')
  await release()
  expect(await laterVerdictOf(() => payWith(url, txHash))).toBe('200')
})

test('a call that fails while the store is locked has its own error, and its payment is free again', async () => {
  const txHash = await chain.transfer(shopkeeper.address, price)
  let make = () => {}
  shop.gate.wait = new Promise<void>((resolve) => {
    make = resolve
  })
  const answer = payWith(freshUrl(shop, 'fail'), txHash)
  const made = shop.counts.makes
  await eventually(() => shop.counts.makes > made)
  await hold()
  make()
  shop.gate.wait = undefined
  expect(await verdictOf(await answer)).toBe('500 internal')
  await release()
  expect(await laterVerdictOf(() => payWith(freshUrl(shop), txHash))).toBe('200')
})

test('an answer that is made while the store is locked waits for it, and is sent when it is written down', async () => {
  const txHash = await chain.transfer(shopkeeper.address, price)
  const url = freshUrl(shop, 'slow')
  const answer = payWith(url, txHash)
  const made = shop.counts.makes
  while (shop.counts.makes === made) await Bun.sleep(10)
  await hold()
  const sent = await whileHeldFor(2_500, answer)
  expect(await verdictOf(sent)).toBe('200')
  expect(await verdictOf(await payWith(url, txHash))).toBe('200')
})
