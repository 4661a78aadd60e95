import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { started } from '../support/started.ts'
import { otherPayer, payer, settlerEnv, shopkeeper, startAnvil, stranger } from './support/anvil.ts'
import { freshPath, freshUrl, payWith, proofHeader, verdictOf } from './support/pay.ts'
import { openShop } from './support/shop.ts'
import { fromBase64, signAuthorization, v1Header } from './support/sign.ts'

const chain = started(startAnvil)
const shop = started(() => openShop(chain.url, { env: settlerEnv }))

async function payProven(
  txHash: string,
  url = freshUrl(shop),
  signer = payer,
  more: object = {},
): Promise<Response> {
  return payWith(url, txHash, { 'x-payment-proof': await proofHeader({ url, txHash, signer, ...more }) })
}

describe('what a payment holds beyond one call is its payer’s', () => {
  test('the bare hash buys one call, proofs draw the rest, and then it is empty', async () => {
    const txHash = await chain.transfer(shopkeeper.address, 30_000n)
    const first = await payWith(freshUrl(shop), txHash)
    expect(first.headers.get('x-payment-credit')).toBe('0.02')
    expect(await verdictOf(first)).toBe('200')
    expect(await verdictOf(await payWith(freshUrl(shop), txHash))).toBe('402 payment_already_used')
    expect(await verdictOf(await payProven(txHash))).toBe('200')
    expect(await verdictOf(await payProven(txHash))).toBe('200')
    expect(await verdictOf(await payProven(txHash))).toBe('402 payment_already_used')
  })

  test('fifty draws at once never take more than there is', async () => {
    const txHash = await chain.transfer(shopkeeper.address, 75_000n)
    const verdicts = await Promise.all(
      Array.from({ length: 50 }, async () => verdictOf(await payProven(txHash))),
    )
    expect(verdicts.filter((verdict) => verdict === '200')).toHaveLength(7)
    const [row] = await shop.store.payments.byTransaction(84532, txHash)
    expect(row).toMatchObject({ amountMicros: 75_000, spentMicros: 70_000 })
  })

  test('one proof draws once: the same request with it gets the same bytes', async () => {
    const txHash = await chain.transfer(shopkeeper.address, 20_000n)
    const url = freshUrl(shop)
    const headers = { 'x-payment-proof': await proofHeader({ url, txHash, signer: payer }) }
    const first = await (await payWith(url, txHash, headers)).text()
    expect(await (await payWith(url, txHash, headers)).text()).toBe(first)
    const [row] = await shop.store.payments.byTransaction(84532, txHash)
    expect(row?.spentMicros).toBe(10_000)
  })

  test('who has drawn with a proof leaves no free call for the bare hash', async () => {
    const txHash = await chain.transfer(shopkeeper.address, 30_000n)
    expect(await verdictOf(await payProven(txHash))).toBe('200')
    expect(await verdictOf(await payWith(freshUrl(shop), txHash))).toBe('402 payment_already_used')
  })

  test('a call that cannot be made gives the draw back', async () => {
    const txHash = await chain.transfer(shopkeeper.address, 20_000n)
    const failing = freshUrl(shop, 'fail')
    expect((await payProven(txHash, failing)).status).toBe(500)
    expect(await verdictOf(await payProven(txHash))).toBe('200')
    expect(await verdictOf(await payProven(txHash))).toBe('200')
  })

  test('what an authorization paid too much is drawn with its settlement’s hash', async () => {
    const response = await fetch(freshUrl(shop), {
      headers: v1Header(await signAuthorization({ value: 25_000n })),
    })
    const txHash = String(fromBase64(response.headers.get('x-payment-response'))['transaction'])
    expect(await verdictOf(await payWith(freshUrl(shop), txHash))).toBe('402 payment_made_by_authorization')
    expect(await verdictOf(await payProven(txHash, freshUrl(shop), stranger))).toBe('402 invalid_proof')
    expect(await verdictOf(await payProven(txHash))).toBe('200')
    expect(await verdictOf(await payProven(txHash))).toBe('402 payment_insufficient')
  })

  test('a payment whose block vanished buys nothing more, which a block in its place has to show', async () => {
    const before = await chain.client.snapshot()
    const txHash = await chain.transfer(shopkeeper.address, 20_000n)
    expect(await verdictOf(await payProven(txHash))).toBe('200')
    await chain.rewind(before)
    // The chain is now shorter than before, so the node may only be slow.
    expect(await verdictOf(await payProven(txHash))).toBe('503 payments_unavailable')
    await chain.client.mine({ blocks: 1 })
    expect(await verdictOf(await payProven(txHash))).toBe('402 payment_reorged')
  })
})

describe('proofs', () => {
  test('by a stranger, for another URL, stale or malformed are refused and use nothing', async () => {
    const txHash = await chain.transfer(shopkeeper.address, 10_000n)
    const nowSeconds = Math.floor(Date.now() / 1000)
    expect(await verdictOf(await payProven(txHash, freshUrl(shop), stranger))).toBe('402 invalid_proof')
    const elsewhere = await payProven(txHash, freshUrl(shop), payer, { signedUrl: freshUrl(shop) })
    expect(await verdictOf(elsewhere)).toBe('402 invalid_proof')
    for (const issuedSeconds of [nowSeconds - 301, nowSeconds + 310]) {
      expect(await verdictOf(await payProven(txHash, freshUrl(shop), payer, { issuedSeconds }))).toBe(
        '402 proof_expired',
      )
    }
    const malformed = await payWith(freshUrl(shop), txHash, { 'x-payment-proof': 't=x,sig=0x' })
    expect(await verdictOf(malformed)).toBe('402 invalid_proof')
    expect(await verdictOf(await payProven(txHash))).toBe('200')
  })

  test('a contract account proves with what its owner signs (ERC-1271)', async () => {
    const wallet = await chain.deploy('Wallet', [payer.address])
    await chain.token('mint', [wallet, 50_000n], payer)
    await chain.client.impersonateAccount({ address: wallet })
    await chain.client.setBalance({ address: wallet, value: 10n ** 18n })
    const txHash = await chain.token('transfer', [shopkeeper.address, 20_000n], wallet as never)
    expect(await verdictOf(await payProven(txHash))).toBe('200')
    expect(await verdictOf(await payProven(txHash, freshUrl(shop), stranger))).toBe('402 invalid_proof')
  })

  test('are required from the price that the operator names', async () => {
    await using strict = await openShop(chain.url, { env: { X402_REQUIRE_PROOF: '0.01' } })
    const txHash = await chain.transfer(shopkeeper.address, 10_000n)
    const url = freshUrl(strict)
    expect(await verdictOf(await payWith(url, txHash))).toBe('402 proof_required')
    expect(await verdictOf(await payProven(txHash, url))).toBe('200')
  })
})

let laterMs = 0
let before = 0n
const clock = { now: () => Date.now() + laterMs }
const later = started(() => openShop(chain.url, { clock, env: settlerEnv }))

beforeEach(async () => {
  before = await chain.balanceOf(shopkeeper.address)
})
afterEach(async () => {
  later.gate.wait = undefined
  await chain.calm()
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
  return fetch(`${later.url}${path}`, { headers })
}

/** A call that no block settles. */
function sendInVain(path: string, headers: Record<string, string>) {
  return later.hurried(() => send(path, headers))
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
    const expected = ['not-charged', '503 settlement_pending']
    expect([held.headers.get('x-payment-status'), await verdictOf(held)]).toEqual(expected)
    await mine()
    if (when !== 'asks again') await later.payments.reconcile()
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
  later.gate.wait = promise
  const makes = later.counts.makes
  const one = send(path, first)
  while (later.counts.makes === makes) await Bun.sleep(5)
  const other = send(path, second)
  // The other comes as far as it can while the first is made.
  await Bun.sleep(300)
  resolve()
  later.gate.wait = undefined
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
  await later.payments.start()
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
