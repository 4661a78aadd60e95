import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'bun:test'
import { started } from '../support/started.ts'
import { keyOf, otherPayer, payer, settler, shopkeeper, startAnvil } from './support/anvil.ts'
import { signAuthorization, v1Header } from './support/authorize.ts'
import { freshPath, verdictOf } from './support/pay.ts'
import { openShop, type Shop } from './support/shop.ts'

let shop: Shop
let laterMs = 0
let before = 0n
const clock = { now: () => Date.now() + laterMs }
const chain = started(startAnvil)
beforeAll(async () => {
  shop = await openShop(chain.url, { clock, env: { X402_SETTLER_KEY: keyOf(settler) } })
})
beforeEach(async () => {
  before = await chain.balanceOf(shopkeeper.address)
})
afterEach(async () => {
  shop.gate.wait = undefined
  await chain.calm()
})
afterAll(async () => {
  await shop.close()
})

async function moved() {
  return Number((await chain.balanceOf(shopkeeper.address)) - before) / 10_000
}

/** A new signature each time, as clients make it that know nothing of the one before. */
async function headersOf(signer = payer) {
  const validBefore = Math.floor(clock.now() / 1000) + 400
  return v1Header(await signAuthorization({ signer, validBefore }))
}

function send(path: string, headers: Record<string, string>) {
  return fetch(`${shop.url}${path}`, { headers })
}

/** A call that no block settles. */
function sendInVain(path: string, headers: Record<string, string>) {
  return shop.hurried(() => send(path, headers))
}

async function mine(): Promise<void> {
  await chain.client.mine({ blocks: 1 })
  await chain.client.setAutomine(true)
}

test.each(['asks again', 'asks when the server has seen the money'])(
  'a client that signs anew while its first payment is pending pays once, and %s',
  async (when) => {
    await chain.client.setAutomine(false)
    const path = freshPath()
    const [first, second] = [await headersOf(), await headersOf()]
    expect(await verdictOf(await sendInVain(path, first))).toBe('503 settlement_pending')
    const held = await sendInVain(path, second)
    expect([held.headers.get('x-payment-status'), await verdictOf(held)]).toEqual([
      'not-charged',
      '503 settlement_pending',
    ])
    await mine()
    if (when !== 'asks again') await shop.payments.reconcile()
    const card = await send(path, second)
    expect(card.status).toBe(200)
    expect(await (await send(path, first)).text()).toBe(await card.text())
    expect(await moved()).toBe(1)
    // It was not used, so it buys something else.
    expect(await verdictOf(await send(freshPath(), second))).toBe('200')
    expect(await moved()).toBe(2)
  },
)

test('three signatures that wait for a fourth are shown again when that has bought the request, and pay nothing', async () => {
  await chain.client.setAutomine(false)
  const path = freshPath()
  const all = await Promise.all(Array.from({ length: 4 }, () => headersOf()))
  for (const headers of all)
    expect(await verdictOf(await sendInVain(path, headers))).toBe('503 settlement_pending')
  await mine()
  const cards: string[] = []
  for (const headers of all) cards.push(await (await send(path, headers)).text())
  expect(new Set(cards).size).toBe(1)
  expect(cards[0]).toStartWith('<svg')
  expect(await moved()).toBe(1)
})

test('a signature that comes while another one’s money buys the request moves nothing', async () => {
  await chain.client.setAutomine(false)
  const path = freshPath()
  const [first, second] = [await headersOf(), await headersOf()]
  expect(await verdictOf(await sendInVain(path, first))).toBe('503 settlement_pending')
  await mine()
  const { promise, resolve } = Promise.withResolvers<void>()
  shop.gate.wait = promise
  const makes = shop.counts.makes
  const one = send(path, first)
  while (shop.counts.makes === makes) await Bun.sleep(5)
  const other = send(path, second)
  // The other comes as far as it can while the first is made.
  await Bun.sleep(300)
  resolve()
  shop.gate.wait = undefined
  expect(await (await other).text()).toBe(await (await one).text())
  expect(await moved()).toBe(1)
})

test('five signatures for one request at once move the money once and get the same bytes', async () => {
  const path = freshPath()
  const all = await Promise.all(Array.from({ length: 5 }, () => headersOf()))
  const cards = await Promise.all(all.map(async (headers) => (await send(path, headers)).text()))
  expect(new Set(cards).size).toBe(1)
  expect(cards[0]).toStartWith('<svg')
  expect(await moved()).toBe(1)
})

test('a second signature is taken when the first can no longer be settled', async () => {
  await chain.client.setAutomine(false)
  const path = freshPath()
  const first = await headersOf()
  expect(await verdictOf(await sendInVain(path, first))).toBe('503 settlement_pending')
  laterMs += 450_000
  await chain.client.setNextBlockTimestamp({ timestamp: BigInt(Math.floor(clock.now() / 1000)) })
  await shop.payments.start()
  await mine()
  expect(await verdictOf(await send(path, await headersOf()))).toBe('200')
  expect(await moved()).toBe(1)
})

test('neither another payer nor another request waits for it, nor who buys the same again later', async () => {
  await chain.client.setAutomine(false)
  const path = freshPath()
  const orders = [
    { path, headers: await headersOf() },
    { path, headers: await headersOf(otherPayer) },
    { path: freshPath(), headers: await headersOf() },
  ]
  for (const order of orders)
    expect(await verdictOf(await sendInVain(order.path, order.headers))).toBe('503 settlement_pending')
  await mine()
  for (const order of orders) expect(await verdictOf(await send(order.path, order.headers))).toBe('200')
  expect(await moved()).toBe(3)
  expect(await verdictOf(await send(path, await headersOf()))).toBe('200')
  expect(await moved()).toBe(4)
})
