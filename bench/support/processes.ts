import { spawn } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../test/support/free-port.ts'

const root = join(import.meta.dirname, '../..')
const startMsMax = 30_000
const endings: (() => unknown)[] = []

export function defer(ending: () => unknown): void {
  endings.push(ending)
}

export async function endAll(): Promise<void> {
  for (const ending of endings.splice(0).reverse()) await ending()
}

export function directory(): string {
  const folder = mkdtempSync(join(tmpdir(), 'mintmark-bench-'))
  defer(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

export interface ServerOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly program?: readonly string[]
  /** Words in front of the program, such as a shell that gives it another output. */
  readonly launcher?: readonly string[]
  readonly port?: number
  readonly cwd?: string
  /** Its log is written, but to nowhere unless a file is named. */
  readonly logPath?: string
  /** A path that answers 200 once the server is ready. */
  readonly readyPath?: string
  readonly pollMs?: number
}

export type Server = Awaited<ReturnType<typeof startServer>>

/** Starts a server, the real program unless another is named, and waits until it answers. It is stopped in the end. */
export async function startServer({
  env,
  program = [process.execPath, join(root, 'src/main.ts')],
  launcher = [],
  port: wantedPort,
  cwd = root,
  logPath = '/dev/null',
  readyPath = '/healthz',
  pollMs = 25,
}: ServerOptions = {}) {
  const port = wantedPort ?? (await freePort())
  const dataDir = env?.['DATA_DIR'] ?? directory()
  const log = openSync(logPath, 'a')
  const [command = '', ...words] = [...launcher, ...program]
  const startMs = performance.now()
  const child = spawn(
    command,
    words.map((word) => word.replace('{port}', String(port))),
    {
      cwd,
      detached: true,
      stdio: ['ignore', log, log],
      env: {
        PATH: process.env['PATH'],
        HOME: process.env['HOME'],
        HOST: '127.0.0.1',
        DEMO_DAILY_QUOTA: '1000000000',
        DATA_DIR: dataDir,
        PORT: String(port),
        ...env,
      },
    },
  )
  closeSync(log)
  const pid = child.pid ?? 0
  let code: number | null | undefined
  let isStopped = false
  const exited = new Promise<void>((resolve) => {
    child.on('exit', (exitCode) => {
      code = exitCode
      resolve()
    })
  })
  function lastWords(): string {
    return `exit code ${code}; ${logPath === '/dev/null' ? '' : readFileSync(logPath, 'utf8').slice(-300)}`
  }
  /** Ends its whole process group, and returns the exit code of the first process; null if a signal killed it. */
  async function stop(name: NodeJS.Signals = 'SIGTERM'): Promise<number | null | undefined> {
    isStopped = true
    if (code === undefined) sendSignal(pid, name)
    await exited
    sendSignal(-pid, 'SIGKILL')
    return code
  }
  defer(() => stop('SIGKILL'))
  const url = `http://127.0.0.1:${port}`
  while (!(await answers(url + readyPath))) {
    if (code !== undefined) throw new Error(`The server did not start: ${lastWords()}`)
    if (performance.now() - startMs > startMsMax) throw new Error('The server does not answer.')
    await Bun.sleep(pollMs)
  }
  return {
    url,
    port,
    pid,
    dataDir,
    databasePath: join(dataDir, 'mintmark.sqlite'),
    readyMs: performance.now() - startMs,
    isAlive: () => code === undefined,
    isStopped: () => isStopped,
    lastWords,
    signal: (name: NodeJS.Signals) => sendSignal(pid, name),
    stop,
  }
}

function sendSignal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // It has ended by itself meanwhile.
  }
}

async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(url, { keepalive: false, signal: AbortSignal.timeout(2000) })).ok
  } catch {
    return false
  }
}

/** Runs a program to its end: CPU time of all its threads, from the start of the process on, and its peak memory. */
export async function runProgram(words: readonly string[], runtime = process.execPath) {
  const startMs = performance.now()
  const child = Bun.spawn([runtime, ...words], { stdout: 'ignore', stderr: 'inherit' })
  const code = await child.exited
  if (code !== 0) throw new Error(`${words.join(' ')} ended with ${code}`)
  const wallMs = performance.now() - startMs
  const { cpuTime, maxRSS = 0 } = child.resourceUsage() ?? {}
  return { wallMs, cpuMs: Number(cpuTime?.total ?? 0) / 1_000, memoryMb: maxRSS / 2 ** 20 }
}

/** A process and all below it. Linux only, as is all that follows. */
export function processTree(first: number): readonly number[] {
  const children = new Map<number, number[]>()
  for (const name of readdirSync('/proc')) {
    const parent = /^\d+$/.test(name) ? Number(/^PPid:\s*(\d+)$/m.exec(statusOf(name))?.[1]) : Number.NaN
    if (!Number.isNaN(parent)) children.set(parent, [...(children.get(parent) ?? []), Number(name)])
  }
  const tree = [first]
  for (const pid of tree) tree.push(...(children.get(pid) ?? []))
  return tree
}

export function residentMb(pid: number): number {
  return Number(/^VmRSS:\s+(\d+)/m.exec(statusOf(pid))?.[1] ?? 0) / 1024
}

/** CPU time of a process and all below it, in ms. Linux counts in hundredths of a second. */
export function treeCpuMs(first: number): number {
  return processTree(first).reduce((sum, pid) => {
    const [user, system] = statFields(`/proc/${pid}`).slice(11, 13)
    return sum + 10 * (Number(user ?? 0) + Number(system ?? 0))
  }, 0)
}

/** The fields of `stat` from the state on. */
export function statFields(folder: string): readonly string[] {
  return (textOf(`${folder}/stat`).split(') ')[1] ?? '').split(' ')
}

function statusOf(pid: number | string): string {
  return textOf(`/proc/${pid}/status`)
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
