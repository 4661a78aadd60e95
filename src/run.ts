import { readFileSync } from 'node:fs'
import process from 'node:process'
import type { Config } from './config.ts'
import { configAtStart, workerCount } from './config-at-start.ts'
import { onEndSignals } from './lib/end-signals.ts'
import { installLastResort } from './lib/last-resort.ts'
import { openLineSink } from './lib/line-sink.ts'
import { createLineWriter, type LineWriter } from './lib/line-writer.ts'
import { superviseWorkers, workerVariable } from './lib/workers.ts'
import { createService, type Service } from './service.ts'

type Environment = Readonly<Record<string, string | undefined>>
type Fetch = Service['fetch']

export interface ListenOptions {
  readonly hostname: string
  readonly port: number
  /** Several processes listen on the same port. */
  readonly reusePort: boolean
}

export interface Listener {
  readonly port: number
  /** Refuses new connections; resolves when the last request has its answer. */
  stop(): Promise<void>
}

/** What differs between Bun and Deno. */
export interface Runtime {
  listen(options: ListenOptions, fetch: Fetch): Listener
}

/** How long the last requests may take, in ms; payments wait the longest. */
const lastRequestsMs = 25_000
/** How long the last lines may take where their reader is slow. */
const lastLinesMs = 1000

/** Runs the service until it is asked to stop. Several workers are processes of their own on one port. */
export async function run(runtime: Runtime, env: Environment): Promise<void> {
  const terminal = createLineWriter({
    sink: openLineSink(2),
    lostLine: (count) => `${count} lines were lost`,
  })
  try {
    const workers = workerCount(await configAtStart(env, readText))
    const isWorker = env[workerVariable] !== undefined
    if (workers === 1 || isWorker) await serve(runtime, env, isWorker, terminal)
    else superviseWorkers(workers, env)
  } catch (error) {
    terminal.write(`${error instanceof Error ? error.message : String(error)}\n`)
    await terminal.drain(lastLinesMs)
    process.exit(1)
  }
}

async function serve(
  runtime: Runtime,
  env: Environment,
  reusePort: boolean,
  terminal: LineWriter,
): Promise<void> {
  const lines = createLineWriter({ sink: openLineSink(1), lostLine: lostLogLine })
  let unhandledErrors = () => 0
  const service = await createService({
    env,
    readFile: readText,
    write: lines.write,
    incidents: () => ({ linesLost: lines.lost(), unhandledErrors: unhandledErrors() }),
  })
  const { config, log } = service
  const listener = listen(runtime, config, reusePort, service.fetch)
  let isEnding = false
  const end = async (exitCode: number) => {
    if (isEnding) return
    isEnding = true
    service.startDraining()
    await sleep(config.DRAIN_MS)
    await Promise.race([listener.stop(), sleep(lastRequestsMs)])
    log.info('stopped')
    service.close()
    await lines.drain(lastLinesMs)
    process.exit(exitCode)
  }
  unhandledErrors = installLastResort({ log, end: () => end(1) })
  onEndSignals({ end: () => end(0), endNow: () => process.exit(1) })

  // From here on others may ask us to end.
  log.info('listening', {
    port: listener.port,
    url: config.BASE_URL ?? `http://localhost:${listener.port}`,
    pid: process.pid,
  })
  log.flush()
  // Of several workers one speaks: each new link ends the one before it.
  if (!reusePort || env[workerVariable] === '1') {
    printSetupLink(service, listener.port, terminal).catch((error) =>
      log.warn('there is no link to set the password', { problem: String(error) }),
    )
  }
}

function lostLogLine(count: number): string {
  return JSON.stringify({
    time: new Date().toISOString(),
    level: 'warn',
    message: `${count} lines were lost`,
    count,
  })
}

/** What the runtimes say of an address that cannot be had names no setting, and sometimes the wrong fault. */
function listen(runtime: Runtime, { HOST, PORT }: Config, reusePort: boolean, fetch: Fetch): Listener {
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

function readText(path: string): string {
  return readFileSync(path, 'utf8')
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
