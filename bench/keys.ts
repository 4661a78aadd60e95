import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readStartConfig } from '../src/cli/read-start-config.ts'
import { createService } from '../src/service.ts'
import { openStore } from '../src/store/open.ts'
import { median } from './support/measure.ts'
import { repeatIfShort } from './support/repeat-if-short.ts'
import { type Point, type Row, rateRow, round } from './support/row.ts'
import { seededKeyId, seedKeys } from './support/seed-keys.ts'

const sizes = [1_000, 10_000, 100_000, 1_000_000]
const calls = 3_000
const rounds = 5
/** A folder for databases that are made once and used by later runs: the largest takes a minute. */
const kept = process.env['BENCH_KEYS']

/** What counting costs, and how it grows from a thousand keys to a million with thirty days of history. */
export async function benchKeys(): Promise<readonly Row[]> {
  const directory = kept ?? mkdtempSync(join(tmpdir(), 'mintmark-bench-'))
  try {
    for (const keys of sizes) {
      const path = join(directory, String(keys), 'mintmark.sqlite')
      if (!existsSync(path)) await seedKeys(path, keys)
    }
    return [
      ...(await repeatIfShort(() => growthRows(directory))),
      ...(await repeatIfShort(async () => [await throughputRow(directory)])),
    ]
  } finally {
    if (kept === undefined) rmSync(directory, { recursive: true, force: true })
  }
}

/** The databases take turns. Each figure is the median of those of single rounds, as a disturbed round has a p99 of its own. */
async function growthRows(directory: string): Promise<readonly Row[]> {
  const samples: (readonly Samples[])[] = []
  for (let n = 0; n < rounds; n += 1) {
    const each: Samples[] = []
    for (const keys of sizes) each.push(await measure(join(directory, String(keys)), keys))
    samples.push(each)
  }
  return [
    growthRow('A single take, median', samples, 'reservation', 0.5, 1.3),
    growthRow('A single take, p99', samples, 'reservation', 0.99, 1.3),
    growthRow('GET /api/usage over HTTP, median', samples, 'usage', 0.5, 1.5),
    growthRow('GET /api/usage over HTTP, p99', samples, 'usage', 0.99, 1.5),
  ]
}

/** Wall-clock times of one round on one database, in µs. */
interface Samples {
  readonly reservation: readonly number[]
  readonly usage: readonly number[]
}

/** One after another, each with a key drawn from all of them. */
async function measure(directory: string, keys: number): Promise<Samples> {
  const reservation: number[] = []
  const usage: number[] = []
  function anyKey() {
    return seededKeyId(Math.floor(Math.random() * keys))
  }
  const store = openStore({ path: join(directory, 'mintmark.sqlite') })
  const { meter } = store
  // A caller has read the key before, and none has changed since.
  const generation = (await store.keys.read(anyKey()))?.generation ?? 0
  for (let n = 0; n < calls; n += 1) {
    const keyId = anyKey()
    const guard = { keyId, revision: 1, generation }
    const startMs = performance.now()
    await meter.reserve({
      bucket: `key:${keyId}`,
      limit: 1_000,
      endpoint: 'og',
      auth: 'key',
      expectedRevision: guard,
    })
    reservation.push((performance.now() - startMs) * 1_000)
  }
  await store.close()

  const env = { DATA_DIR: directory, LOG_LEVEL: 'silent' }
  const service = await createService({
    config: await readStartConfig(env, () => ''),
    readFile: () => '',
    write: () => {},
  })
  const server = Bun.serve({ port: 0, fetch: (request) => service.fetch(request, () => '127.0.0.1') })
  for (let n = 0; n < calls; n += 1) {
    const startMs = performance.now()
    const response = await fetch(`http://localhost:${server.port}/api/usage?key=${anyKey()}`)
    await response.arrayBuffer()
    usage.push((performance.now() - startMs) * 1_000)
    if (!response.ok) throw new Error(`/api/usage answered ${response.status}`)
  }
  await server.stop(true)
  await service.close()
  return { reservation, usage }
}

function growthRow(
  what: string,
  samples: readonly (readonly Samples[])[],
  kind: keyof Samples,
  quantile: number,
  growthMax: number,
): Row {
  function at(round: readonly Samples[], index: number) {
    const times = round[index]?.[kind].toSorted((a, b) => a - b) ?? []
    return times[Math.floor(times.length * quantile)] ?? Number.NaN
  }
  const points = sizes.map((keys, index): Point => [keys, median(samples.map((each) => at(each, index)))])
  const [few = Number.NaN, many = Number.NaN] = [points[0]?.[1], points.at(-1)?.[1]]
  const growth = many / few
  return {
    what: `${what}, with a million keys`,
    ours: `${round(many)} µs`,
    peer: `with a thousand ${round(few)} µs`,
    ratio: `${round(growth)}×`,
    target: `≤ ${growthMax}×`,
    passed: growth <= growthMax,
    line: { name: what, points },
  }
}

async function throughputRow(directory: string): Promise<Row> {
  const path = join(directory, `throughput-${crypto.randomUUID()}.db`)
  const store = openStore({ path })
  const { meter } = store
  const reservations = 200_000
  let left = reservations
  const cpu = process.cpuUsage()
  async function caller() {
    while (left-- > 0) await meter.reserve({ bucket: 'demo', limit: null, endpoint: 'og', auth: 'demo' })
  }
  await Promise.all(Array.from({ length: 64 }, caller))
  const { user, system } = process.cpuUsage(cpu)
  await store.close()
  const perSecond = (reservations / (user + system)) * 1e6
  return rateRow('Takes a second of one core, 64 callers', perSecond, 100_000)
}
