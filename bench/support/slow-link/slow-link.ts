import { join } from 'node:path'
import { openConnection } from '../../../src/store/postgres/connection.ts'
import { parseConnectionUrl } from '../../../src/store/postgres/connection-target.ts'
import { throughPort } from '../../../test/store/postgres/databases.ts'
import { median } from '../measure.ts'

/** A network between a server and its database. */
export interface SlowLink {
  /** The database's URL over the link. */
  readonly url: string
  /** Round trip that the link adds to a query, as measured, in ms. */
  readonly roundTripMs: number
  stop(): void
}

/** Why there is no link where `startSlowLink` returns undefined. */
export const linkNeeds = 'the link needs the headers of libc (Debian: apt-get install libc6-dev)'

/**
 * Starts a link that adds `roundTripMs` to each query. Half of that is each way, less what the machine's own timers add.
 * Undefined where its C source cannot be compiled: the compiler is in Bun, the headers are not.
 */
export async function startSlowLink(url: string, roundTripMs: number): Promise<SlowLink | undefined> {
  const directMs = await queryMs(url)
  const first = await startProcess(url, roundTripMs / 2)
  if (first === undefined) return undefined
  const excessMs = (await queryMs(first.url)) - directMs - roundTripMs
  first.stop()
  const link = await startProcess(url, (roundTripMs - excessMs) / 2)
  return link && { ...link, roundTripMs: (await queryMs(link.url)) - directMs }
}

async function startProcess(url: string, delayMs: number) {
  const words = [join(import.meta.dirname, 'process.ts'), new URL(url).port, String(delayMs)]
  const child = Bun.spawn([process.execPath, ...words], { stdout: 'pipe', stderr: 'inherit' })
  for await (const piece of child.stdout)
    return {
      url: throughPort(url, Number(new TextDecoder().decode(piece))),
      stop: () => child.kill(),
    }
  return undefined
}

const queries = 200

/** How long a query of nothing takes: the median of many. */
async function queryMs(url: string): Promise<number> {
  const target = parseConnectionUrl(url, () => '')
  const { connection } = await openConnection(target, { timeoutMs: 5_000 })
  const times: number[] = []
  for (let n = 0; n < queries; n += 1) {
    const startMs = performance.now()
    await connection.query('select 1')
    times.push(performance.now() - startMs)
  }
  connection.destroy('it was measured')
  return median(times)
}
