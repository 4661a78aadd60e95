import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { createKeyIssuer } from '../../src/access/keys.ts'
import { utcDay } from '../../src/lib/clock.ts'
import { MeterUnavailable } from '../../src/store/meter.ts'
import { openSqlite } from '../../src/store/sqlite.ts'
import { movableClock } from '../store/clock.ts'
import { temporaryDirectory } from '../store/temporary-directory.ts'
import { isOnPostgres, openTestStore } from '../support/test-store.ts'
import { openAccess } from './temporary-access.ts'

const directory = temporaryDirectory()
const noon = Date.parse('2026-03-01T12:00:00Z')
let databases = 0

async function open(nowMs = noon) {
  const clock = movableClock(nowMs)
  databases += 1
  const path = join(directory, `${databases}.db`)
  const store = await openTestStore({ path, clock })
  return { clock, store, meter: store.meter, path }
}

describe('the limit', () => {
  test('is reached exactly, however many calls come at once', async () => {
    const { meter, store, clock } = await open()
    const reservations = await Promise.all(
      Array.from({ length: 500 }, () => meter.reserve({ bucket: 'demo', limit: 100 })),
    )
    expect(reservations.filter((reservation) => reservation.granted)).toHaveLength(100)
    expect(await store.usage.used(utcDay(clock.now()), 'demo')).toBe(100)
  })

  test('counts what is left in the order of the calls', async () => {
    const { meter } = await open()
    const reservations = await Promise.all(
      Array.from({ length: 4 }, () => meter.reserve({ bucket: 'demo', limit: 3 })),
    )
    expect(
      reservations.map((reservation) => [reservation.granted, reservation.used, reservation.remaining]),
    ).toEqual([
      [true, 1, 2],
      [true, 2, 1],
      [true, 3, 0],
      [false, 3, 0],
    ])
  })

  test('is kept by a call that counts several at once: all of them or none', async () => {
    const { meter } = await open()
    const reservations = []
    for (const n of [2, 2, 1, 1]) reservations.push(await meter.reserve({ bucket: 'demo', limit: 3, n }))
    expect(reservations.map((reservation) => reservation.granted)).toEqual([true, false, true, false])
  })

  test('that is lowered under what is used leaves nothing, and never less than nothing', async () => {
    const { meter } = await open()
    await meter.reserve({ bucket: 'key:a', limit: 10, n: 8 })
    expect(await meter.reserve({ bucket: 'key:a', limit: 5 })).toMatchObject({
      granted: false,
      used: 8,
      remaining: 0,
    })
  })

  test('of null counts and never refuses', async () => {
    const { meter } = await open()
    await meter.reserve({ bucket: 'key:a', limit: null, n: 1_000_000 })
    expect(await meter.reserve({ bucket: 'key:a', limit: null })).toMatchObject({
      granted: true,
      used: 1_000_001,
      limit: null,
      remaining: null,
    })
  })

  test('of one bucket says nothing about another', async () => {
    const { meter } = await open()
    const [a, b] = await Promise.all([
      meter.reserve({ bucket: 'a', limit: 1, n: 1 }),
      meter.reserve({ bucket: 'b', limit: 1, n: 1 }),
    ])
    expect([a.granted, b.granted]).toEqual([true, true])
  })

  test('can be asked about without counting', async () => {
    const { meter, store } = await open()
    expect(
      await meter.reserve({ bucket: 'demo', limit: 1, n: 0, endpoint: 'og', auth: 'demo' }),
    ).toMatchObject({ granted: true, counted: 0, remaining: 1 })
    await meter.reserve({ bucket: 'demo', limit: 1 })
    expect(await meter.reserve({ bucket: 'demo', limit: 1, n: 0 })).toMatchObject({ granted: false, used: 1 })
    expect(await store.traffic.totals()).toEqual([])
  })
})

describe('the day', () => {
  test('changes at 00:00 UTC in the middle of a burst', async () => {
    const lastMs = Date.parse('2026-03-01T23:59:59.999Z')
    const { meter, clock, store } = await open(lastMs)
    const before = await Promise.all(
      Array.from({ length: 20 }, () => meter.reserve({ bucket: 'demo', limit: 10 })),
    )
    clock.nowMs += 1
    const after = await Promise.all(
      Array.from({ length: 20 }, () => meter.reserve({ bucket: 'demo', limit: 10 })),
    )
    expect(before.filter((reservation) => reservation.granted)).toHaveLength(10)
    expect(after.filter((reservation) => reservation.granted)).toHaveLength(10)
    expect(before[0]?.resetsAtMs).toBe(Date.parse('2026-03-02T00:00:00Z'))
    expect(after[0]?.resetsAtMs).toBe(Date.parse('2026-03-03T00:00:00Z'))
    for (const day of [utcDay(lastMs), utcDay(clock.now())])
      expect(await store.usage.used(day, 'demo')).toBe(10)
  })

  test('is that of the moment when a call is stored, not of the moment when it came', async () => {
    const { meter, clock } = await open(Date.parse('2026-03-01T23:59:59.999Z'))
    const reservation = meter.reserve({ bucket: 'demo', limit: 10 })
    clock.nowMs += 1
    expect((await reservation).day).toBe(utcDay(clock.now()))
  })
})

describe('releasing a reservation', () => {
  test('makes room for one more, and takes the call out of the statistics', async () => {
    const { meter, store } = await open()
    const request = { bucket: 'demo', limit: 1, endpoint: 'og', auth: 'demo' }
    const reservation = await meter.reserve(request)
    await meter.release(reservation)
    expect(await store.traffic.totals()).toEqual([{ endpoint: 'og', count: 0 }])
    expect((await meter.reserve(request)).granted).toBe(true)
    expect((await meter.reserve(request)).granted).toBe(false)
  })

  test('changes the day that it counted on', async () => {
    const { meter, clock, store } = await open()
    const reservation = await meter.reserve({ bucket: 'demo', limit: 5 })
    clock.nowMs += 86_400_000
    await meter.reserve({ bucket: 'demo', limit: 5 })
    await meter.release(reservation)
    expect(await store.usage.used(reservation.day, 'demo')).toBe(0)
    expect(await store.usage.used(reservation.day + 1, 'demo')).toBe(1)
  })

  test('never leaves less than nothing', async () => {
    const { meter, store } = await open()
    const reservation = await meter.reserve({ bucket: 'demo', limit: 5, n: 2 })
    await Promise.all([meter.release(reservation), meter.release(reservation)])
    expect(await store.usage.used(reservation.day, 'demo')).toBe(0)
  })

  test('of a refused call does nothing', async () => {
    const { meter, store } = await open()
    await meter.reserve({ bucket: 'demo', limit: 1 })
    const refused = await meter.reserve({ bucket: 'demo', limit: 1 })
    await meter.release(refused)
    expect(await store.usage.used(refused.day, 'demo')).toBe(1)
  })
})

describe('a call with a deduplication key', () => {
  const view = { bucket: 'key:a', limit: 2, dedupKey: 'card', endpoint: 'og', auth: 'key' }

  test('is free after its first time, even when the quota is used up', async () => {
    const { meter } = await open()
    const views = await Promise.all([1, 2, 3].map(() => meter.reserve(view)))
    expect(views.map((reservation) => reservation.counted)).toEqual([1, 0, 0])
    await meter.reserve({ ...view, dedupKey: 'other' })
    expect(await meter.reserve({ ...view, dedupKey: 'third' })).toMatchObject({ granted: false })
    expect(await meter.reserve(view)).toMatchObject({ granted: true, counted: 0, remaining: 0 })
  })

  test('counts again on the next day', async () => {
    const { meter, clock } = await open()
    await meter.reserve(view)
    clock.nowMs += 86_400_000
    expect(await meter.reserve(view)).toMatchObject({ granted: true, counted: 1, used: 1 })
  })

  test('counts for each bucket on its own', async () => {
    const { meter } = await open()
    await meter.reserve(view)
    expect(await meter.reserve({ ...view, bucket: 'key:b' })).toMatchObject({ counted: 1 })
  })

  test('counts again after its reservation was released', async () => {
    const { meter } = await open()
    await meter.release(await meter.reserve(view))
    expect(await meter.reserve(view)).toMatchObject({ counted: 1, used: 1 })
  })
})

describe('statistics', () => {
  test('of granted calls are stored together with the count', async () => {
    const { meter, store, clock } = await open()
    const calls = [1, 2, 3].map(() =>
      meter.reserve({ bucket: 'demo', limit: 2, endpoint: 'og', auth: 'demo' }),
    )
    await Promise.all([
      ...calls,
      meter.reserve({ bucket: 'payment', limit: null, endpoint: 'badge', auth: 'payment' }),
    ])
    const day = utcDay(clock.now())
    expect(await store.traffic.between(day, day)).toEqual([
      { day, endpoint: 'badge', auth: 'payment', status: '2xx', count: 1 },
      { day, endpoint: 'og', auth: 'demo', status: '2xx', count: 2 },
    ])
  })
})

describe('a store that fails', () => {
  // Over PostgreSQL there is no file to put a fault into: test/store/postgres/faults.test.ts has its own.
  test.skipIf(isOnPostgres)(
    'refuses the whole batch with an error of its own, and counts nothing',
    async () => {
      const { store, clock, meter, path } = await open()
      const sqlite = openSqlite(path)
      sqlite.exec(
        `create trigger full before insert on usage_days when new.bucket = 'b'
       begin select raise(abort, 'database or disk is full'); end`,
      )
      const answers = await Promise.allSettled(
        ['a', 'b'].map((bucket) => meter.reserve({ bucket, limit: 5 })),
      )
      for (const answer of answers) {
        expect(answer.status === 'rejected' && answer.reason).toBeInstanceOf(MeterUnavailable)
      }
      expect(await store.usage.used(utcDay(clock.now()), 'a')).toBe(0)
      sqlite.exec('drop trigger full')
      sqlite.close()
      expect((await meter.reserve({ bucket: 'a', limit: 5 })).used).toBe(1)
    },
  )

  test('is reported when it was closed', async () => {
    const { store, meter } = await open()
    await store.close()
    await expect(meter.reserve({ bucket: 'a', limit: 5 })).rejects.toBeInstanceOf(MeterUnavailable)
    expect(store.check()).toMatchObject({ ok: false })
  })
})

const twoADay = { KEYS_PER_IP_PER_DAY: 2 }

async function start() {
  const access = await openAccess()
  const issuer = createKeyIssuer(access.keys, access.meter, twoADay)
  async function issued(address: string) {
    return (await issuer.issue(address)).issued
  }
  return { access, issuer, issued }
}

describe('issuing keys', () => {
  test('gives each client address a few a day', async () => {
    const { access, issuer, issued } = await start()
    expect([await issued('192.0.2.1'), await issued('192.0.2.1'), await issued('192.0.2.1')]).toEqual([
      true,
      true,
      false,
    ])
    expect(await issued('192.0.2.2')).toBe(true)
    const resetsAtMs = Date.parse('2026-03-02T00:00:00Z')
    expect(await issuer.issue('192.0.2.1')).toEqual({ issued: false, resetsAtMs })
    access.clock.nowMs = resetsAtMs
    expect([await issued('192.0.2.1'), await access.store.keys.issued()]).toEqual([true, 4])
  })

  test('takes a /64 of IPv6 for one client, and IPv4 inside IPv6 for IPv4', async () => {
    const { issued } = await start()
    await Promise.all([issued('2001:db8:0:1::1'), issued('2001:db8::1:a:b:c:d')])
    expect([await issued('2001:0DB8:0:1:ffff::'), await issued('2001:db8:0:2::1')]).toEqual([false, true])
    await Promise.all([issued('192.0.2.1'), issued('::ffff:192.0.2.1')])
    expect(await issued('192.0.2.1')).toBe(false)
  })

  test('gives four clients’ keys to a /56 and sixteen to a /48, and counts nothing for a call that is refused', async () => {
    const { access, issued } = await start()
    const counts = new Map<string, number>()
    for (let subnet = 0; subnet < 0x800; subnet += 0x10) {
      const block = `2001:db8:5:${(subnet & 0xff00).toString(16)}/56`
      const keys = [await issued(`2001:db8:5:${subnet.toString(16)}::1`)].filter(Boolean)
      counts.set(block, (counts.get(block) ?? 0) + keys.length)
    }
    expect([...counts.values()]).toEqual([8, 8, 8, 8, 0, 0, 0, 0])
    for (const [block, count] of counts) expect(await access.used(`ip:${block}:keys`)).toBe(count)
    expect(await access.used('ip:2001:db8:5/48:keys')).toBe(32)
    expect([await access.used('ip:2001:db8:5:700:keys'), await access.store.keys.issued()]).toEqual([0, 32])
    expect(await issued('2001:db8:6:1::1')).toBe(true)
  })

  test('keeps the counts of an earlier version, which knew the /64 alone', async () => {
    const { access, issued } = await start()
    await access.store.usage.set(utcDay(access.clock.now()), 'ip:2001:db8:0:1:keys', 2)
    expect([await issued('2001:db8:0:1::1'), await issued('2001:db8:0:2::1')]).toEqual([false, true])
  })

  test('is bounded over two servers that one subscriber asks at once, and gives as many keys as were counted', async () => {
    const path = join(temporaryDirectory(), 'shared.sqlite')
    const servers = await Promise.all([1, 2].map(() => openAccess({ path })))
    const issuers = servers.map(({ keys, meter }) => createKeyIssuer(keys, meter, twoADay))
    const outcomes = await Promise.all(
      Array.from({ length: 120 }, (_, index) =>
        issuers[index % 2]?.issue(`2001:db8:7:${(index * 16).toString(16)}::1`),
      ),
    )
    await Promise.all(servers.map(({ store }) => store.deferred.flush()))
    const issuedCount = outcomes.filter((outcome) => outcome?.issued).length
    const [access] = servers
    expect(issuedCount).toBeGreaterThan(0)
    expect(issuedCount).toBeLessThanOrEqual(32)
    expect(await access?.used('ip:2001:db8:7/48:keys')).toBe(issuedCount)
    expect(await access?.store.keys.issued()).toBe(issuedCount)
    await Promise.all(servers.map(({ store }) => store.close()))
  })

  test('that fails gives the address its turn back', async () => {
    const { access } = await start()
    const keys = {
      ...access.keys,
      create: () => {
        throw new Error('disk full')
      },
    }
    const issuer = createKeyIssuer(keys, access.meter, twoADay)
    await expect(issuer.issue('192.0.2.1')).rejects.toThrow('disk full')
    await expect(issuer.issue('2001:db8:0:1::1')).rejects.toThrow('disk full')
    const blocks = ['192.0.2.1', '2001:db8:0:1', '2001:db8:0:0/56', '2001:db8:0/48']
    for (const block of blocks) expect(await access.used(`ip:${block}:keys`)).toBe(0)
  })
})
