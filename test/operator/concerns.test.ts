import { afterEach, expect, test } from 'bun:test'
import { dayMs, utcDay } from '../../src/lib/clock.ts'
import { createConcerns, type PaymentsReport } from '../../src/operator/concerns.ts'
import { readSharedAddress, watchSharedAddress } from '../../src/operator/shared-address.ts'
import { openStore, type Store } from '../../src/store/open.ts'
import { movableClock } from '../store/clock.ts'
import { temporaryDirectory } from '../store/temporary-directory.ts'
import { openTestStore } from '../support/test-store.ts'

const opened: Store[] = []
afterEach(async () => {
  for (const store of opened.splice(0)) await store.close()
})

interface Situation {
  readonly report?: PaymentsReport
  readonly freeBytes?: number
  readonly isForAlerts?: boolean
}

/** A store with the source of concerns over it; the clock stands at noon of today. */
async function watched({ report, freeBytes = 1e12, ...limits }: Situation = {}) {
  const directory = temporaryDirectory()
  const clock = movableClock((utcDay(Date.now()) + 0.5) * dayMs)
  const store = await openTestStore({ path: `${directory}/mintmark.sqlite`, clock })
  opened.push(store)
  const concerns = createConcerns({
    store,
    clock,
    config: { DATA_DIR: directory, DATABASE_URL: undefined, KEY_DAILY_QUOTA: 100 },
    paymentsMonitor: { latest: async () => report },
    readFreeBytes: async () => freeBytes,
    ...limits,
  })
  return { store, clock, read: concerns.read }
}

async function addKey(store: Store, id: string, used: number, more: object = {}): Promise<void> {
  const nowMs = (utcDay(Date.now()) + 0.5) * dayMs
  await store.keys.insert({ id, name: `${id}.example`, createdAtMs: nowMs, ...more })
  await store.usage.set(utcDay(nowMs), `key:${id}`, used)
}

test('nothing needs anybody in a store that is well', async () => {
  const { store, read } = await watched()
  await addKey(store, 'mk_quiet', 79)
  expect(await read()).toEqual([])
})

test('keys at 80 and at 100 percent of their quota are told, whatever quota they have, and no others', async () => {
  const { store, clock, read } = await watched()
  await addKey(store, 'mk_near', 80)
  await addKey(store, 'mk_full', 100)
  await addKey(store, 'mk_small', 4, { dailyQuota: 5 })
  await addKey(store, 'mk_large', 100, { dailyQuota: 1000 })
  await addKey(store, 'mk_closed', 1, { dailyQuota: 0 })
  await addKey(store, 'mk_free', 100)
  await store.keys.update('mk_free', { unlimitedUntilMs: clock.now() + dayMs })
  await addKey(store, 'mk_revoked', 100)
  await store.keys.update('mk_revoked', { revokedAtMs: clock.now() })
  await addKey(store, 'mk_ended', 100, { expiresAtMs: clock.now() - 1 })
  const found = await read()
  expect(found.map(({ kind, level, subject, path }) => [kind, level, subject, path])).toEqual([
    ['key_quota', 'now', 'mk_full.example', '/admin/keys/mk_full'],
    ['key_quota', 'soon', 'mk_near.example', '/admin/keys/mk_near'],
    ['key_quota', 'soon', 'mk_small.example', '/admin/keys/mk_small'],
  ])
  expect(found[0]?.text).toBe('mk_full.example has used up its 100 calls of today.')
  expect(found[2]?.values).toMatchObject({ key: 'mk_small', used: 4, limit: 5, percent: 80 })
})

test('a page shows a hundred keys past their quota, and alerts are told of more', async () => {
  for (const [limits, count] of [
    [{}, 100],
    [{ isForAlerts: true }, 130],
  ] as const) {
    const { store, read } = await watched(limits)
    for (let index = 0; index < 130; index += 1) await addKey(store, `mk_${index}`, 100)
    expect(await read()).toHaveLength(count)
  }
})

test('keys that nobody named or paid for are one line of today, and one alert from 00:05 UTC of the next day on', async () => {
  const page = await watched()
  const alerts = await watched({ isForAlerts: true })
  const today = utcDay(page.clock.now())
  for (const { store, clock } of [page, alerts]) {
    for (let index = 0; index < 30; index += 1) await addKey(store, `mk_public${index}`, 100, { name: '' })
    await addKey(store, 'mk_near', 99, { name: '' })
    await addKey(store, 'mk_ending', 0, { name: '', expiresAtMs: clock.now() + dayMs })
    await addKey(store, 'mk_revoked', 100, { name: '' })
    await store.keys.update('mk_revoked', { revokedAtMs: clock.now() })
    await addKey(store, 'mk_limited', 5, { name: '', dailyQuota: 5 })
    await addKey(store, 'mk_paid', 100, { name: '' })
    await store.keys.update('mk_paid', { unlimitedUntilMs: clock.now() - 1 })
    await addKey(store, 'mk_named', 100)
  }
  const known = ['mk_paid', 'mk_named.example', 'mk_limited'].map((subject) => ({
    kind: 'key_quota',
    subject,
  }))
  const count = { level: 'soon', kind: 'public_keys', values: { keys: 30, limit: 100 } }
  expect(await page.read()).toMatchObject([
    ...known,
    { ...count, text: '30 keys that nobody named or paid for used up their 100 calls of today.' },
  ])
  expect(await alerts.read()).toMatchObject(known)
  alerts.clock.nowMs = (today + 1) * dayMs + 299_999
  expect(await alerts.read()).toEqual([])
  const digests = []
  for (const ms of [300_000, dayMs - 1]) {
    alerts.clock.nowMs = (today + 1) * dayMs + ms
    digests.push(...(await alerts.read()))
  }
  const day = new Date(today * dayMs).toISOString().slice(0, 10)
  expect(digests).toMatchObject([
    { ...count, text: `30 keys that nobody named or paid for used up their 100 calls of ${day}.` },
    { id: digests[0]?.id },
  ])
  alerts.clock.nowMs = (today + 2) * dayMs + 300_000
  expect(await alerts.read()).toEqual([])
})

test('one key has one event for each threshold and day', async () => {
  const { store, clock, read } = await watched()
  const today = utcDay(clock.now())
  const ids: (string | undefined)[] = []
  for (const [day, used] of [
    [today, 80],
    [today, 99],
    [today, 100],
    [today + 1, 80],
  ] as const) {
    await (ids.length === 0 ? addKey(store, 'mk_busy', used) : store.usage.set(day, 'key:mk_busy', used))
    clock.nowMs = (day + 0.5) * dayMs
    ids.push((await read())[0]?.id)
  }
  expect(ids[1]).toBe(ids[0])
  expect(new Set(ids).size).toBe(3)
})

test('a key that ends within two weeks is told, until it has ended', async () => {
  const { store, clock, read } = await watched()
  await addKey(store, 'mk_ending', 0, { expiresAtMs: clock.now() + 15 * dayMs })
  expect(await read()).toEqual([])
  clock.nowMs += 2 * dayMs
  expect(await read()).toMatchObject([{ kind: 'key_end', level: 'soon', path: '/admin/keys/mk_ending' }])
  clock.nowMs += 14 * dayMs
  expect(await read()).toEqual([])
})

test('a payment is in doubt when it stays open, or when it vanished from the chain', async () => {
  const { store, clock, read } = await watched()
  const { payments } = store
  const payment = {
    via: 'x402-v2',
    chainId: 84532,
    asset: '0xa',
    payTo: '0xb',
    payer: '0xc',
    amountMicros: 10_000,
    createdAtMs: clock.now(),
    updatedAtMs: clock.now(),
  }
  await store.transaction(() =>
    payments.insertAuthorization({
      ...payment,
      id: 'pay_open',
      method: 'authorization',
      nonce: '0x1',
      state: 'reserved',
      txHash: null,
    }),
  )
  const details = { from: ['reserved'], to: 'submitted', nowMs: clock.now() } as const
  await payments.transition('pay_open', details)
  await store.transaction(() =>
    payments.insertTransfer(
      { ...payment, id: 'pay_gone', method: 'transfer', state: 'settled', txHash: '0xf00d' },
      [],
    ),
  )
  expect(await read()).toEqual([])
  clock.nowMs += 11 * 60_000
  const expected = [['payment_in_doubt:pay_open:submitted', '/admin/payments/pay_open']]
  expect((await read()).map(({ id, path }) => [id, path])).toEqual(expected)
  await payments.transition('pay_gone', { from: ['settled'], to: 'reorged', nowMs: clock.now() })
  expect((await read()).map(({ path }) => path)).toEqual([
    '/admin/payments/0xf00d',
    '/admin/payments/pay_open',
  ])
})

test('a disk that fills is told before it is full, and again when it is', async () => {
  const low = await watched({ freeBytes: 9e8 })
  const full = await watched({ freeBytes: 1e6 })
  const found = [...(await low.read()), ...(await full.read())]
  const expected = [
    { kind: 'disk', level: 'soon', path: '/admin/settings' },
    { kind: 'disk', level: 'now' },
  ]
  expect(found).toMatchObject(expected)
  expect(found[0]?.id).not.toBe(found[1]?.id)
})

test('a settler low on gas is told once, with what else limits payments', async () => {
  const address = '0x00000000000000000000000000000000000000aa'
  const report = { settle: 'self', takesExact: false, settlerAddress: address, checkedAtMs: 0 } as const
  const soon = await watched({ report: { ...report, problems: [], settlerGasWei: 10n ** 13n } })
  expect(await soon.read()).toMatchObject([{ kind: 'settler_gas', level: 'soon', subject: address }])
  const problems = [`The settler ${address} holds too little for gas: 0 wei.`, 'The chain does not answer.']
  const now = await watched({ report: { ...report, problems, settlerGasWei: 0n } })
  expect(await now.read()).toMatchObject([
    { kind: 'payments_limited', text: 'The chain does not answer.' },
    { kind: 'settler_gas', level: 'now', values: { balance_wei: '0' } },
  ])
})

test('what servers saw of a proxy that is not named is in the log and in the database, until callers are told apart', async () => {
  const clock = { nowMs: 1_000 * dayMs, now: () => clock.nowMs }
  const store = openStore({ path: ':memory:', clock })
  const lines: string[] = []
  const log = { warn: (line: string) => void lines.push(line) }
  const watch = watchSharedAddress({ config: { TRUSTED_PROXIES: [] }, store, clock, log })
  const read = async () => {
    await store.deferred.flush()
    return readSharedAddress(store.keyValues, clock.now())
  }
  expect(await read()).toBeUndefined()
  for (let call = 0; call < 50; call += 1) watch.note('172.18.0.1')
  expect([await read(), lines]).toEqual(['172.18.0.1', [expect.stringContaining('TRUSTED_PROXIES')]])
  clock.nowMs += 2 * dayMs
  expect(await read()).toBeUndefined()
  watch.note('172.18.0.1')
  expect(await read()).toBe('172.18.0.1')
  watch.note('203.0.113.7')
  expect(await read()).toBeUndefined()
  await store.close()
})
