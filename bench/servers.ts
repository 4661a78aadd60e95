import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hasPostgres, startPostgres, type TestPostgres } from '../test/support/postgres.ts'
import { median, type Row, round, skippedRow } from './support/measure.ts'
import { type SlowLink, startSlowLink } from './support/slow-link/slow-link.ts'
import { startProgram } from './support/start-program.ts'
import { hasWrk, load } from './support/wrk.ts'

/** What the network to the database adds to a query, there and back. */
const linkMs = 2
const card = 'Cached card, demo, PostgreSQL against SQLite, requests a second'
const path = '/api/og?title=How+we+cut+cold+starts&subtitle=A+field+report&author=Ada+Lovelace&demo=1'
const connections = 128
const rounds = 5
const roundSeconds = 3
const servers = 4
const callers = 64
const takesMin = 40_000

/** What it costs that several servers share one PostgreSQL. The database waits for its disk, as it does by default. */
export async function benchServers(): Promise<readonly Row[]> {
  if (!hasPostgres)
    return [skippedRow(card, 'PostgreSQL is not installed (Debian: apt-get install postgresql)')]
  const postgres = await startPostgres(['fsync=on'])
  try {
    return [...(await cardRows(postgres)), await takesRow(postgres)]
  } finally {
    await postgres.close()
  }
}

/** One server, over a database beside it and over one that is 2 ms away, against the same server over SQLite. */
async function cardRows(postgres: TestPostgres): Promise<readonly Row[]> {
  if (!hasWrk) return [skippedRow(card, 'wrk is not installed (Debian: apt-get install wrk)')]
  const directory = mkdtempSync(join(tmpdir(), 'mintmark-bench-'))
  const near = postgres.makeDatabase('near')
  const link = await startSlowLink(postgres.makeDatabase('far'), linkMs)
  const programs = await Promise.all(
    [undefined, near, link.url].map((url, index) =>
      startProgram(['src/main.ts'], {
        DATA_DIR: join(directory, String(index)),
        DEMO_DAILY_QUOTA: '1000000000',
        HOST: '127.0.0.1',
        ...(url !== undefined && { DATABASE_URL: url, MASTER_KEY: '5a'.repeat(32) }),
      }),
    ),
  )
  try {
    const speeds: (readonly number[])[] = []
    for (let n = 0; n <= rounds; n += 1) {
      const round: number[] = []
      for (const { url, pid } of programs)
        round.push((await load(url + path, pid, { seconds: roundSeconds, connections })).requestsPerSecond)
      // The first round warms up.
      if (n > 0) speeds.push(round)
    }
    return [
      ratioRow(`${card}, ${connections} connections, on one machine`, speeds, 1, 0.65),
      ratioRow(`The same, the link adds ${link.roundTripMs.toFixed(2)} ms to a query`, speeds, 2, 0.5),
    ]
  } finally {
    for (const program of programs) program.stop()
    link.stop()
    rmSync(directory, { recursive: true, force: true })
  }
}

function ratioRow(what: string, speeds: readonly (readonly number[])[], index: number, atLeast: number): Row {
  const ratio = median(speeds.map((each) => (each[index] ?? 0) / (each[0] ?? 0)))
  return {
    what,
    ours: round(median(speeds.map((each) => each[index] ?? 0))),
    peer: `SQLite ${round(median(speeds.map(([first = 0]) => first)))}`,
    ratio: `${round(ratio)}×`,
    target: `≥ ${atLeast}×`,
    passed: ratio >= atLeast,
  }
}

async function takesRow(postgres: TestPostgres): Promise<Row> {
  const url = postgres.makeDatabase('takes')
  const links: SlowLink[] = []
  // One after the other, since each is measured.
  for (let n = 0; n < servers; n += 1) links.push(await startSlowLink(url, linkMs))
  const takes = await Promise.all(links.map((link) => takesPerSecond(link.url)))
  for (const link of links) link.stop()
  const perSecond = takes.reduce((sum, each) => sum + each, 0)
  return {
    what: `Takes a second, ${servers} servers with ${callers} callers each, the links add ${median(links.map((link) => link.roundTripMs)).toFixed(2)} ms to a query`,
    ours: round(perSecond),
    peer: '',
    ratio: '',
    target: `≥ ${takesMin}`,
    passed: perSecond >= takesMin,
  }
}

const script = join(import.meta.dirname, 'support/reserve-quota.ts')

async function takesPerSecond(url: string): Promise<number> {
  const child = Bun.spawn([process.execPath, script, url, String(callers)], {
    stdout: 'pipe',
    stderr: 'inherit',
  })
  return Number(await new Response(child.stdout).text())
}
