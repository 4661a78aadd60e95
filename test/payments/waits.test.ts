import { afterEach, describe, expect, test } from 'bun:test'
import { createPaymentWaits, waitsMax, waitsPerAddressMax } from '../../src/payments/payment-limits.ts'
import { started } from '../support/started.ts'
import { settler, settlerEnv, shopkeeper, startAnvil } from './support/anvil.ts'
import { freshPath, freshUrl, payWith, verdictOf } from './support/pay.ts'
import { startRpcProxy } from './support/rpc-proxy.ts'
import { openShop, type Shop } from './support/shop.ts'
import { signAuthorization, v1Header } from './support/sign.ts'

const price = 10_000n
const chain = started(startAnvil)
const proxy = started(() => startRpcProxy(chain.url))
const env = { ...settlerEnv, X402_WAIT_MS: '20000', X402_RPC_TIMEOUT_MS: '20000' }
const shop = started(() => openShop(proxy.url, { env }))
afterEach(async () => {
  shop.gate.wait = undefined
  await chain.calm()
})

function transfer() {
  return chain.transfer(shopkeeper.address, price)
}

/** Waits until so many callers have read whether their payment is stored: they wait for it next. */
async function arrived(of: Shop, expected: number, act: () => void): Promise<void> {
  const target = of.store.payments as { byTransaction: unknown }
  const original = of.store.payments.byTransaction
  let count = 0
  target.byTransaction = async (...values: Parameters<typeof original>) => {
    const stored = await original(...values)
    count += 1
    return stored
  }
  act()
  while (count < expected) await Bun.sleep(5)
  target.byTransaction = original
}

/** Holds what the shop makes until it is let go. */
function holdAnswers(of: Shop) {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  of.gate.wait = promise
  return {
    async isMaking() {
      const { makes } = of.counts
      while (of.counts.makes === makes) await Bun.sleep(5)
    },
    end: resolve,
    /** Fails the answers that are being made now. Later answers succeed. */
    fail() {
      of.gate.wait = undefined
      reject(new Error('It cannot be made.'))
    },
  }
}

function countOf(verdicts: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const verdict of verdicts) counts[verdict] = (counts[verdict] ?? 0) + 1
  return counts
}

function from(address: string) {
  return { 'x-forwarded-for': address }
}

function expectBusy(response: Response) {
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(response.headers.get('x-payment-status')).toBe('not-charged')
  return expect(verdictOf(response)).resolves.toBe('503 busy')
}

describe('callers who wait for the same payment', () => {
  test('get the bytes of the one answer, eight of each address; more are 503 at once, and pay later', async () => {
    const txHash = await transfer()
    const url = freshUrl(shop)
    const answers = holdAnswers(shop)
    const making = answers.isMaking()
    const makesBefore = shop.counts.makes
    const call = (address: string) => payWith(url, txHash, from(address))
    const first = call('2001:db8:a::1')
    await making
    const refused: Response[] = []
    const calls = Array.from({ length: 20 }, async (_, index) => {
      const response = await call(`2001:db8:a::${index + 2}`)
      if (response.status === 503) refused.push(response)
      return response
    })
    const elsewhere = call('2001:db8:a:1::1')
    while (refused.length < 20 - waitsPerAddressMax) await Bun.sleep(5)
    answers.end()
    for (const response of refused) await expectBusy(response)
    const answered = [await first, await elsewhere, ...(await Promise.all(calls))].filter(({ ok }) => ok)
    expect(answered).toHaveLength(2 + waitsPerAddressMax)
    expect(new Set(await Promise.all(answered.map((response) => response.text()))).size).toBe(1)
    expect(await verdictOf(await call('2001:db8:a::1'))).toBe('200')
    expect(shop.counts.makes - makesBefore).toBe(1)
  })

  test('share one check of an authorization that all of them show at once', async () => {
    const headers = v1Header(await signAuthorization())
    const url = freshUrl(shop)
    proxy.takeCalls()
    const calls = Array.from({ length: 1 + waitsPerAddressMax }, async () =>
      verdictOf(await fetch(url, { headers })),
    )
    expect(countOf(await Promise.all(calls))).toEqual({ '200': 1 + waitsPerAddressMax })
    expect(proxy.takeCalls().length).toBeLessThanOrEqual(40)
  })

  test('share one look for a transaction that is not mined yet, whatever they want to buy', async () => {
    await chain.client.setAutomine(false)
    const txHash = await transfer()
    proxy.takeCalls()
    const look = Promise.withResolvers<undefined>()
    const isLooking = Promise.withResolvers<void>()
    proxy.breakWith((method) => {
      if (method !== 'eth_getTransactionReceipt') return undefined
      isLooking.resolve()
      return look.promise
    })
    let refused = 0
    const calls: Promise<string>[] = []
    await arrived(shop, 100, () => {
      for (let n = 0; n < 100; n += 1) {
        const verdict = payWith(freshUrl(shop), txHash).then(verdictOf)
        calls.push(verdict)
        void verdict.then((words) => (refused += words === '503 busy' ? 1 : 0))
      }
    })
    await isLooking.promise
    const asked = proxy.takeCalls().filter((method) => method === 'eth_getTransactionReceipt')
    expect(asked).toHaveLength(1)
    proxy.heal()
    look.resolve(undefined)
    while (refused < 100 - waitsPerAddressMax) await Bun.sleep(5)
    await chain.client.mine({ blocks: 1 })
    await chain.client.setAutomine(true)
    expect(countOf(await Promise.all(calls))).toEqual({
      '200': 1,
      '402 payment_already_used': waitsPerAddressMax - 1,
      '503 busy': 100 - waitsPerAddressMax,
    })
  })

  test('are not failed by an answer that fails: one of them has it made anew, for all', async () => {
    const txHash = await transfer()
    const url = freshUrl(shop)
    const answers = holdAnswers(shop)
    const making = answers.isMaking()
    const makesBefore = shop.counts.makes
    const first = payWith(url, txHash, from('198.51.100.1'))
    await making
    const calls: Promise<string>[] = []
    await arrived(shop, 12, () => {
      for (let index = 0; index < 12; index += 1) {
        const address = index < 6 ? '198.51.100.1' : '203.0.113.1'
        calls.push(payWith(url, txHash, from(address)).then(verdictOf))
      }
    })
    answers.fail()
    expect(await verdictOf(await first)).toBe('500 internal')
    expect(countOf(await Promise.all(calls))).toEqual({ '200': 12 })
    expect(shop.counts.makes - makesBefore).toBe(2)
  })

  test('in another process than the one that answers get the same bytes', async () => {
    await using other = await openShop(proxy.url, { path: shop.path })
    const txHash = await transfer()
    const path = freshPath()
    const answers = holdAnswers(shop)
    const making = answers.isMaking()
    const first = payWith(`${shop.url}${path}`, txHash)
    await making
    const { host } = new URL(shop.url)
    const calls: Promise<string>[] = []
    const call = async () => (await payWith(`${other.url}${path}`, txHash, { host })).text()
    await arrived(other, waitsPerAddressMax, () => {
      for (let index = 0; index < waitsPerAddressMax; index += 1) calls.push(call())
    })
    answers.end()
    const texts = await Promise.all([...calls, first.then((sent) => sent.text())])
    expect([new Set(texts).size, texts[0]?.slice(0, 4), other.counts.makes]).toEqual([1, '<svg', 0])
  })
})

describe('a wait', () => {
  const client = { clientAddress: '192.0.2.1' }

  test('looks at the store on behalf of all who wait for the same, and ends with the answer', async () => {
    let looks = 0
    const waits = createPaymentWaits({ isHeld: async () => ++looks < 8 }, () => {})
    const calls = Array.from({ length: waitsPerAddressMax }, () => {
      let claims = 0
      return waits.claimWhenFree(client, async () =>
        ++claims === 1 ? ({ kind: 'busy', slot: 'a' } as const) : ({ kind: 'done' } as const),
      )
    })
    expect(await Promise.all(calls)).toEqual(calls.map(() => ({ kind: 'done' })))
    expect(looks).toBeLessThan(10)
  })

  test('ends with 503 where the answer takes too long', async () => {
    const waits = createPaymentWaits({ isHeld: async () => true }, () => {})
    const claim = waits.claimWhenFree(client, async () => ({ kind: 'busy', slot: 'a' }) as const)
    await expect(claim).rejects.toMatchObject({
      code: 'busy',
      message: 'The same request is still being answered.',
    })
  })

  test('finds a place among 256 of all addresses, and the operator’s watch is told where there is none', async () => {
    let fullCount = 0
    const waits = createPaymentWaits({ isHeld: async () => true }, () => {
      fullCount += 1
    })
    const { promise, resolve } = Promise.withResolvers<string>()
    const holders = Array.from({ length: waitsMax }, (_, index) =>
      waits.inPlace(`198.51.${index >> 3}.1`, () => promise),
    )
    await expect(waits.inPlace('203.0.113.1', async () => '')).rejects.toMatchObject({ code: 'busy' })
    expect(fullCount).toBe(1)
    resolve('over')
    expect(new Set(await Promise.all(holders))).toEqual(new Set(['over']))
    expect(await waits.inPlace('203.0.113.1', async () => 'now')).toBe('now')
  })
})

describe('the waits of one address', () => {
  test('are eight: who waits for one more payment is 503 at once, and pays when it is mined', async () => {
    await chain.client.setAutomine(false)
    const nonce = await chain.client.getTransactionCount({ address: settler.address })
    const offers: { readonly url: string; readonly txHash: string; readonly address: string }[] = []
    for (let index = 0; index <= waitsPerAddressMax; index += 1) {
      const txHash = await chain.transfer(shopkeeper.address, price, settler, { nonce: nonce + index })
      offers.push({ url: freshUrl(shop), txHash, address: `2001:db8:1:2::${index}` })
    }
    const calls = offers.map(async (offer) => {
      const response = await payWith(offer.url, offer.txHash, from(offer.address))
      return { offer, response }
    })
    // All others wait for a block.
    const { offer, response } = await Promise.race(calls)
    expect(await verdictOf(response)).toBe('503 busy')
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(response.headers.get('x-payment-status')).toBe('not-charged')
    const elsewhere = payWith(offer.url, offer.txHash, from('2001:db8:1:3::1'))
    await chain.client.mine({ blocks: 1 })
    await chain.client.setAutomine(true)
    expect((await Promise.all(calls)).map(({ response: { status } }) => status).toSorted()).toEqual([
      ...Array.from({ length: waitsPerAddressMax }, () => 200),
      503,
    ])
    expect(await verdictOf(await elsewhere)).toBe('200')
  })
})
