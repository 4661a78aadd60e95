import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readStartConfig } from '../src/cli/read-start-config.ts'
import { createService } from '../src/service.ts'
import { openStore } from '../src/store/open.ts'
import { type Row, round } from './support/measure.ts'
import { seededKeyId, seedKeys } from './support/seed-keys.ts'

const manyKeys = 1_000_000
const fewKeys = 1_000
const calls = 5_000
const rounds = 3

/** What counting costs, and how it grows from a thousand keys to a million with thirty days of history. */
export async function benchKeys(): Promise<readonly Row[]> {
  const directory = mkdtempSync(join(tmpdir(), 'mintmark-bench-'))
  try {
    const databases = { few: fewKeys, many: manyKeys }
    const samples = { few: noSamples(), many: noSamples() }
    for (const name of sizes) await seedKeys(join(directory, name, 'mintmark.sqlite'), databases[name])
    for (let n = 0; n < rounds; n += 1) {
      for (const name of sizes) await measure(samples[name], join(directory, name), databases[name])
    }
    const { few, many } = samples
    return [
      growthRow('A single take, median', few.reservation, many.reservation, 0.5, 1.3),
      growthRow('A single take, p99', few.reservation, many.reservation, 0.99, 1.3),
      growthRow('GET /api/usage over HTTP, median', few.usage, many.usage, 0.5, 1.5),
      growthRow('GET /api/usage over HTTP, p99', few.usage, many.usage, 0.99, 1.5),
      await throughputRow(join(directory, 'throughput.db')),
    ]
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

const sizes = ['few', 'many'] as const

/** Wall-clock times, in µs. */
interface Samples {
  readonly reservation: number[]
  readonly usage: number[]
}

function noSamples(): Samples {
  return { reservation: [], usage: [] }
}

/** One after another, each with a key drawn from all of them. */
async function measure(
  { reservation: take, usage }: Samples,
  directory: string,
  keys: number,
): Promise<void> {
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
    take.push((performance.now() - startMs) * 1_000)
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
}

function growthRow(
  what: string,
  few: readonly number[],
  many: readonly number[],
  quantile: number,
  growthMax: number,
): Row {
  function at(values: readonly number[]) {
    return values.toSorted((a, b) => a - b)[Math.floor(values.length * quantile)] ?? Number.NaN
  }
  const growth = at(many) / at(few)
  return {
    what: `${what}, with a million keys`,
    ours: `${round(at(many))} µs`,
    peer: `with a thousand ${round(at(few))} µs`,
    ratio: `${round(growth)}×`,
    target: `≤ ${growthMax}×`,
    passed: growth <= growthMax,
  }
}

async function throughputRow(path: string): Promise<Row> {
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
  return {
    what: 'Takes a second of one core, 64 callers',
    ours: round(perSecond),
    peer: '',
    ratio: '',
    target: '≥ 100000',
    passed: perSecond >= 100_000,
  }
}
