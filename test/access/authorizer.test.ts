import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import type { Authorization } from '../../src/access/authorization.ts'
import { OutcomeUnknown, refuse } from '../../src/payments/payment-reasons.ts'
import type { PaymentOutcome } from '../../src/payments/payments.ts'
import type { KeyRow } from '../../src/store/keys.ts'
import { MeterUnavailable } from '../../src/store/meter.ts'
import { openStore } from '../../src/store/open.ts'
import { StoreError } from '../../src/store/store-error.ts'
import { movableClock } from '../store/clock.ts'
import { temporaryDirectory } from '../store/temporary-directory.ts'
import { createAccess, embedded, noonMs, openAccess, outcome, requestOf, signed } from './temporary-access.ts'

/** Payments that answer what the test says, and count how often they were asked. */
function fakePayments(answer: PaymentOutcome) {
  const counts = { asked: 0, released: 0 }
  async function authorize() {
    counts.asked += 1
    return answer
  }
  return { counts, authorize }
}

function paying() {
  const counts = { released: 0 }
  const payment = {
    capture: async (response: Response) => response,
    release: async () => {
      counts.released += 1
    },
  }
  return { counts, payments: fakePayments({ kind: 'authorized', payment }) }
}

describe('the order of credentials', () => {
  test('is key, then demo, then payment', async () => {
    const { payments } = paying()
    const access = await openAccess({ payments })
    const url = `${await signed(await access.keys.create(), noonMs)}&demo=1`
    const outcomes = []
    for (let call = 0; call < 7; call += 1) outcomes.push(outcome(await access.call(url)))
    expect(outcomes).toEqual(['key', 'key', 'key', 'demo', 'demo', 'demo', 'payment'])
  })

  test('takes no money while anything free is left', async () => {
    const { payments } = paying()
    const access = await openAccess({ payments })
    await access.call('/api/og?demo=1')
    await access.call(await signed(await access.keys.create(), noonMs))
    expect(payments.counts.asked).toBe(0)
  })

  test('goes on after a refused key', async () => {
    const access = await openAccess()
    const pair = await access.keys.create()
    await access.keys.revoke(pair.key.id)
    expect(outcome(await access.call(`${await signed(pair, noonMs)}&demo=1`))).toBe('demo')
  })

  test('names why the first one was refused when nothing grants the call', async () => {
    const payments = fakePayments(refuse('payment_insufficient'))
    const access = await openAccess({ payments, demoDailyQuota: 0 })
    const pair = await access.keys.create({ dailyQuota: 0 })
    const url = await signed(pair, noonMs)
    expect(outcome(await access.call(`${url}&demo=1`))).toBe('quota_exhausted')
    expect(outcome(await access.call('/api/og?demo=1'))).toBe('demo_quota_exhausted')
    expect(outcome(await access.call('/api/og'))).toBe('payment_insufficient')
  })

  test('asks for a payment when nothing was offered', async () => {
    expect(outcome(await (await openAccess()).call('/api/og?title=Hello'))).toBe('payment_required')
    const access = await openAccess({ payments: fakePayments({ kind: 'none' }) })
    expect(outcome(await access.call('/api/og?title=Hello'))).toBe('payment_required')
  })

  test('answers that a payment is in doubt even when a key was refused before it', async () => {
    const error = new OutcomeUnknown('payments_unavailable', 'The chain does not answer.', 5)
    const access = await openAccess({ payments: fakePayments({ kind: 'unknown', error }), demoDailyQuota: 0 })
    expect(await access.call('/api/og?demo=1')).toEqual({
      granted: false,
      error: 'payments_unavailable',
      detail: 'The chain does not answer.',
      retryAfterSeconds: 5,
      headers: { 'x-payment-status': 'not-charged' },
    })
  })

  test('hands a lost paid answer out again', async () => {
    const response = new Response('the same bytes')
    const access = await openAccess({ payments: fakePayments({ kind: 'replayed', response }) })
    expect(await access.call('/api/og')).toEqual({ granted: false, error: 'replayed', response })
    expect(await access.usedInAll()).toBe(0)
  })
})

describe('a granted call', () => {
  test('says what is left of the quota and until when', async () => {
    const access = await openAccess()
    const resetsAtMs = Date.parse('2026-03-02T00:00:00Z')
    expect(await access.call('/api/og?demo=1')).toMatchObject({
      quota: { limit: 3, remaining: 2, resetsAtMs },
    })
    const pair = await access.keys.create({ dailyQuota: 10 })
    expect(await access.call(await signed(pair, noonMs))).toMatchObject({
      quota: { limit: 10, remaining: 9 },
    })
  })

  test('is counted in the statistics by the strategy that granted it', async () => {
    const { payments } = paying()
    const access = await openAccess({ payments })
    await access.call('/api/og?demo=1')
    await access.call(await signed(await access.keys.create(), noonMs))
    await access.call('/api/og')
    const rows = (await access.store.traffic.between(0, 1e6)).map(({ endpoint, auth, count }) => ({
      endpoint,
      auth,
      count,
    }))
    expect(rows).toEqual(['demo', 'key', 'payment'].map((auth) => ({ endpoint: 'og', auth, count: 1 })))
  })

  test('is refunded once, however often that is asked for', async () => {
    const access = await openAccess()
    const pair = await access.keys.create()
    const url = await signed(pair, noonMs)
    await access.call(url)
    const call = await access.call(url)
    if (!call.granted) throw new Error('The call was refused.')
    await Promise.all([call.refund(), call.refund()])
    await call.refund()
    expect([await access.used(`key:${pair.key.id}`), await access.usedInAll()]).toEqual([1, 1])
  })

  test('that was paid makes the payment usable again when it is refunded', async () => {
    const { counts, payments } = paying()
    const access = await openAccess({ payments })
    const call = await access.call('/api/og')
    if (!call.granted) throw new Error('The call was refused.')
    await call.refund()
    expect([counts.released, await access.usedInAll()]).toEqual([1, 0])
  })
})

describe('HEAD', () => {
  test('is decided like GET and counts nothing', async () => {
    const { payments } = paying()
    const access = await openAccess({ payments })
    const pair = await access.keys.create()
    for (let call = 0; call < 5; call += 1) {
      expect(outcome(await access.call('/api/og?demo=1', 'HEAD'))).toBe('demo')
      expect(outcome(await access.call(await signed(pair, noonMs), 'HEAD'))).toBe('key')
      expect(outcome(await access.call(await embedded(pair), 'HEAD'))).toBe('key')
    }
    expect(
      (await access.used('demo')) + (await access.used(`key:${pair.key.id}`)) + (await access.usedInAll()),
    ).toBe(0)
    expect(outcome(await access.call('/api/og', 'HEAD'))).toBe('payment_required')
    expect(payments.counts.asked).toBe(0)
  })

  test('says that the quota is used up when it is', async () => {
    const access = await openAccess({ demoDailyQuota: 0 })
    expect(outcome(await access.call('/api/og?demo=1', 'HEAD'))).toBe('demo_quota_exhausted')
  })
})

describe('a store that cannot count', () => {
  test('makes the service busy, and gives a payment back', async () => {
    const { counts, payments } = paying()
    const access = await openAccess({ payments })
    await access.store.close()
    expect(await access.call('/api/og?demo=1')).toMatchObject({ granted: false, error: 'busy' })
    expect(await access.call('/api/og')).toMatchObject({ granted: false, error: 'busy' })
    expect(counts.released).toBe(1)
  })
})

const directory = temporaryDirectory()
const dayMs = 86_400_000

/** Access to a database whose readings of keys are counted, and that can be away. */
async function open(path = ':memory:') {
  const clock = movableClock(noonMs)
  const opened = openStore({ path, clock })
  const state = { reads: 0, isAway: false, ageMs: 0 }
  const store = {
    ...opened,
    keys: {
      ...opened.keys,
      read(id: string) {
        state.reads += 1
        if (state.isAway) throw new StoreError('failing', 'The database is away.')
        return opened.keys.read(id)
      },
    },
    changes: { ...opened.changes, ageMs: () => state.ageMs },
    meter: {
      ...opened.meter,
      reserve: (request: Parameters<typeof opened.meter.reserve>[0]) =>
        state.isAway
          ? Promise.reject(new MeterUnavailable('The database is away.'))
          : opened.meter.reserve(request),
    },
  }
  const access = createAccess({ store, clock })
  /** Repeats the call as a caller who already has the answer. */
  async function again(url: string, onlyKeyIds?: ReadonlySet<string>): Promise<Authorization> {
    return access.authorizer.authorize({ ...requestOf(url), isRevalidation: true, onlyKeyIds })
  }
  /** Asks for a page of a site by its public id; as a caller who already has the answer if it is a copy. */
  async function page({ siteId, id: keyId }: KeyRow, isRevalidation = true): Promise<Authorization> {
    const site = { siteId: siteId ?? '', keyId, page: 'example.com/', comesFirst: async () => false }
    return access.authorizer.authorize({ ...requestOf('/api/og?site=1'), site, isRevalidation })
  }
  return { ...access, store, state, again, page }
}

type Access = Awaited<ReturnType<typeof open>>
type Pair = Awaited<ReturnType<Access['keys']['create']>>

const forms = [
  ['t', (pair: Pair, nowMs: number) => signed(pair, nowMs)],
  ['exp', (pair: Pair) => embedded(pair, { title: 'Hello' }, noonMs + dayMs)],
] as const

/** Ways in which the right to a picture may be lost after it was granted, and the refusal that follows. */
const losses: readonly (readonly [
  name: string,
  refusal: string,
  lose: (access: Access, pair: Pair) => unknown,
])[] = [
  ['the key was revoked', 'invalid_key', ({ keys }, { key }) => keys.revoke(key.id)],
  ['its secret was rotated', 'invalid_signature', ({ keys }, { key }) => keys.rotate(key.id, 0)],
  [
    'the overlap of two secrets has ended',
    'invalid_signature',
    async ({ keys, clock }, { key }) => {
      await keys.rotate(key.id, 1_000)
      clock.nowMs += 1_001
    },
  ],
  [
    'its time is over',
    'stale_signature',
    ({ clock }) => {
      clock.nowMs += dayMs + 1_000
    },
  ],
]

describe.each(forms)('a call signed with %s, by somebody who has the answer', (_, sign) => {
  test('is granted without a count, also when the quota is used up', async () => {
    const access = await open()
    const pair = await access.keys.create({ dailyQuota: 1 })
    const url = await sign(pair, noonMs)
    for (let time = 0; time < 3; time += 1) expect(outcome(await access.again(url))).toBe('key')
    expect([await access.used(`key:${pair.key.id}`), await access.usedInAll()]).toEqual([0, 0])
    expect(outcome(await access.call(url))).toBe('key')
    expect(outcome(await access.call(await sign(pair, noonMs + 1_000)))).toMatch(/^key$|quota_exhausted/)
    expect(outcome(await access.again(url))).toBe('key')
  })

  test.each(losses)('is refused as the call itself is when %s', async (_name, refusal, lose) => {
    const access = await open()
    const pair = await access.keys.create()
    const url = await sign(pair, noonMs)
    await access.store.changes.check()
    expect(outcome(await access.again(url))).toBe('key')
    await lose(access, pair)
    expect(outcome(await access.again(url))).toBe(refusal)
    expect(outcome(await access.call(url))).toBe(refusal)
  })

  test('is refused with a forged signature, for a key that exists and for one that does not', async () => {
    const access = await open()
    const pair = await access.keys.create()
    await access.again(await sign(pair, noonMs))
    const forged = await sign({ ...pair, secret: '0'.repeat(64) }, noonMs)
    const unknown = await sign({ ...pair, key: { ...pair.key, id: 'mk_2222222222222222' } }, noonMs)
    expect(outcome(await access.again(forged))).toBe('invalid_signature')
    expect(outcome(await access.again(unknown))).toBe('invalid_key')
    // Everybody may have what the demo may have.
    if (forged.includes('&t=')) expect(outcome(await access.again(`${forged}&demo=1`))).toBe('demo')
  })

  test('of what is for chosen keys, needs the signature of one of them', async () => {
    const access = await open()
    const [chosen, other] = [await access.keys.create(), await access.keys.create()]
    const ids = new Set([chosen.key.id])
    expect(outcome(await access.again(await sign(chosen, noonMs), ids))).toBe('key')
    expect(outcome(await access.again(await sign(other, noonMs), ids))).toBe('brand_not_allowed')
    const forged = await sign({ ...chosen, secret: other.secret }, noonMs)
    expect(outcome(await access.again(forged, ids))).toBe('invalid_signature')
    if (forged.includes('&t='))
      expect(outcome(await access.again(`${forged}&demo=1`, ids))).toBe('invalid_signature')
    expect(outcome(await access.again('/api/og?title=Hello&demo=1', ids))).toBe('brand_not_allowed')
    expect(outcome(await access.again('/api/og?title=Hello', ids))).toBe('brand_not_allowed')
  })

  test('reads the key once, and again only when a key has changed', async () => {
    const access = await open()
    const pair = await access.keys.create()
    const url = await sign(pair, noonMs)
    await access.store.changes.check()
    await Promise.all(Array.from({ length: 20 }, () => access.again(url)))
    expect(access.state.reads).toBe(1)
    await access.keys.create()
    await access.keys.revoke((await access.keys.create()).key.id)
    await Promise.all(Array.from({ length: 20 }, () => access.again(url)))
    expect(access.state.reads).toBe(2)
  })

  test('is granted from memory for five minutes while the database is away', async () => {
    const access = await open()
    const pair = await access.keys.create()
    const url = await sign(pair, noonMs)
    await access.store.changes.check()
    await access.again(url)
    access.state.isAway = true
    access.state.ageMs = 200_000
    expect(outcome(await access.again(url))).toBe('key')
    access.state.ageMs = 300_001
    await expect(access.again(url)).rejects.toThrow('away')
  })
})

test('a copy that a site id granted is confirmed for five minutes while the database is away', async () => {
  const { keys, page, state, store } = await open()
  const { key } = await keys.create({ hosts: ['example.com'] })
  await store.changes.check()
  expect(outcome(await page(key, false))).toBe('key')
  state.isAway = true
  state.ageMs = 200_000
  expect([outcome(await page(key)), outcome(await page(key, false))]).toEqual(['key', 'key'])
  state.ageMs = 300_001
  await expect(page(key)).rejects.toThrow('away')
})

test('a copy that a site id granted is confirmed no more once the key is revoked', async () => {
  const { keys, page } = await open()
  const { key } = await keys.create({ hosts: ['example.com'] })
  const expected = ['key', 'invalid_key']
  expect([outcome(await page(key)), outcome(await page({ ...key, siteId: 'ms_other' }))]).toEqual(expected)
  await keys.revoke(key.id)
  expect(outcome(await page(key))).toBe('invalid_key')
})

test('a change by another process holds at the next look for changes', async () => {
  const path = join(directory, 'shared.sqlite')
  const [here, there] = [await open(path), await open(path)]
  const pair = await here.keys.create()
  const url = await embedded(pair)
  await here.store.changes.check()
  expect(outcome(await here.again(url))).toBe('key')
  await there.keys.revoke(pair.key.id)
  await here.store.changes.check()
  expect(outcome(await here.again(url))).toBe('invalid_key')
})

test('a grant says for how long it lasts, where an end is signed', async () => {
  const { keys, again, call, clock } = await open()
  const pair = await keys.create()
  const url = await embedded(pair, { title: 'Hello' }, noonMs + 60_000)
  clock.nowMs += 500
  for (const grant of [await again(url), await call(url), await call(url)])
    expect(grant).toMatchObject({ granted: true, secondsLeft: 59.5 })
  const timestamped = await again(await signed(pair, noonMs))
  expect(timestamped.granted && timestamped.secondsLeft).toBeUndefined()
})
