import { lookup } from 'node:dns/promises'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../config.ts'
import { busy } from '../errors.ts'
import { basePathOf } from '../http/base-path.ts'
import { errorCode, reasonOf } from '../lib/system-reason.ts'
import { createService, type Service } from '../service.ts'
import {
  handleUncaughtErrors,
  lastLinesMs,
  lastRequestsMs,
  lateRequestsMs,
  onEndSignals,
} from './end-signals.ts'
import type { LineWriter } from './log-output/line-writer.ts'
import { workerCount } from './read-start-config.ts'
import { readText } from './read-text.ts'
import type { Listener, Runtime } from './runtime.ts'
import type { WorkerChannel } from './workers/worker-channel.ts'

interface ServeParts {
  readonly runtime: Runtime
  readonly config: Config
  readonly lines: LineWriter
  /** Receives what must not be in the log. */
  readonly terminal: LineWriter
  readonly worker: WorkerSide | undefined
}

interface WorkerSide {
  readonly channel: WorkerChannel
  readonly supervisorGone: Promise<void>
  /** The start of the first worker; this one may replace another. */
  readonly startedAtMs: number
  readonly isFirst: boolean
}

export async function serve(parts: ServeParts): Promise<void> {
  const { runtime, config, lines, terminal, worker } = parts
  let unhandledErrors = () => 0
  const service = await createService({
    config,
    readFile: readText,
    write: lines.write,
    incidents: () => ({ linesLost: lines.lost(), unhandledErrors: unhandledErrors() }),
    ...(worker && {
      processes: workerCount(config),
      startedAtMs: worker.startedAtMs,
      total: (maxAgeMs) =>
        worker.channel.total(maxAgeMs).catch(() => {
          throw busy('The other processes did not say what they counted.', 2)
        }),
    }),
  })
  const { log } = service
  const traffic = watchTraffic(service)
  const stop = async () => (await listening).stop()
  const end = createEnd(service, { stop, isQuiet: traffic.isQuiet }, lines)
  unhandledErrors = handleUncaughtErrors(log, () => end(1))
  // Workers receive the signals of the terminal too; the supervisor decides for them.
  onEndSignals(() => end(0), worker === undefined ? () => process.exit(1) : undefined)

  // The port opens last: before its handlers, a signal would end the process with callers unanswered.
  const listening = listen(runtime, config, worker !== undefined, { ...service, fetch: traffic.fetch })
  const { port } = await listening
  log.info('listening', { port, url: config.BASE_URL ?? `http://localhost:${port}`, pid: process.pid })
  log.flush()
  // Each new link revokes the one before it, so only one worker prints one.
  if (worker === undefined || worker.isFirst) {
    printSetupLink(service, port, terminal).catch((error) =>
      log.warn('there is no link to set the password', { problem: String(error) }),
    )
  }
  if (worker !== undefined) {
    const { channel } = worker
    service.changes.onTell(channel.tellChange)
    channel.onChange(() => void service.changes.heard())
    channel.ready(service.report)
  }
  worker?.supervisorGone.then(() => {
    log.error('the supervisor has gone, so this worker ends')
    // Without draining: a new supervisor may need the port.
    end(1, 0)
  })
}

/** Returns the graceful end of the process, which runs once: requests in flight are answered, then buffers are written. */
function createEnd(
  service: Service,
  listener: Pick<Listener & Traffic, 'stop' | 'isQuiet'>,
  lines: LineWriter,
) {
  const { config, log } = service
  let isEnding = false
  return async (exitCode: number, drainMs = config.DRAIN_MS): Promise<void> => {
    if (isEnding) return
    isEnding = true
    service.startDraining()
    await sleep(drainMs)
    await untilQuiet(listener.isQuiet)
    await Promise.race([listener.stop(), sleep(lastRequestsMs)])
    log.info('stopped')
    await service.close()
    await lines.drain(lastLinesMs)
    process.exit(exitCode)
  }
}

type Traffic = ReturnType<typeof watchTraffic>

function watchTraffic(service: Pick<Service, 'fetch'>) {
  let underWay = 0
  let arrived = 0
  let arrivedBefore = 0
  function leave(): void {
    underWay -= 1
  }
  return {
    fetch(...request: Parameters<Service['fetch']>): ReturnType<Service['fetch']> {
      arrived += 1
      const response = service.fetch(...request)
      if (response instanceof Promise) {
        underWay += 1
        response.then(leave, leave)
      }
      return response
    },
    /** True if nothing is under way, and nothing has arrived since this was asked last. */
    isQuiet(): boolean {
      const isQuiet = underWay === 0 && arrived === arrivedBefore
      arrivedBefore = arrived
      return isQuiet
    },
  }
}

/** Waits for a moment without requests: a listener that closes resets the connections that it has not accepted or not read. */
async function untilQuiet(isQuiet: () => boolean): Promise<void> {
  for (let looks = 0, quietLooks = 0; quietLooks < quietLooksMin && looks < looksMax; looks += 1) {
    await sleep(lookMs)
    quietLooks = isQuiet() ? quietLooks + 1 : 0
  }
}

const lookMs = 10
/** Looks are counted, not time: a process that a busy machine keeps waiting needs more of it to read what has arrived. */
const looksMax = lateRequestsMs / lookMs
/** The event loop accepts what the kernel holds in one turn, and reads it in a later one: on a busy machine some time later. */
const quietLooksMin = 15

/** Listens, or throws an error that names the settings: the runtimes' own errors name none, and sometimes the wrong cause. */
async function listen(
  runtime: Runtime,
  { HOST, PORT }: Config,
  reusePort: boolean,
  service: Parameters<Runtime['listen']>[1],
): Promise<Listener> {
  try {
    return runtime.listen({ hostname: HOST, port: PORT, reusePort }, service)
  } catch (error) {
    const reason = await listenProblem(error, HOST, PORT)
    throw new Error(`HOST ${HOST} with PORT ${PORT} cannot be listened on: ${reason}`, { cause: error })
  }
}

async function listenProblem(error: unknown, host: string, port: number): Promise<string> {
  const ownAddress = 'Set HOST to an address of this machine: 0.0.0.0 for all of them, 127.0.0.1 for itself.'
  // Bun reports a name that nobody knows as a file that exists.
  const address = await lookup(host).catch((problem: unknown) => problem)
  if (address instanceof Error) return `${reasonOf(address)}. ${ownAddress}`
  const code = errorCode(error)
  if (code === 'EADDRNOTAVAIL') return `${reasonOf(error)}. ${ownAddress}`
  if (code === 'EADDRINUSE') return `${reasonOf(error)}. End it, or set PORT to another number.`
  if (code === 'EACCES' && port < 1024)
    return `${reasonOf(error)}. Set PORT to 1024 or more, and let a proxy listen on ${port}.`
  return reasonOf(error)
}

/** Prints the set-up link on the terminal, not into the log, because anyone who has it can set the password, once. */
async function printSetupLink({ config, startSetup }: Service, port: number, terminal: LineWriter) {
  const token = await startSetup()
  if (token === undefined) return
  const baseUrl = config.BASE_URL ?? `http://localhost:${port}`
  const start = config.ADMIN_HOST ? `https://${config.ADMIN_HOST}${basePathOf(baseUrl)}` : baseUrl
  terminal.write(`Set the operator's password, once: ${start}/admin/setup?token=${token}\n`)
}
