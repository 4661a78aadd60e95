import { spawn } from 'node:child_process'
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../../test/support/free-port.ts'
import { createCgroup } from './cgroup.ts'

export interface ServerOptions {
  readonly dataDir: string
  readonly env?: Readonly<Record<string, string>>
  readonly port?: number
  /** Words in front of the program, such as a shell that gives it another output. */
  readonly launcher?: readonly string[]
  readonly memoryLimitMb?: number | undefined
  /** The folder that it is started from; the repository's own when absent. */
  readonly cwd?: string
}

/** The real program in a process group of its own, as a service manager runs it. */
export interface FaultServer {
  readonly url: string
  readonly port: number
  readonly pid: number
  readonly dataDir: string
  readonly databasePath: string
  readonly isAlive: () => boolean
  /** Whether the scenario ended it. */
  readonly isEnded: () => boolean
  /** How it ended and the end of its log, for people. */
  readonly lastWords: () => string
  /** All that it has logged. */
  readonly log: () => string
  /** Sends a signal to the process alone, or to its whole group. */
  signal(name: NodeJS.Signals, toGroup?: boolean): void
  /** Ends it and resolves with its exit code; null when the signal killed it. */
  stop(name?: NodeJS.Signals): Promise<number | null>
}

export const adminPassword = 'correct horse battery staple'

const root = join(import.meta.dirname, '../../..')
const startMsMax = 30_000

/** Starts it and waits until it answers. It throws with the program's own words when it ends instead. */
export async function startFaultServer(options: ServerOptions): Promise<FaultServer> {
  const server = await launch(options)
  const deadlineMs = performance.now() + startMsMax
  while (!(await answers(server.url))) {
    if (!server.isAlive()) {
      const words = server.lastWords()
      await server.stop()
      throw new Error(`The server did not start: ${words}`)
    }
    if (performance.now() > deadlineMs) throw new Error('The server does not answer.')
    await Bun.sleep(25)
  }
  return server
}

async function launch({ dataDir, env, port, launcher = [], memoryLimitMb, cwd = root }: ServerOptions) {
  const ownPort = port ?? (await freePort())
  const cgroup = memoryLimitMb === undefined ? undefined : createCgroup(memoryLimitMb)
  const logFolder = mkdtempSync(join(tmpdir(), 'mintmark-faults-log-'))
  const logPath = join(logFolder, 'log.txt')
  const log = openSync(logPath, 'a')
  const program = [...(cgroup?.launcher ?? []), ...launcher, process.execPath, join(root, 'src/main.ts')]
  const [command = '', ...words] = program
  const child = spawn(command, words, {
    cwd,
    detached: true,
    stdio: ['ignore', log, log],
    env: { ...baseEnv, PORT: String(ownPort), DATA_DIR: dataDir, ...env },
  })
  closeSync(log)
  let code: number | null | undefined
  let isEnded = false
  const exited = new Promise<number | null>((resolve) =>
    child.on('exit', (exitCode) => {
      code = exitCode
      resolve(exitCode)
    }),
  )
  const pid = child.pid ?? 0
  groups.add(pid)
  return {
    url: `http://127.0.0.1:${ownPort}`,
    port: ownPort,
    pid,
    dataDir,
    databasePath: join(dataDir, 'mintmark.sqlite'),
    isAlive: () => code === undefined,
    isEnded: () => isEnded,
    log: () => wordsOf(logPath),
    lastWords: () =>
      `exit code ${code}, ${cgroup?.kills() ?? 0} ended for want of memory; ${wordsOf(logPath).slice(-300)}`,
    signal: (name: NodeJS.Signals, toGroup = false) => signalTo(toGroup ? -pid : pid, name),
    async stop(name: NodeJS.Signals = 'SIGTERM') {
      isEnded = true
      if (code === undefined) signalTo(pid, name)
      const exitCode = await exited
      signalTo(-pid, 'SIGKILL')
      groups.delete(pid)
      await cgroup?.remove()
      rmSync(logFolder, { recursive: true, force: true })
      return exitCode
    },
  }
}

/** Nothing of the caller's environment but where programs are. */
const baseEnv = {
  PATH: process.env['PATH'],
  HOME: process.env['HOME'],
  HOST: '127.0.0.1',
  DRAIN_MS: '0',
  ADMIN_PASSWORD: adminPassword,
  DEMO_DAILY_QUOTA: '1000000',
  KEYS_PER_IP_PER_DAY: '1000000',
  FETCH_TARGET_PER_MINUTE: '1000000',
  FETCH_UNPAID_PER_MINUTE: '1000000',
}

function wordsOf(logPath: string): string {
  return existsSync(logPath) ? readFileSync(logPath, 'utf8').trim() : ''
}

const groups = new Set<number>()
process.on('exit', () => {
  for (const pid of groups) signalTo(-pid, 'SIGKILL')
})

function signalTo(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // It has ended by itself meanwhile.
  }
}

async function answers(url: string): Promise<boolean> {
  try {
    const response = await fetch(`${url}/healthz`, { keepalive: false, signal: AbortSignal.timeout(2000) })
    return response.ok
  } catch {
    return false
  }
}
