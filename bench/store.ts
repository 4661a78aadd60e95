import { join } from 'node:path'
import { dayMs, utcDay } from '../src/lib/clock.ts'
import type { Service } from '../src/service.ts'
import { openStore } from '../src/store/open.ts'
import { openSqlite } from '../src/store/sqlite.ts'
import { adminKeyId, adminTxHash, seedAdmin } from '../test/admin/support/seed-admin.ts'
import { inTurns, isQuick, quantile, type Row, row } from './support/measure.ts'
import { defer, directory } from './support/processes.ts'
import { openService } from './support/service.ts'

const sizes = isQuick ? [1_000, 3_000] : [1_000_000, 1_000]
/** Long against what the first call of a turn pays for the caches that another side has filled. */
const callsInTurn = 500
/** Keys that are drawn for a day, in a small database as in a large one, and how often each is used on it. */
const drawnKeys = 1_000
const usesOfEach = 3

/** The cost of counting a call, and how it grows from a thousand keys to a million with thirty days of history. */
export async function benchKeys(): Promise<readonly Row[]> {
  const today = utcDay(Date.now())
  const folders = []
  for (const keys of sizes) folders.push(await seedKeys(keys, today))
  const databases = folders.map((folder) => join(folder, 'mintmark.sqlite'))
  const reservations = await Promise.all(
    databases.map((path, index) => openReservations(path, sizes[index] ?? 0, today - 29)),
  )
  const reserved = await inTurns(reservations, { warmUps: 6, rounds: 54 })
  const usages = await Promise.all(folders.map((folder, index) => openUsage(folder, sizes[index] ?? 0)))
  const used = await inTurns(usages, { warmUps: 2, rounds: 30 })
  return [
    ...growthRows('A single reservation', reserved, 1.3),
    ...growthRows('GET /api/usage over HTTP', used, 1.5),
    await throughputRow(),
  ]
}

type Growth = Awaited<ReturnType<typeof inTurns<readonly number[]>>>

function growthRows(what: string, turns: Growth, max: number): Row[] {
  return (
    [
      ['median', 0.5],
      ['p99', 0.99],
    ] as const
  ).map(([name, share]) => {
    const figure = (times: readonly number[]) => quantile(times, share)
    const [ours, theirs] = [turns.median(0, figure), turns.median(1, figure)]
    const peer = { peer: 'with a thousand', theirs, ratio: ours / theirs }
    return row({ what: `${what}, ${name}, with a million keys`, ours, unit: 'µs', ...peer, max })
  })
}

/** The wall-clock time of each of so many calls, one after another, in µs. */
async function timesOf(call: () => Promise<unknown>): Promise<readonly number[]> {
  const times: number[] = []
  for (let n = 0; n < callsInTurn; n += 1) {
    const startMs = performance.now()
    await call()
    times.push((performance.now() - startMs) * 1_000)
  }
  return times
}

function keyIdOf(number: number): string {
  return `mk_${String((number * 7_368_787) % 9_999_991).padStart(16, '0')}`
}

/** A database with keys, and thirty days on each of which a tenth of them was used. Returns its folder. */
async function seedKeys(keys: number, today: number): Promise<string> {
  const folder = directory()
  const path = join(folder, 'mintmark.sqlite')
  await openStore({ path }).close()
  const sqlite = openSqlite(path)
  sqlite.exec('pragma cache_size = -400000')
  sqlite.exec('begin')
  sqlite.exec(`insert into keys (id, created_at_ms) with recursive numbers(n) as
    (select 0 union all select n + 1 from numbers where n < ${keys - 1})
    select printf('mk_%016d', (n * 7368787) % 9999991), ${Date.now()} from numbers order by 1`)
  // Rows are inserted in random order, as they come over a day. In key order each page would be filled to its end, and the
  // next reservation would split it.
  for (let daysAgo = 0; daysAgo < 30; daysAgo += 1)
    sqlite.exec(`insert into usage_days (day, bucket, used) select ${today - daysAgo}, 'key:' || id, n % 50
      from (select id, row_number() over (order by id) n from keys) where n % 10 = ${daysAgo % 10} order by random()`)
  sqlite.exec('commit')
  sqlite.close()
  // Else the system would write it to the disk while it is measured, and pages that it has dropped cost 100 µs.
  Bun.spawnSync(['sync', path])
  Bun.spawnSync(['cat', path], { stdout: 'ignore' })
  return folder
}

/** Reservations of a thousand keys, three of each on a day, so that as many of them insert a row whatever the size. */
async function openReservations(path: string, keys: number, firstDay: number) {
  let day = firstDay - 1
  const store = openStore({ path, clock: { now: () => (day + 0.5) * dayMs } })
  defer(() => store.close())
  // A caller has read the key before, and none has changed since.
  const generation = (await store.keys.read(keyIdOf(0)))?.generation ?? 0
  let numbers: number[] = []
  return () =>
    timesOf(async () => {
      if (numbers.length === 0) {
        day += 1
        const drawn = new Set<number>()
        while (drawn.size < Math.min(drawnKeys, keys)) drawn.add(Math.floor(Math.random() * keys))
        numbers = Array.from({ length: usesOfEach }, () => shuffled([...drawn])).flat()
      }
      const keyId = keyIdOf(numbers.pop() ?? 0)
      await store.meter.reserve({
        bucket: `key:${keyId}`,
        limit: 1_000,
        endpoint: 'og',
        auth: 'key',
        expectedRevision: { keyId, revision: 1, generation },
      })
    })
}

function shuffled<T>(values: readonly T[]): readonly T[] {
  return values
    .map((value) => ({ value, place: Math.random() }))
    .sort((one, other) => one.place - other.place)
    .map(({ value }) => value)
}

/** Each call asks for a key drawn from all of them. */
async function openUsage(folder: string, keys: number) {
  const service = await openService({ DATA_DIR: folder })
  const server = Bun.serve({ port: 0, fetch: (request) => service.fetch(request, () => '127.0.0.1') })
  defer(() => server.stop(true))
  return () =>
    timesOf(async () => {
      const keyId = keyIdOf(Math.floor(Math.random() * keys))
      const response = await fetch(`http://localhost:${server.port}/api/usage?key=${keyId}`)
      await response.arrayBuffer()
      if (!response.ok) throw new Error(`/api/usage answered ${response.status}`)
    })
}

async function throughputRow(): Promise<Row> {
  const store = openStore({ path: join(directory(), 'throughput.sqlite') })
  const reservations = isQuick ? 10_000 : 200_000
  let left = reservations
  const before = process.cpuUsage()
  async function caller(): Promise<void> {
    while (left-- > 0)
      await store.meter.reserve({ bucket: 'demo', limit: null, endpoint: 'og', auth: 'demo' })
  }
  await Promise.all(Array.from({ length: 64 }, caller))
  const { user, system } = process.cpuUsage(before)
  await store.close()
  const ours = (reservations / (user + system)) * 1e6
  return row({ what: 'Reservations a second of one core, 64 callers', ours, min: 100_000 })
}

const full = isQuick
  ? { keys: 1_000, days: 10, payments: 500 }
  : { keys: 1_000_000, days: 90, payments: 500_000 }
const looks = 60
const password = 'correct horse battery'
const logins = 100

/** Latency of the operator's pages in a large service, and of other callers during a flood of logins. */
export async function benchAdmin(): Promise<readonly Row[]> {
  const folder = directory()
  await seedAdmin(join(folder, 'mintmark.sqlite'), { ...full, nowMs: Date.now() })
  const service = await openService({ DATA_DIR: folder, ADMIN_PASSWORD: password })
  const login = await tryPassword(service, password, '192.0.2.1')
  const cookie = login.headers.get('set-cookie')?.split(';')[0] ?? ''
  const rows: Row[] = []
  for (const [name, path] of Object.entries(pages)) {
    const times: number[] = []
    for (let n = 0; n < looks; n += 1) {
      const startMs = performance.now()
      const request = new Request(`http://localhost${path(n)}`, { headers: { cookie } })
      const answer = await service.fetch(request, () => '192.0.2.1')
      await answer.arrayBuffer()
      times.push(performance.now() - startMs)
      if (answer.status !== 200) throw new Error(`${path(n)} answered ${answer.status}`)
    }
    rows.push(row({ what: `${name}, p95`, ours: quantile(times, 0.95), unit: 'ms', max: 150 }))
  }
  return [...rows, await floodRow(service)]
}

const somewhere = (n: number, count: number) => (n * 104_729) % count

const pages: Readonly<Record<string, (n: number) => string>> = {
  Overview: () => '/admin',
  'Keys, newest': () => '/admin/keys',
  'Keys, deep in the list': (n) => `/admin/keys?after=${adminKeyId(somewhere(n, full.keys))}`,
  'Keys, most used': () => '/admin/keys?sort=used',
  'Keys, revoked': () => '/admin/keys?status=revoked',
  'Keys, exhausted': () => '/admin/keys?status=exhausted',
  'Keys, common word searched': () => '/admin/keys?q=docs',
  'Keys, one name searched': (n) => `/admin/keys?q=harbour+docs+${somewhere(n, full.keys)}`,
  'Keys, nothing found': () => '/admin/keys?q=nothing-has-this-name',
  'One key': (n) => `/admin/keys/${adminKeyId(somewhere(n, full.keys))}`,
  'Usage, a year': () => '/admin/usage?days=365',
  Payments: () => '/admin/payments',
  'Payments, unclaimed': () => '/admin/payments?state=unclaimed',
  'Payments, deep in the list': (n) => `/admin/payments?after=payment-${somewhere(n, full.payments)}`,
  'One payment': (n) => `/admin/payments/${adminTxHash(somewhere(n, full.payments))}`,
  Traffic: () => '/admin/traffic',
  Audit: () => '/admin/audit',
  Settings: () => '/admin/settings',
}

/** The p99 of a cached card while nobody and while many try passwords, in the same run. */
async function floodRow(service: Service): Promise<Row> {
  async function cardsP99Ms(): Promise<number> {
    const times: number[] = []
    for (let n = 0; n < 2_000; n += 1) {
      const request = new Request('http://localhost/api/og?title=Hello&demo=1')
      const startMs = performance.now()
      await (await service.fetch(request, () => '192.0.2.2')).arrayBuffer()
      times.push(performance.now() - startMs)
      // Yields to other work between two calls, as waiting on a socket would.
      await new Promise(setImmediate)
    }
    return quantile(times, 0.99)
  }
  const theirs = await cardsP99Ms()
  const flood = Array.from({ length: logins }, (_, n) => tryPassword(service, 'wrong', `198.51.100.${n}`))
  const ours = await cardsP99Ms()
  await Promise.all(flood)
  const what = `Cached card, p99, during ${logins} logins`
  return row({ what, ours, unit: 'ms', peer: 'before them', theirs, ratio: ours / theirs, max: 2 })
}

async function tryPassword(service: Service, given: string, address: string): Promise<Response> {
  const request = new Request('http://localhost/admin/login', {
    method: 'POST',
    body: new URLSearchParams({ password: given }),
    headers: { 'sec-fetch-site': 'same-origin' },
  })
  return service.fetch(request, () => address)
}
