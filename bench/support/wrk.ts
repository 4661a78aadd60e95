import { readFileSync } from 'node:fs'

/** Whether the load generator is there: Debian's package `wrk`. */
export const hasWrk = Bun.which('wrk') !== null

export interface Load {
  readonly requestsPerSecond: number
  /** CPU time that the server spent on one request, in µs. */
  readonly cpuMicros: number
}

interface LoadOptions {
  readonly seconds?: number
  readonly connections?: number
  /** Such as `If-None-Match: "tag"`. */
  readonly headers?: readonly string[]
}

/** Asks for one URL over keep-alive connections for some seconds. Every answer must be a 200 or a 304. */
export async function load(
  url: string,
  serverPid: number,
  { seconds = 3, connections = 32, headers = [] }: LoadOptions = {},
): Promise<Load> {
  const before = cpuTicks(serverPid)
  const words = [
    '-t1',
    `-c${connections}`,
    `-d${seconds}s`,
    ...headers.flatMap((header) => ['-H', header]),
    url,
  ]
  const wrk = Bun.spawn(['wrk', ...words], { stdout: 'pipe' })
  const report = await new Response(wrk.stdout).text()
  const ticks = cpuTicks(serverPid) - before
  const requests = Number(/(\d+) requests in/.exec(report)?.[1])
  const perSecond = Number(/Requests\/sec:\s+([\d.]+)/.exec(report)?.[1])
  if (!(requests > 0) || /Non-2xx|Socket errors/.test(report))
    throw new Error(`${url} did not answer well:\n${report}`)
  return { requestsPerSecond: perSecond, cpuMicros: (ticks * microsPerTick) / requests }
}

/** Linux counts in hundredths of a second. */
const microsPerTick = 10_000

function cpuTicks(pid: number): number {
  const [, fields = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')
  const [user, system] = fields.split(' ').slice(11, 13)
  return Number(user) + Number(system)
}
