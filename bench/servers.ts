import { join } from 'node:path'
import { parseConnectionUrl } from '../src/store/postgres/connection-target.ts'
import { openConnection } from '../src/store/postgres/open-connection.ts'
import { hasPostgres, startPostgres, type TestPostgres } from '../test/support/postgres.ts'
import { startTcpProxy } from '../test/support/tcp-proxy.ts'
import { median, type Row, round, skippedRow } from './support/measure.ts'

const servers = 4
const callers = 64
const takesMin = 40_000
/** Each way; there and back it is twice that, and what the timers add. */
const delayMs = 1

/** What it costs that several servers share one PostgreSQL. The database waits for its disk, as it does by default. */
export async function benchServers(): Promise<readonly Row[]> {
  const what = `Takes a second, ${servers} servers with ${callers} callers each, ${2 * delayMs} ms to the database`
  if (!hasPostgres)
    return [skippedRow(what, 'PostgreSQL is not installed (Debian: apt-get install postgresql)')]
  const postgres = await startPostgres(['fsync=on'])
  try {
    return [await takesRow(what, postgres)]
  } finally {
    await postgres.close()
  }
}

async function takesRow(what: string, postgres: TestPostgres): Promise<Row> {
  const url = postgres.makeDatabase('takes')
  const proxies = await Promise.all(
    Array.from({ length: servers }, () => startTcpProxy(postgres.port, delayMs)),
  )
  const urls = proxies.map(({ port }) => url.replace(/:\d+\//, `:${port}/`))
  const linkMs = await roundTripMs(urls[0] ?? url)
  const takes = await Promise.all(urls.map(takesPerSecond))
  await Promise.all(proxies.map((proxy) => proxy.close()))
  const perSecond = takes.reduce((sum, each) => sum + each, 0)
  return {
    what,
    ours: round(perSecond),
    peer: `a query and back ${round(linkMs)} ms`,
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

async function roundTripMs(url: string): Promise<number> {
  const { connection } = await openConnection(
    parseConnectionUrl(url, () => ''),
    { timeoutMs: 5_000 },
  )
  const times: number[] = []
  for (let n = 0; n < 50; n += 1) {
    const startMs = performance.now()
    await connection.query('select 1')
    times.push(performance.now() - startMs)
  }
  connection.destroy('it was measured')
  return median(times)
}
