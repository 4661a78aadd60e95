import { describe, expect, test } from 'bun:test'
import { OutcomeUnknown, refuse } from '../../src/payments/payment-reasons.ts'
import type { PaymentOutcome } from '../../src/payments/payments.ts'
import { createTemporaryAccess, embedded, noonMs, outcome, signed } from './temporary-access.ts'

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
    const access = await createTemporaryAccess({ payments })
    const url = `${await signed(await access.keys.create(), noonMs)}&demo=1`
    const outcomes = []
    for (let call = 0; call < 7; call += 1) outcomes.push(outcome(await access.call(url)))
    expect(outcomes).toEqual(['key', 'key', 'key', 'demo', 'demo', 'demo', 'payment'])
  })

  test('takes no money while anything free is left', async () => {
    const { payments } = paying()
    const access = await createTemporaryAccess({ payments })
    await access.call('/api/og?demo=1')
    await access.call(await signed(await access.keys.create(), noonMs))
    expect(payments.counts.asked).toBe(0)
  })

  test('goes on after a refused key', async () => {
    const access = await createTemporaryAccess()
    const pair = await access.keys.create()
    await access.keys.revoke(pair.key.id)
    expect(outcome(await access.call(`${await signed(pair, noonMs)}&demo=1`))).toBe('demo')
  })

  test('names why the first one was refused when nothing grants the call', async () => {
    const payments = fakePayments(refuse('payment_insufficient'))
    const access = await createTemporaryAccess({ payments, demoDailyQuota: 0 })
    const pair = await access.keys.create({ dailyQuota: 0 })
    const url = await signed(pair, noonMs)
    expect(outcome(await access.call(`${url}&demo=1`))).toBe('quota_exhausted')
    expect(outcome(await access.call('/api/og?demo=1'))).toBe('demo_quota_exhausted')
    expect(outcome(await access.call('/api/og'))).toBe('payment_insufficient')
    expect(await access.call(`${url}&demo=1`)).toMatchObject({
      refusals: [
        { code: 'quota_exhausted' },
        { code: 'demo_quota_exhausted' },
        { code: 'payment_insufficient' },
      ],
    })
  })

  test('asks for a payment when nothing was offered', async () => {
    expect(outcome(await (await createTemporaryAccess()).call('/api/og?title=Hello'))).toBe(
      'payment_required',
    )
    const access = await createTemporaryAccess({ payments: fakePayments({ kind: 'none' }) })
    expect(outcome(await access.call('/api/og?title=Hello'))).toBe('payment_required')
  })

  test('answers that a payment is in doubt even when a key was refused before it', async () => {
    const error = new OutcomeUnknown('payments_unavailable', 'The chain does not answer.', 5)
    const access = await createTemporaryAccess({
      payments: fakePayments({ kind: 'unknown', error }),
      demoDailyQuota: 0,
    })
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
    const access = await createTemporaryAccess({ payments: fakePayments({ kind: 'replayed', response }) })
    expect(await access.call('/api/og')).toEqual({ granted: false, error: 'replayed', response })
    expect(await access.usedInAll()).toBe(0)
  })
})

describe('a granted call', () => {
  test('says what is left of the quota and until when', async () => {
    const access = await createTemporaryAccess()
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
    const access = await createTemporaryAccess({ payments })
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
    const access = await createTemporaryAccess()
    const pair = await access.keys.create()
    const url = await signed(pair, noonMs)
    await access.call(url)
    const call = await access.call(url)
    if (!call.granted) throw new Error('The call was refused.')
    await Promise.all([call.refund(), call.refund()])
    await call.refund()
    expect(await access.used(`key:${pair.key.id}`)).toBe(1)
    expect(await access.usedInAll()).toBe(1)
  })

  test('that was paid makes the payment usable again when it is refunded', async () => {
    const { counts, payments } = paying()
    const access = await createTemporaryAccess({ payments })
    const call = await access.call('/api/og')
    if (!call.granted) throw new Error('The call was refused.')
    await call.refund()
    expect(counts.released).toBe(1)
    expect(await access.usedInAll()).toBe(0)
  })
})

describe('HEAD', () => {
  test('is decided like GET and counts nothing', async () => {
    const { payments } = paying()
    const access = await createTemporaryAccess({ payments })
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
    const access = await createTemporaryAccess({ demoDailyQuota: 0 })
    expect(outcome(await access.call('/api/og?demo=1', 'HEAD'))).toBe('demo_quota_exhausted')
  })
})

describe('a store that cannot count', () => {
  test('makes the service busy, and gives a payment back', async () => {
    const { counts, payments } = paying()
    const access = await createTemporaryAccess({ payments })
    await access.store.close()
    expect(await access.call('/api/og?demo=1')).toMatchObject({ granted: false, error: 'busy' })
    expect(await access.call('/api/og')).toMatchObject({ granted: false, error: 'busy' })
    expect(counts.released).toBe(1)
  })
})
