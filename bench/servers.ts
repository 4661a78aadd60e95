import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hasPostgres, startPostgres, type TestPostgres } from '../test/support/postgres.ts'
import { median } from './support/measure.ts'
import { repeatIfShort } from './support/repeat-if-short.ts'
import { type Row, rateRow, ratioRow, round, skippedRow } from './support/row.ts'
import { linkNeeds, type SlowLink, startSlowLink } from './support/slow-link/slow-link.ts'
import { startProgram } from './support/start-program.ts'
import { hasWrk, load } from './support/wrk.ts'

/** Round trip that the network adds to each query of the database. */
const linkMs = 2
const card = 'Cached card, demo, PostgreSQL against SQLite, requests a second'
const path = '/api/og?title=How+we+cut+cold+starts&subtitle=A+field+report&author=Ada+Lovelace&demo=1'
const connections = 128
const rounds = 5
const roundSeconds = 1
const servers = 4
const callers = 64
const takesMin = 40_000

/**
 * The cost of sharing one PostgreSQL between several servers. The database waits for its disk, as it does by default.
 */
export async function benchServers(): Promise<readonly Row[]> {
  if (!hasPostgres)
    return [skippedRow(card, 'PostgreSQL is not installed (Debian: apt-get install postgresql)')]
  const postgres = await startPostgres(['fsync=on'])
  try {
    return [...(await cardRows(postgres)), ...(await repeatIfShort(async () => [await takesRow(postgres)]))]
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
    [undefined, near, ...(link ? [link.url] : [])].map((url, index) =>
      startProgram(['src/main.ts'], {
        DATA_DIR: join(directory, String(index)),
        DEMO_DAILY_QUOTA: '1000000000',
        HOST: '127.0.0.1',
        ...(url !== undefined && { DATABASE_URL: url, MASTER_KEY: '5a'.repeat(32) }),
      }),
    ),
  )
  try {
    return await repeatIfShort(async () => {
      const speeds = await speedsOf(programs)
      return [
        speedRow(`${card}, ${connections} connections, on one machine`, speeds, 1, 0.65),
        link
          ? speedRow(`The same, the link adds ${link.roundTripMs.toFixed(2)} ms to a query`, speeds, 2, 0.5)
          : skippedRow(`The same, ${linkMs} ms away`, linkNeeds),
      ]
    })
  } finally {
    for (const program of programs) program.stop()
    link?.stop()
    rmSync(directory, { recursive: true, force: true })
  }
}

/** Requests a second of each program in each round; they take turns. */
async function speedsOf(
  programs: readonly { readonly url: string; readonly pid: number }[],
): Promise<readonly (readonly number[])[]> {
  const speeds: (readonly number[])[] = []
  for (let n = 0; n <= rounds; n += 1) {
    const each: number[] = []
    for (const { url, pid } of programs)
      each.push((await load(url + path, pid, { seconds: roundSeconds, connections })).requestsPerSecond)
    // The first round warms up.
    if (n > 0) speeds.push(each)
  }
  return speeds
}

function speedRow(what: string, speeds: readonly (readonly number[])[], index: number, atLeast: number): Row {
  const ratio = median(speeds.map((each) => (each[index] ?? 0) / (each[0] ?? 0)))
  const ours = median(speeds.map((each) => each[index] ?? 0))
  const sqlite = median(speeds.map(([first = 0]) => first))
  return ratioRow({ what, ours: round(ours), peer: `SQLite ${round(sqlite)}`, ratio, atLeast })
}

let databases = 0

async function takesRow(postgres: TestPostgres): Promise<Row> {
  const url = postgres.makeDatabase(`takes${databases++}`)
  const links: SlowLink[] = []
  const what = `Takes a second, ${servers} servers with ${callers} callers each`
  // One after the other, since each is measured.
  for (let n = 0; n < servers; n += 1) {
    const link = await startSlowLink(url, linkMs)
    if (link === undefined) return skippedRow(what, linkNeeds)
    links.push(link)
  }
  const takes = await Promise.all(links.map((link) => takesPerSecond(link.url)))
  for (const link of links) link.stop()
  const addedMs = median(links.map((link) => link.roundTripMs)).toFixed(2)
  const perSecond = takes.reduce((sum, each) => sum + each, 0)
  return rateRow(`${what}, the links add ${addedMs} ms to a query`, perSecond, takesMin)
}

const script = join(import.meta.dirname, 'support/reserve-quota.ts')

async function takesPerSecond(url: string): Promise<number> {
  const child = Bun.spawn([process.execPath, script, url, String(callers)], {
    stdout: 'pipe',
    stderr: 'inherit',
  })
  return Number(await new Response(child.stdout).text())
}
