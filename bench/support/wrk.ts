import { readdirSync, readFileSync } from 'node:fs'
import { processTree } from '../faults/support/process-tree.ts'

/** Whether the load generator is there: Debian's package `wrk`. */
export const hasWrk = Bun.which('wrk') !== null

export interface Load {
  readonly requestsPerSecond: number
  /** CPU time that the server spent on one request, in µs. */
  readonly cpuMicros: number
  /** CPU time that the load generator spent on one request, in µs. */
  readonly generatorMicros: number
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
  { seconds = 3, connections = 32, headers = [], status = 200, script, niceness = 0 }: LoadOptions = {},
): Promise<Load> {
  const before = cpuTicks(serverPid)
  const words = [
    ...(niceness > 0 ? ['nice', '-n', String(niceness)] : []),
    'wrk',
    '-t1',
    `-c${connections}`,
    `-d${seconds}s`,
    `--timeout=${timeoutSeconds}s`,
    ...headers.flatMap((header) => ['-H', header]),
    ...(script ? ['-s', script[0]] : []),
    url,
    ...(script ? ['--', ...script.slice(1)] : []),
  ]
  const wrk = Bun.spawn(words, { stdout: 'pipe' })
  const report = await new Response(wrk.stdout).text()
  const ticks = cpuTicks(serverPid) - before
  await wrk.exited
  const generatorMicros = Number(wrk.resourceUsage()?.cpuTime.total)
  const requests = Number(/(\d+) requests in/.exec(report)?.[1])
  const perSecond = Number(/Requests\/sec:\s+([\d.]+)/.exec(report)?.[1])
  const others = Number(/Non-2xx or 3xx responses: (\d+)/.exec(report)?.[1] ?? 0)
  if (!(requests > 0) || others !== (status < 400 ? 0 : requests) || report.includes('Socket errors'))
    throw new Error(`${url} did not answer well:\n${report}`)
  return {
    requestsPerSecond: perSecond,
    cpuMicros: (ticks * microsPerTick) / requests,
    generatorMicros: generatorMicros / requests,
    report,
  }
}

const lookMs = 150
/** CPU ticks that an idle server may use between two looks. */
const idleTicks = 1

/**
 * Waits until a server has done what the load generator left to it: it draws pictures that were asked for, though nobody
 * waits for them any more, and would take that time from whoever is measured next.
 */
export async function untilIdle(serverPid: number): Promise<void> {
  let ticks = cpuTicks(serverPid)
  for (let idleLooks = 0; idleLooks < 2; ) {
    await Bun.sleep(lookMs)
    const now = cpuTicks(serverPid)
    idleLooks = now - ticks <= idleTicks && !wantsProcessor(serverPid) ? idleLooks + 1 : 0
    ticks = now
  }
}

/** Whether a thread of the process or its descendants could go on: on a busy machine it uses no time and is not idle. */
function wantsProcessor(root: number): boolean {
  return processTree(root).some((pid) =>
    readdirSync(`/proc/${pid}/task`).some((task) => statFields(`/proc/${pid}/task/${task}`)[0] === 'R'),
  )
}

/** Linux counts in hundredths of a second. */
const microsPerTick = 10_000

/** CPU ticks of a process and its descendants, such as workers. */
function cpuTicks(root: number): number {
  return processTree(root).reduce((sum, pid) => sum + ownTicks(pid), 0)
}

function ownTicks(pid: number): number {
  const [user, system] = statFields(`/proc/${pid}`).slice(11, 13)
  return Number(user) + Number(system)
}

/** The fields of `stat` from the state on. */
function statFields(folder: string): readonly string[] {
  return (readFileSync(`${folder}/stat`, 'utf8').split(') ')[1] ?? '').split(' ')
}
