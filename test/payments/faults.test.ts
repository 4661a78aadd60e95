import { afterEach, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import type { Hex } from 'viem'
import { movableClock } from '../store/clock.ts'
import { drippingAnswer, floodingAnswer } from '../support/endless-answers.ts'
import { started } from '../support/started.ts'
import { withStoppedTime } from '../support/stopped-time.ts'
import { sampleOf, slowTest } from '../support/test-size.ts'
import { settlerEnv as env, settler, shopkeeper, startAnvil } from './support/anvil.ts'
import { freshPath, freshUrl, laterVerdictOf, payWith, verdictOf } from './support/pay.ts'
import { altered, type Fault, startRpcProxy } from './support/rpc-proxy.ts'
import { openShop, type Shop } from './support/shop.ts'
import { signAuthorization, v1Header } from './support/sign.ts'

const chain = started(startAnvil)
const proxy = started(() => startRpcProxy(chain.url))
const shop = started(() => openShop(proxy.url, { env }))
afterEach(async () => {
  proxy.heal()
  await chain.calm()
})

const price = 10_000n
function expectUnknown(response: Response, code = 'payments_unavailable') {
  expect(response.headers.get('x-payment-status')).toBe('not-charged')
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
  return expect(verdictOf(response)).resolves.toBe(`503 ${code}`)
}

describe('an RPC that cannot be relied on', () => {
  const faults = {
    'answers 500': () => new Response('oops', { status: 500 }),
    'answers 429': () => new Response('slow down', { status: 429 }),
    'answers garbage': () => new Response('<html>'),
    'answers JSON that is no JSON-RPC': () => Response.json([]),
    'answers results of the wrong shape': () =>
      Response.json({ jsonrpc: '2.0', id: 1, result: { status: 'yes' } }),
    'answers an error of its own': () =>
      Response.json({ jsonrpc: '2.0', id: 1, error: { code: -32005, message: 'limit exceeded' } }),
    'answers without end': () => floodingAnswer().response,
  } as const
  for (const [name, fault] of sampleOf(Object.entries(faults), 3)) {
    test(`${name}: 503 and never 402; the same payment works later, transfer or authorization`, async () => {
      await expectUnknownUntilHealed(fault, shop)
    })
  }

  const endless = {
    hangs: () => new Promise<undefined>(() => {}),
    'begins an answer and never ends it': drippingAnswer,
  } as const
  for (const [name, fault] of sampleOf(Object.entries(endless), 2)) {
    test(`${name}: 503 and never 402; the same payment works later, transfer or authorization`, async () => {
      // Nothing is answered in the time that this one has, and everything in that of the other.
      await using hasty = await openShop(proxy.url, {
        path: shop.path,
        env: { ...env, X402_RPC_TIMEOUT_MS: '300' },
      })
      await expectUnknownUntilHealed(fault, hasty)
    })
  }

  async function expectUnknownUntilHealed(fault: Fault, broken: Shop): Promise<void> {
    const txHash = await chain.transfer(shopkeeper.address, price)
    const headers = { ...v1Header(await signAuthorization()), host: new URL(shop.url).host }
    const [first, second] = [freshPath(), freshPath()]
    const payAt = (at: Shop) => payWith(`${at.url}${first}`, txHash, { host: headers.host })
    const signAt = (at: Shop) => fetch(`${at.url}${second}`, { headers })
    proxy.breakWith(fault)
    await expectUnknown(await payAt(broken))
    await expectUnknown(await signAt(broken))
    proxy.heal()
    expect(await laterVerdictOf(() => payAt(shop))).toBe('200')
    expect(await laterVerdictOf(() => signAt(shop))).toBe('200')
  }

  test('is not there at all: 503 and never 402', async () => {
    await using gone = await openShop('http://127.0.0.1:1', { env })
    const txHash = await chain.transfer(shopkeeper.address, price)
    await expectUnknown(await payWith(freshUrl(gone), txHash))
    const headers = v1Header(await signAuthorization())
    await expectUnknown(await fetch(freshUrl(gone), { headers }))
  })

  slowTest('is slow: it is waited for', async () => {
    const txHash = await chain.transfer(shopkeeper.address, price)
    const headers = v1Header(await signAuthorization())
    proxy.breakWith(() => Bun.sleep(150).then(() => undefined))
    expect(await verdictOf(await payWith(freshUrl(shop), txHash))).toBe('200')
    expect(await verdictOf(await fetch(freshUrl(shop), { headers }))).toBe('200')
  })

  test('is on another chain: 503, and exact is not advertised', async () => {
    proxy.breakAt('eth_chainId', () => Response.json({ jsonrpc: '2.0', id: 1, result: '0x1' }))
    await using lost = await openShop(proxy.url, { env })
    const txHash = await chain.transfer(shopkeeper.address, price)
    await expectUnknown(await payWith(freshUrl(lost), txHash))
    const headers = v1Header(await signAuthorization())
    await expectUnknown(await fetch(freshUrl(lost), { headers }))
    const required = await fetch(freshUrl(lost))
    expect(((await required.json()) as { accepts: unknown[] }).accepts).toEqual([])
    expect(required.headers.get('payment-required')).toBeNull()
    const { problems } = await lost.payments.status()
    expect(problems.join()).toContain('is on chain 1, not 84532')
  })

  const refused = (id: number) =>
    Response.json({ jsonrpc: '2.0', id, error: { code: 3, message: 'execution reverted' } })

  test('refuses what no chain refuses: 503, and never 402 or 500', async () => {
    const methods = [
      'eth_getBlockByNumber',
      'eth_getTransactionReceipt',
      'eth_getTransactionByHash',
      'eth_getLogs',
    ]
    for (const broken of methods) {
      const txHash = await chain.transfer(shopkeeper.address, price)
      const [path, headers] = [freshPath(), v1Header(await signAuthorization())]
      const signedAt = freshUrl(shop)
      proxy.breakWith((method, { id }) => (method === broken ? refused(id) : undefined))
      const answers = [
        await payWith(`${shop.url}${path}`, txHash),
        await shop.hurried(() => fetch(signedAt, { headers })),
      ]
      proxy.heal()
      for (const answer of answers)
        if (answer.status !== 200) expect(await verdictOf(answer)).toMatch(/^503 /)
      expect(await laterVerdictOf(() => payWith(`${shop.url}${path}`, txHash))).toBe('200')
      expect(await laterVerdictOf(() => fetch(signedAt, { headers }))).toBe('200')
    }
  })

  test('refuses to say what a wallet holds, or whether its authorization is used: 503, before and after it is sent', async () => {
    for (const view of ['0x70a08231', '0xe94a0102']) {
      const headers = v1Header(await signAuthorization())
      const url = freshUrl(shop)
      const isView = ({ params }: { readonly params: readonly unknown[] }) =>
        JSON.stringify(params).includes(view)
      proxy.breakWith((method, call) =>
        method === 'eth_call' && isView(call) ? refused(call.id) : undefined,
      )
      await expectUnknown(await fetch(url, { headers }))
      let isSent = false
      proxy.breakWith((method, call) => {
        isSent ||= method === 'eth_sendRawTransaction'
        return isSent && method !== 'eth_sendRawTransaction' && method !== 'eth_getBlockByNumber'
          ? refused(call.id)
          : undefined
      })
      expect(await verdictOf(await shop.hurried(() => fetch(url, { headers })))).toMatch(/^503 /)
      proxy.heal()
      expect(await laterVerdictOf(() => fetch(url, { headers }))).toBe('200')
    }
  })

  test('is on another chain, and refuses there: 503, whatever it says first', async () => {
    proxy.breakWith(async (method, { id }) => {
      if (method !== 'eth_chainId') return refused(id)
      await Bun.sleep(50)
      return Response.json({ jsonrpc: '2.0', id, result: '0x1' })
    })
    await using lost = await openShop(proxy.url, { env })
    const headers = v1Header(await signAuthorization())
    await expectUnknown(await fetch(freshUrl(lost), { headers }))
    expect((await lost.payments.status()).problems.join()).toContain('is on chain 1, not 84532')
  })

  test('is answered for by the next one in the list', async () => {
    proxy.breakWith(() => new Response('oops', { status: 500 }))
    await using covered = await openShop(`${proxy.url},${chain.url}`)
    const txHash = await chain.transfer(shopkeeper.address, price)
    expect(await verdictOf(await payWith(freshUrl(covered), txHash))).toBe('200')
  })

  test('lies: with a quorum of two nothing is believed that one says alone', async () => {
    const careful = await openShop(`${proxy.url},${chain.url}`, { env: { X402_RPC_QUORUM: '2' } })
    const small = await chain.transfer(shopkeeper.address, 1n)
    proxy.alter('eth_getTransactionReceipt', inflate)
    await expectUnknown(await payWith(freshUrl(careful), small))
    proxy.heal()
    const txHash = await chain.transfer(shopkeeper.address, price)
    expect(await verdictOf(await payWith(freshUrl(careful), txHash))).toBe('200')
    await careful.close()

    function inflate(receipt: { logs: { data: Hex }[] }) {
      return { ...receipt, logs: receipt.logs.map((log) => ({ ...log, data: `0x${'00'.repeat(31)}ff` })) }
    }
  })
})

describe('a receipt whose logs cannot be true', () => {
  type LogAnswer = Record<string, unknown>
  const lies: Readonly<Record<string, (log: LogAnswer) => readonly LogAnswer[]>> = {
    'names one log twice': (log) => [log, log],
    'has a log of another transaction': (log) => [{ ...log, transactionHash: `0x${'ab'.repeat(32)}` }],
    'has a log of another block': (log) => [{ ...log, blockHash: `0x${'ab'.repeat(32)}` }],
    'has a log that was removed': (log) => [{ ...log, removed: true }],
    'leaves a log out between two': (log) => [log, { ...log, logIndex: '0x7f' }],
    'has logs without numbers': ({ logIndex: _, ...log }) => [log],
  }
  for (const [name, lie] of Object.entries(lies)) {
    test(`${name}: 503, nothing is taken for it, and the truth is good later`, async () => {
      const txHash = await chain.transfer(shopkeeper.address, price / 2n)
      const full = await chain.transfer(shopkeeper.address, price)
      proxy.alter('eth_getTransactionReceipt', tell)
      await expectUnknown(await payWith(freshUrl(shop), txHash))
      await expectUnknown(await payWith(freshUrl(shop), full))
      proxy.heal()
      expect(await laterVerdictOf(() => payWith(freshUrl(shop), txHash))).toBe('402 payment_insufficient')
      expect(await laterVerdictOf(() => payWith(freshUrl(shop), full))).toBe('200')

      function tell(receipt: { logs: LogAnswer[] }) {
        return { ...receipt, logs: receipt.logs.flatMap((log) => lie(log)) }
      }
    })
  }

  slowTest('nodes that agree about the money may differ in whether they tell the time of a log', async () => {
    const both = await openShop(`${proxy.url},${chain.url}`, { env: { X402_RPC_QUORUM: '2' } })
    const txHash = await chain.transfer(shopkeeper.address, price)
    proxy.alter('eth_getTransactionReceipt', withoutTimes)
    expect(await verdictOf(await payWith(freshUrl(both), txHash))).toBe('200')
    await both.close()

    function withoutTimes(receipt: { logs: LogAnswer[] }) {
      return { ...receipt, logs: receipt.logs.map(({ blockTimestamp: _, ...log }) => log) }
    }
  })
})

describe('a settlement whose end is not seen', () => {
  test('is answered 503 when no block comes, and the same payment is good once one came', async () => {
    const before = await chain.balanceOf(shopkeeper.address)
    const headers = v1Header(await signAuthorization())
    const url = freshUrl(shop)
    await chain.client.setAutomine(false)
    for (let tries = 0; tries < 2; tries += 1)
      await expectUnknown(await shop.hurried(() => fetch(url, { headers })), 'settlement_pending')
    await chain.client.mine({ blocks: 1 })
    await chain.client.setAutomine(true)
    expect(await laterVerdictOf(() => fetch(url, { headers }))).toBe('200')
    expect((await chain.balanceOf(shopkeeper.address)) - before).toBe(price)
  })

  test('is found when the answer to its broadcast was lost', async () => {
    const before = await chain.balanceOf(shopkeeper.address)
    const headers = v1Header(await signAuthorization())
    const url = freshUrl(shop)
    proxy.breakWith(async (method, call) => {
      if (method !== 'eth_sendRawTransaction') return undefined
      await altered(chain.url, call, (result) => result)
      return new Response('oops', { status: 502 })
    })
    await expectUnknown(await fetch(url, { headers }))
    proxy.heal()
    expect(await laterVerdictOf(() => fetch(url, { headers }))).toBe('200')
    expect((await chain.balanceOf(shopkeeper.address)) - before).toBe(price)
  })

  test('that never reached the network is sent anew, and holds up nobody', async () => {
    const headers = v1Header(await signAuthorization())
    const url = freshUrl(shop)
    proxy.breakAt('eth_sendRawTransaction', () => new Response('oops', { status: 502 }))
    await expectUnknown(await fetch(url, { headers }))
    proxy.heal()
    expect(
      await verdictOf(await fetch(freshUrl(shop), { headers: v1Header(await signAuthorization()) })),
    ).toBe('200')
    expect(await laterVerdictOf(() => fetch(url, { headers }))).toBe('200')
  })

  test('cannot be sent by a settler without gas: 503, and the payment is good once there is some', async () => {
    const headers = v1Header(await signAuthorization())
    const url = freshUrl(shop)
    await chain.client.setBalance({ address: settler.address, value: 0n })
    await expectUnknown(await fetch(url, { headers }))
    await chain.client.setBalance({ address: settler.address, value: 10n ** 18n })
    expect(await laterVerdictOf(() => fetch(url, { headers }))).toBe('200')
  })

  test('with X402_SETTLE_WAIT=submitted the answer goes out at once and the settlement is looked after', async () => {
    await using quick = await openShop(chain.url, { env: { ...env, X402_SETTLE_WAIT: 'submitted' } })
    await chain.client.setAutomine(false)
    const headers = v1Header(await signAuthorization())
    expect(await verdictOf(await fetch(freshUrl(quick), { headers }))).toBe('200')
    expect(await quick.store.payments.open()).toHaveLength(1)
    await chain.client.mine({ blocks: 1 })
    await chain.client.setAutomine(true)
    await quick.payments.reconcile()
    expect(await quick.store.payments.open()).toHaveLength(0)
  })
})

describe('strangers at the door', () => {
  slowTest('300 unknown hashes at once cost at most three calls each and stall nobody', async () => {
    await using busy = await openShop(proxy.url)
    proxy.takeCalls()
    // From another process: the crowd must not use up what this one needs to answer it.
    const script = join(import.meta.dirname, 'support/children/flood.ts')
    const flood = Bun.spawn([process.execPath, script, busy.url, '300'], { stdout: 'pipe' })
    await Bun.sleep(100)
    const txHash = await chain.transfer(shopkeeper.address, price)
    const honest = await payWith(freshUrl(busy), txHash)
    expect(await verdictOf(honest)).toBe('200')
    const verdicts = JSON.parse(await new Response(flood.stdout).text()) as string[]
    expect(verdicts.filter((verdict) => verdict === '402 payment_not_found').length).toBe(300)
    expect(proxy.takeCalls().length).toBeLessThanOrEqual(900)
  })

  slowTest(
    'an address that asks about 600 in a minute has to wait, and what the ledger knows still answers',
    async () => {
      await using busy = await openShop(proxy.url, { clock: movableClock(Date.now()) })
      const txHash = await chain.transfer(shopkeeper.address, price)
      const url = freshUrl(busy)
      expect(await verdictOf(await payWith(url, txHash))).toBe('200')
      const script = join(import.meta.dirname, 'support/children/flood.ts')
      const flood = Bun.spawn([process.execPath, script, busy.url, '900'], { stdout: 'pipe' })
      const verdicts = JSON.parse(await new Response(flood.stdout).text()) as string[]
      expect(verdicts.filter((verdict) => verdict === '503 busy').length).toBeGreaterThan(100)
      expect(verdicts.filter((verdict) => verdict === '402 payment_not_found').length).toBeGreaterThan(500)
      const more = Array.from({ length: 100 }, (_, index) => `0x${String(index).padStart(64, '0')}`)
      const answers = await Promise.all(more.map((hash) => payWith(freshUrl(busy), hash)))
      const refused = answers.find(({ status }) => status === 503)
      expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0)
      expect(refused?.headers.get('x-payment-status')).toBe('not-charged')
      expect(await verdictOf(await payWith(url, txHash))).toBe('200')
    },
  )

  test('the same unknown hash again costs nothing for a while', async () => {
    const hash = `0x${'cd'.repeat(32)}`
    await withStoppedTime(async () => {
      await payWith(freshUrl(shop), hash)
      proxy.takeCalls()
      expect(await verdictOf(await payWith(freshUrl(shop), hash))).toBe('402 payment_not_found')
      expect(proxy.takeCalls()).toEqual([])
    })
  })

  test('a known hash costs no call at all', async () => {
    const txHash = await chain.transfer(shopkeeper.address, price)
    await payWith(freshUrl(shop), txHash)
    proxy.takeCalls()
    expect(await verdictOf(await payWith(freshUrl(shop), txHash))).toBe('402 payment_already_used')
    expect(proxy.takeCalls()).toEqual([])
  })

  test('a header of 100 KB is refused', async () => {
    const response = await fetch(freshUrl(shop), { headers: { 'x-payment': 'A'.repeat(100_000) } })
    expect([402, 431]).toContain(response.status)
  })
})
