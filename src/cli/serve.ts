import process from 'node:process'
import type { ProcessReport } from '../access/process-report.ts'
import type { Config } from '../config.ts'
import { Problem } from '../errors.ts'
import { onEndSignals } from '../lib/end-signals.ts'
import type { LineWriter } from '../lib/line-writer.ts'
import { handleUncaughtErrors } from '../lib/uncaught-errors.ts'
import type { WorkerChannel } from '../lib/workers/worker-channel.ts'
import { startedAtVariable, workerVariable } from '../lib/workers/worker-environment.ts'
import { createService, type Service } from '../service.ts'
import type { Listener, Runtime } from './runtime.ts'

/** How long the last requests may take, in ms; payments wait the longest. */
export const lastRequestsMs = 25_000
/** How long the last lines may take where their reader is slow, in ms. */
export const lastLinesMs = 1000

interface ServeParts {
  readonly runtime: Runtime
  readonly env: Readonly<Record<string, string | undefined>>
  readonly readFile: (path: string) => string
  /** Where the log goes. */
  readonly lines: LineWriter
  /** For what must not be in the log. */
  readonly terminal: LineWriter
  /** Only of a process that serves beside others. */
  readonly worker?: WorkerSide
}

interface WorkerSide {
  readonly channel: WorkerChannel
  readonly supervisorGone: Promise<void>
}

/** Serves in this process until it is asked to end. */
export async function serve({ runtime, env, readFile, lines, terminal, worker }: ServeParts): Promise<void> {
  let unhandledErrors = () => 0
  const service = await createService({
    env,
    readFile,
    write: lines.write,
    incidents: () => ({ linesLost: lines.lost(), unhandledErrors: unhandledErrors() }),
    ...(worker && { startedAtMs: Number(env[startedAtVariable]), total: totalOf(worker.channel) }),
  })
  const { config, log } = service
  const listener = listen(runtime, config, worker !== undefined, service.fetch)
  const end = createEnd(service, listener, lines)
  unhandledErrors = handleUncaughtErrors({ log, end: () => end(1) })
  onEndSignals({
    end: () => end(0),
    // The supervisor decides for its workers, who hear each key press as well.
    ...(worker === undefined && { endNow: () => process.exit(1) }),
  })

  // From here on others may ask us to end.
  log.info('listening', {
    port: listener.port,
    url: config.BASE_URL ?? `http://localhost:${listener.port}`,
    pid: process.pid,
  })
  log.flush()
  // Of several workers one speaks: each new link ends the one before it.
  if (worker === undefined || env[workerVariable] === '1') {
    printSetupLink(service, listener.port, terminal).catch((error) =>
      log.warn('there is no link to set the password', { problem: String(error) }),
    )
  }
  worker?.channel.onReport(service.report)
  worker?.channel.ready()
  worker?.supervisorGone.then(() => {
    log.error('the supervisor has gone, so this worker ends')
    // Who takes over may want the port for itself.
    end(1, 0)
  })
}

/** Returns what ends the process politely, once: the answers under way are given, then what is held is stored. */
function createEnd(service: Service, listener: Listener, lines: LineWriter) {
  const { config, log } = service
  let isEnding = false
  return async (exitCode: number, drainMs = config.DRAIN_MS): Promise<void> => {
    if (isEnding) return
    isEnding = true
    service.startDraining()
    await sleep(drainMs)
    await Promise.race([listener.stop(), sleep(lastRequestsMs)])
    log.info('stopped')
    service.close()
    await lines.drain(lastLinesMs)
    process.exit(exitCode)
  }
}

function totalOf(channel: WorkerChannel) {
  return async (maxAgeMs: number): Promise<ProcessReport> => {
    try {
      return (await channel.total(maxAgeMs)) as ProcessReport
    } catch {
      throw new Problem('busy', 'The other processes did not say what they counted.', {
        headers: { 'retry-after': '2' },
      })
    }
  }
}

/** What the runtimes say of an address that cannot be had names no setting, and sometimes the wrong fault. */
function listen(
  runtime: Runtime,
  { HOST, PORT }: Config,
  reusePort: boolean,
  fetch: Service['fetch'],
): Listener {
  try {
    return runtime.listen({ hostname: HOST, port: PORT, reusePort }, fetch)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`HOST ${HOST} with PORT ${PORT} cannot be listened on: ${reason}`)
  }
}

/** Goes to the terminal, not into the log: who has the link can set the password, once. */
async function printSetupLink(
  { config, startSetup }: Service,
  port: number,
  terminal: LineWriter,
): Promise<void> {
  const token = await startSetup()
  if (token === undefined) return
  const origin = config.ADMIN_HOST
    ? `https://${config.ADMIN_HOST}`
    : (config.BASE_URL ?? `http://localhost:${port}`)
  terminal.write(`Set the operator's password, once: ${origin}/admin/setup?token=${token}\n`)
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
