import { closeSync, cpSync, existsSync, fsyncSync, mkdtempSync, openSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { readStartConfig } from '../src/cli/read-start-config.ts'
import { createService } from '../src/service.ts'
import { openStore } from '../src/store/open.ts'
import { median } from './support/measure.ts'
import { repeatIfShort } from './support/repeat-if-short.ts'
import { type Point, type Row, rateRow, round } from './support/row.ts'
import { lastSeededDay, noon, seededKeyId, seedKeys } from './support/seed-keys.ts'
import { openTakes } from './support/takes.ts'
import { callsInTurns, type TimedCalls } from './support/timed-calls.ts'

const sizes = [1_000, 10_000, 100_000, 1_000_000]
/** Rounds over the databases, which take turns. The first round warms up. */
const takeRounds = 9
const usageRounds = 5
/** `/api/usage` reads so many, and takes are counted on the days before. */
const usageDays = 7
/** A folder for databases that are made once and copied by later runs: the largest takes a minute. */
const kept = process.env['BENCH_KEYS']

/** The cost of counting a call, and how it grows from a thousand keys to a million with thirty days of history. */
export async function benchKeys(): Promise<readonly Row[]> {
  const directory = mkdtempSync(join(tmpdir(), 'mintmark-bench-'))
  try {
    for (const keys of sizes) await provide(keys, databaseOf(directory, keys))
    const lastDay = lastSeededDay(databaseOf(directory, sizes[0] ?? 0))
    let takeDay = lastDay - usageDays
    return [
      ...(await repeatIfShort(async () => {
        const samples = []
        for (let n = 0; n <= takeRounds; n += 1) samples.push(await takeTimes(directory, takeDay--))
        return growthRows('A single take', samples.slice(1), 1.3)
      })),
      ...(await repeatIfShort(async () =>
        growthRows('GET /api/usage over HTTP', await usageTimes(directory, lastDay), 1.5),
      )),
      ...(await repeatIfShort(async () => [await throughputRow(directory)])),
    ]
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

function databaseOf(directory: string, keys: number): string {
  return join(directory, String(keys), 'mintmark.sqlite')
}

/** A copy, so that every run begins with the same rows, and with the file in the system's page cache. */
async function provide(keys: number, path: string): Promise<void> {
  if (kept === undefined) await seedKeys(path, keys)
  else {
    const original = databaseOf(kept, keys)
    if (!existsSync(original)) await seedKeys(original, keys)
    // With the master key that the database belongs to, where a service has made one.
    cpSync(dirname(original), dirname(path), { recursive: true })
  }
  // Else the system would write it to the disk while it is measured.
  const descriptor = openSync(path, 'r+')
  fsyncSync(descriptor)
  closeSync(descriptor)
}

/**
 * Reads the files into the page cache, because pages that the system has dropped cost 100 µs in any call, which says
 * nothing about the program. A child process does it: closing a descriptor of a database in this one drops SQLite's
 * locks on it.
 */
function readIntoMemory(directory: string): void {
  const { exitCode } = Bun.spawnSync(['cat', ...sizes.map((keys) => databaseOf(directory, keys))], {
    stdout: 'ignore',
  })
  if (exitCode !== 0) throw new Error('The databases cannot be read.')
}

/** For each database the time of each call, in µs. */
type Round = readonly (readonly number[])[]

/** Each round has a day of its own, on which a tenth of the keys were used before, in whatever database. */
async function takeTimes(directory: string, day: number): Promise<Round> {
  readIntoMemory(directory)
  const all = await Promise.all(sizes.map((keys) => openTakes(databaseOf(directory, keys), keys, day)))
  const times = await callsInTurns(all)
  await Promise.all(all.map((takes) => takes.close()))
  return times
}

async function usageTimes(directory: string, day: number): Promise<readonly Round[]> {
  const all = await Promise.all(sizes.map((keys) => openUsage(directory, keys, day)))
  const rounds: Round[] = []
  for (let n = 0; n < usageRounds; n += 1) {
    readIntoMemory(directory)
    rounds.push(await callsInTurns(all))
  }
  for (const usage of all) await usage.close()
  return rounds
}

/** Each call asks for a key drawn from all of them. */
async function openUsage(directory: string, keys: number, day: number): Promise<TimedCalls> {
  const env = { DATA_DIR: dirname(databaseOf(directory, keys)), LOG_LEVEL: 'silent' }
  const service = await createService({
    config: await readStartConfig(env, () => ''),
    readFile: () => '',
    write: () => {},
    clock: noon(day),
  })
  const server = Bun.serve({ port: 0, fetch: (request) => service.fetch(request, () => '127.0.0.1') })
  return {
    count: 3_000,
    async call() {
      const keyId = seededKeyId(Math.floor(Math.random() * keys))
      const response = await fetch(`http://localhost:${server.port}/api/usage?key=${keyId}`)
      await response.arrayBuffer()
      if (!response.ok) throw new Error(`/api/usage answered ${response.status}`)
    },
    async close() {
      await server.stop(true)
      await service.close()
    },
  }
}

function growthRows(what: string, rounds: readonly Round[], growthMax: number): Row[] {
  return [
    growthRow(`${what}, median`, rounds, 0.5, growthMax),
    growthRow(`${what}, p99`, rounds, 0.99, growthMax),
  ]
}

/** Each figure is the median of those of single rounds, as a disturbed round has a p99 of its own. */
function growthRow(what: string, rounds: readonly Round[], quantile: number, growthMax: number): Row {
  function at(round: Round, index: number) {
    const times = round[index]?.toSorted((a, b) => a - b) ?? []
    return times[Math.floor(times.length * quantile)] ?? Number.NaN
  }
  const points = sizes.map((keys, index): Point => [keys, median(rounds.map((each) => at(each, index)))])
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
