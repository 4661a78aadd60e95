import { readdirSync } from 'node:fs'
import { isQuick, NotPossibleHere } from './measure.ts'
import { processTree, statFields, treeCpuMs } from './processes.ts'

export interface Load {
  readonly requestsPerSecond: number
  /** CPU time that the server, with the processes below it, spent on one request, in µs. */
  readonly cpuMicros: number
  /** Output of wrk and of its script. */
  readonly report: string
}

interface LoadOptions {
  readonly seconds?: number
  readonly connections?: number
  /** Such as `If-None-Match: "tag"`. */
  readonly headers?: readonly string[]
  /** The error status (400 or more) that every answer must have. Without it, every answer must be 200 or 304. */
  readonly status?: number
  /** A Lua file that makes the requests, and what it is told. */
  readonly script?: readonly [file: string, ...words: string[]]
  /** How far the load generator stands back where it shares cores with the server: 0 to 19. */
  readonly niceness?: number
}

/** Beyond it wrk counts an error. Its own 2 s are less than a queue of new pictures takes on a busy machine. */
const timeoutSeconds = 10

/** Asks for one URL over keep-alive connections for some seconds, as fast as it is answered. */
export async function load(
  url: string,
  serverPid: number,
  { seconds = 1, connections = 32, headers = [], status = 200, script, niceness = 0 }: LoadOptions = {},
): Promise<Load> {
  if (Bun.which('wrk') === null)
    throw new NotPossibleHere('wrk is not installed (Debian: apt-get install wrk)')
  const words = [
    ...(niceness > 0 ? ['nice', '-n', String(niceness)] : []),
    ...['wrk', '-t1', `-c${connections}`, `-d${isQuick ? 3 : seconds}s`, `--timeout=${timeoutSeconds}s`],
    ...headers.flatMap((header) => ['-H', header]),
    ...(script ? ['-s', script[0]] : []),
    url,
    ...(script ? ['--', ...script.slice(1)] : []),
  ]
  const beforeMs = treeCpuMs(serverPid)
  const wrk = Bun.spawn(words, { stdout: 'pipe' })
  const report = await new Response(wrk.stdout).text()
  const serverMs = treeCpuMs(serverPid) - beforeMs
  await wrk.exited
  const requests = Number(/(\d+) requests in/.exec(report)?.[1])
  const others = Number(/Non-2xx or 3xx responses: (\d+)/.exec(report)?.[1] ?? 0)
  if (!(requests > 0) || others !== (status < 400 ? 0 : requests) || report.includes('Socket errors'))
    throw new Error(`${url} did not answer well:\n${report}`)
  return {
    requestsPerSecond: Number(/Requests\/sec:\s+([\d.]+)/.exec(report)?.[1]),
    cpuMicros: (serverMs * 1_000) / requests,
    report,
  }
}

const lookMs = 150
/** CPU time that an idle server may use between two looks. */
const idleMs = 10

/**
 * Waits until a server has done what the load generator left to it: it draws pictures that were asked for, though nobody
 * waits for them any more, and would take that time from whoever is measured next.
 */
export async function untilIdle(serverPid: number): Promise<void> {
  let usedMs = treeCpuMs(serverPid)
  for (let idleLooks = 0; idleLooks < 2; ) {
    await Bun.sleep(lookMs)
    const nowMs = treeCpuMs(serverPid)
    idleLooks = nowMs - usedMs <= idleMs && !wantsProcessor(serverPid) ? idleLooks + 1 : 0
    usedMs = nowMs
  }
}

/** Whether a thread of the process or its descendants could go on: on a busy machine it uses no time and is not idle. */
function wantsProcessor(first: number): boolean {
  return processTree(first).some((pid) =>
    readdirSync(`/proc/${pid}/task`).some((task) => statFields(`/proc/${pid}/task/${task}`)[0] === 'R'),
  )
}
