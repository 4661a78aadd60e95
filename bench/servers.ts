import { join } from 'node:path'
import { openConnection } from '../src/store/postgres/connection.ts'
import { parseConnectionUrl } from '../src/store/postgres/connection-target.ts'
import { throughPort } from '../test/store/postgres/databases.ts'
import { hasPostgres, startPostgres, type TestPostgres } from '../test/support/postgres.ts'
import { inTurns, median, NotPossibleHere, type Row, row } from './support/measure.ts'
import { defer, startServer } from './support/processes.ts'
import { type Load, load } from './support/wrk.ts'

/** Round trip that the network adds to each query of the database. */
const linkMs = 2
const path = '/api/og?title=How+we+cut+cold+starts&subtitle=A+field+report&author=Ada+Lovelace&demo=1'
const connections = 128
const serverCount = 4
const callers = 64

/**
 * The cost of sharing one PostgreSQL between several servers. The database waits for its disk, as it does by default.
 */
export async function benchServers(): Promise<readonly Row[]> {
  if (!hasPostgres)
    throw new NotPossibleHere('PostgreSQL is not installed (Debian: apt-get install postgresql)')
  const postgres = await startPostgres(['fsync=on'])
  defer(() => postgres.close())
  return [...(await cardRows(postgres)), await reservationsRow(postgres)]
}

/** One server, over a database beside it and over one that is 2 ms away, against the same server over SQLite. */
async function cardRows(postgres: TestPostgres): Promise<readonly Row[]> {
  const link = await startSlowLink(postgres.makeDatabase('far'))
  const urls = [undefined, postgres.makeDatabase('near'), link.url]
  const programs = await Promise.all(
    urls.map((url) =>
      startServer({ env: url === undefined ? {} : { DATABASE_URL: url, MASTER_KEY: '5a'.repeat(32) } }),
    ),
  )
  const perSecond = ({ requestsPerSecond }: Load) => requestsPerSecond
  const turns = await inTurns(
    programs.map(
      ({ url, pid }) =>
        () =>
          load(url + path, pid, { connections }),
    ),
  )
  const peer = { peer: 'SQLite', theirs: turns.median(0, perSecond) }
  function shareOf(side: number) {
    return { ours: turns.median(side, perSecond), ratio: turns.ratio(side, 0, perSecond), ...peer }
  }
  const what = `Cached card, demo, requests a second over PostgreSQL, ${connections} connections`
  return [
    row({ what: `${what}, on one machine`, ...shareOf(1), min: 0.65 }),
    row({ what: `The same, ${link.roundTripMs.toFixed(2)} ms away`, ...shareOf(2), min: 0.5 }),
  ]
}

async function reservationsRow(postgres: TestPostgres): Promise<Row> {
  const url = postgres.makeDatabase('reservations')
  const links: SlowLink[] = []
  // One after the other, since each is measured.
  for (let n = 0; n < serverCount; n += 1) links.push(await startSlowLink(url))
  const script = join(import.meta.dirname, 'support/reserve-quota.ts')
  const rates = await Promise.all(
    links.map(async (link) => {
      const words = [process.execPath, script, link.url, String(callers)]
      const child = Bun.spawn(words, { stdout: 'pipe', stderr: 'inherit' })
      return Number(await new Response(child.stdout).text())
    }),
  )
  return row({
    what: `Quota reservations a second, ${serverCount} servers with ${callers} callers each`,
    ours: rates.reduce((sum, each) => sum + each, 0),
    min: 40_000,
    note: `${median(links.map((link) => link.roundTripMs)).toFixed(2)} ms away from the database`,
  })
}

interface SlowLink {
  readonly url: string
  /** Round trip that the link adds to a query, as measured, in ms. */
  readonly roundTripMs: number
}

async function startSlowLink(url: string): Promise<SlowLink> {
  const directMs = await queryMs(url)
  const first = await startLinkProcess(url, linkMs / 2)
  const excessMs = (await queryMs(first.url)) - directMs - linkMs
  first.stop()
  const link = await startLinkProcess(url, (linkMs - excessMs) / 2)
  return { url: link.url, roundTripMs: (await queryMs(link.url)) - directMs }
}

async function startLinkProcess(url: string, delayMs: number) {
  const script = join(import.meta.dirname, 'support/slow-link/process.ts')
  const words = [process.execPath, script, new URL(url).port, String(delayMs)]
  const child = Bun.spawn(words, { stdout: 'pipe', stderr: 'inherit' })
  defer(() => child.kill())
  for await (const piece of child.stdout) {
    const port = Number(new TextDecoder().decode(piece))
    return { url: throughPort(url, port), stop: () => child.kill() }
  }
  // The compiler of its C source is in Bun, the headers are not.
  throw new NotPossibleHere('the link needs the headers of libc (Debian: apt-get install libc6-dev)')
}

/** How long a query of nothing takes: the median of many. */
async function queryMs(url: string): Promise<number> {
  const target = parseConnectionUrl(url, () => '')
  const { connection } = await openConnection(target, { timeoutMs: 5_000 })
  const times: number[] = []
  for (let n = 0; n < 200; n += 1) {
    const startMs = performance.now()
    await connection.query('select 1')
    times.push(performance.now() - startMs)
  }
  connection.destroy('it was measured')
  return median(times)
}
