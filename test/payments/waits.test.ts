import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { createWaitPlaces, waitsPerAddressMax } from '../../src/payments/waits/wait-places.ts'
import { hangMsMax } from '../support/hang-limit.ts'
import { type Chain, keyOf, settler, shopkeeper, startAnvil } from './support/anvil.ts'
import { signAuthorization, v1Header } from './support/authorize.ts'
import { freshPath, payWith, verdictOf } from './support/pay.ts'
import { startRpcProxy } from './support/rpc-proxy.ts'
import { openShop, type Shop } from './support/shop.ts'

setDefaultTimeout(hangMsMax)

const price = 10_000n
let chain: Chain
let proxy: ReturnType<typeof startRpcProxy>
let shop: Shop
beforeAll(async () => {
  chain = await startAnvil()
  proxy = startRpcProxy(chain.url)
  const env = { X402_SETTLER_KEY: keyOf(settler), X402_WAIT_MS: '20000', X402_RPC_TIMEOUT_MS: '20000' }
  shop = await openShop(proxy.url, { env })
})
afterEach(async () => {
  shop.gate.wait = undefined
  await chain.calm()
})
afterAll(async () => {
  await shop.close()
  await proxy.stop()
  await chain.stop()
})

function transfer() {
  return chain.transfer(shopkeeper.address, price)
}

/** Counts the calls of one method of an object until `stop`. */
function countCalls<Name extends string>(object: Readonly<Record<Name, unknown>>, name: Name) {
  const target = object as Record<Name, unknown>
  const original = object[name] as (...values: unknown[]) => PromiseLike<unknown>
  let count = 0
  target[name] = (...values: unknown[]) => {
    count += 1
    return original(...values)
  }
  return {
    count: () => count,
    stop() {
      target[name] = original
      return count
    },
  }
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

describe('callers who wait for the same payment', () => {
  test('share one wait: two hundred of them cost the store a handful of questions, and all get the bytes', async () => {
    const txHash = await transfer()
    const url = `${shop.url}${freshPath()}`
    const answers = holdAnswers(shop)
    const making = answers.isMaking()
    const looks = countCalls(shop.store.charges, 'bySlot')
    const makesBefore = shop.counts.makes
    const calls: Promise<string>[] = []
    const call = async () => (await payWith(url, txHash)).text()
    await arrived(shop, 200, () => void calls.push(...Array.from({ length: 200 }, call)))
    await making
    answers.end()
    expect(new Set(await Promise.all(calls)).size).toBe(1)
    expect(shop.counts.makes - makesBefore).toBe(1)
    expect(looks.stop()).toBeLessThanOrEqual(12)
  })

  test('share one check of an authorization that all of them show at once', async () => {
    const headers = v1Header(await signAuthorization())
    const url = `${shop.url}${freshPath()}`
    proxy.takeCalls()
    const calls = Array.from({ length: 60 }, async () => verdictOf(await fetch(url, { headers })))
    expect(countOf(await Promise.all(calls))).toEqual({ '200': 60 })
    expect(proxy.takeCalls().length).toBeLessThanOrEqual(40)
  })

  test('share one look for a transaction that is not mined yet, whatever they want to buy', async () => {
    await chain.client.setAutomine(false)
    const txHash = await transfer()
    proxy.takeCalls()
    const calls: Promise<string>[] = []
    const call = async () => verdictOf(await payWith(`${shop.url}${freshPath()}`, txHash))
    await arrived(shop, 100, () => void calls.push(...Array.from({ length: 100 }, call)))
    await chain.client.mine({ blocks: 1 })
    await chain.client.setAutomine(true)
    expect(countOf(await Promise.all(calls))).toEqual({ '200': 1, '402 payment_already_used': 99 })
    const asked = proxy.takeCalls().filter((method) => method === 'eth_getTransactionReceipt')
    expect(asked.length).toBeLessThanOrEqual(20)
  })

  test('of several addresses take turns when the answer fails: repeats of one delay the next by one try', async () => {
    const txHash = await transfer()
    const url = `${shop.url}${freshPath()}`
    const answers = holdAnswers(shop)
    const making = answers.isMaking()
    const makesBefore = shop.counts.makes
    const verdicts: Promise<string>[] = []
    const callFrom = async (address: string) => verdictOf(await payWith(url, txHash, from(address)))
    function callAgainAndAgain(address: string): void {
      for (let call = 0; call < 50; call += 1) verdicts.push(callFrom(address))
    }
    await arrived(shop, 50, () => callAgainAndAgain('198.51.100.1'))
    await making
    const honest = Promise.withResolvers<string>()
    await arrived(shop, 1, () => honest.resolve(callFrom('203.0.113.1')))
    await arrived(shop, 50, () => callAgainAndAgain('198.51.100.1'))
    answers.fail()
    expect(await honest.promise).toBe('200')
    expect(shop.counts.makes - makesBefore).toBe(2)
    expect(countOf(await Promise.all(verdicts))).toEqual({ '500 internal': 1, '503 busy': 99 })
    expect(await verdictOf(await payWith(url, txHash, from('198.51.100.1')))).toBe('200')
  })

  test('in another process than the one that answers ask the store as one', async () => {
    const other = await openShop(proxy.url, { path: shop.path })
    const txHash = await transfer()
    const path = freshPath()
    const answers = holdAnswers(shop)
    const making = answers.isMaking()
    const first = payWith(`${shop.url}${path}`, txHash)
    await making
    const { host } = new URL(shop.url)
    const claims = countCalls(other.store, 'transaction')
    const calls: Promise<string>[] = []
    const call = async () => (await payWith(`${other.url}${path}`, txHash, { host })).text()
    await arrived(other, 60, () => void calls.push(...Array.from({ length: 60 }, call)))
    while (claims.count() < 4) await Bun.sleep(5)
    answers.end()
    expect(new Set(await Promise.all([...calls, first.then((sent) => sent.text())])).size).toBe(1)
    expect(claims.stop()).toBeLessThan(60)
    await other.close()
  })
})

describe('the waits of one address', () => {
  test('are eight: who waits for one more payment is 503 at once, and pays when it is mined', async () => {
    await chain.client.setAutomine(false)
    const nonce = await chain.client.getTransactionCount({ address: settler.address })
    const offers: { readonly url: string; readonly txHash: string; readonly address: string }[] = []
    for (let index = 0; index <= waitsPerAddressMax; index += 1) {
      const txHash = await chain.transfer(shopkeeper.address, price, settler, { nonce: nonce + index })
      offers.push({ url: `${shop.url}${freshPath()}`, txHash, address: `2001:db8:1:2::${index}` })
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

  test('give way one after the other: a payment that finds no place gets one when the oldest had its two seconds', async () => {
    let nowMs = 0
    const places = createWaitPlaces({ now: () => nowMs })
    const never = () => new Promise<never>(() => {})
    const waiting = Array.from({ length: waitsPerAddressMax }, (_, index) =>
      places.wait('192.0.2.1', `payment ${index}`, never).then(undefined, (error: Error) => error.message),
    )
    const shared = places.wait('192.0.2.1', 'payment 0', async () => 'shared')
    expect(await shared).toBe('shared')
    await expect(places.wait('192.0.2.1', 'another', never)).rejects.toThrow('as many payments as it may')
    expect(await places.wait('192.0.2.2', 'another', async () => 'elsewhere')).toBe('elsewhere')
    nowMs = 2_000
    expect(await places.wait('192.0.2.1', 'another', async () => 'in turn')).toBe('in turn')
    expect(await waiting[0]).toContain('stays usable')
  })
})
