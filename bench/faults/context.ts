import { Database } from 'bun:sqlite'
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { createServer } from 'node:tls'
import { startDnsServer } from '../../test/web/support/dns-server.ts'
import { NotPossibleHere } from '../support/measure.ts'
import {
  defer,
  directory,
  endAll,
  type Server,
  type ServerOptions,
  startServer,
} from '../support/processes.ts'
import type { MonitorReport } from './monitor-process.ts'

/** One fault, and what must hold while it lasts. */
export interface Scenario {
  readonly name: string
  readonly title: string
  /** One sentence about what the scenario does to the server, without figures, because those come from the run. */
  readonly tried: string
  readonly bounds?: Partial<typeof defaultBounds>
  run(context: FaultContext): Promise<void>
}

/** The longest that `/healthz` may take, without what the server waited for a processor; growth of the process tree. */
export const defaultBounds = { stallMsMax: 500, memoryMbMax: 350 }

/** Results of a scenario. Each text is the evidence for people; the table shows its number. */
export interface Measurement {
  readonly scenario: Scenario
  readonly seconds: number
  /** How often, by what was done: kills, calls. */
  readonly counts: ReadonlyMap<string, number>
  /** Counted calls or issued keys that are gone. */
  readonly lost: ReadonlyMap<string, number>
  /** 5xx that say nothing, charged and not delivered, delivered and not charged, a promise that was not kept. */
  readonly wrong: ReadonlyMap<string, number>
  readonly reports: readonly MonitorReport[]
  /** Why it could not be tried here, such as a program that is missing. */
  readonly skipped?: string
}

export async function measure(scenario: Scenario, { isQuick = false } = {}): Promise<Measurement> {
  const startMs = performance.now()
  const context = new FaultContext(isQuick)
  let skipped: string | undefined
  try {
    await scenario.run(context)
  } catch (error) {
    if (error instanceof NotPossibleHere) skipped = error.message
    else context.mistake(`the scenario broke off: ${error instanceof Error ? error.message : String(error)}`)
  }
  await endAll()
  const seconds = (performance.now() - startMs) / 1000
  const { counts, lost, wrong, reports } = context
  return { scenario, seconds, counts, lost, wrong, reports, ...(skipped !== undefined && { skipped }) }
}

/** Every bound that was missed, in words. `stallSlack` widens that of the stall on a machine that does other things. */
export function failuresOf(measured: Measurement, { stallSlack = 1 } = {}): readonly string[] {
  const { stallMsMax, memoryMbMax } = { ...defaultBounds, ...measured.scenario.bounds }
  const { stallMs, grownMb } = worstOf(measured)
  return [
    ...[...measured.lost].map(([what, times]) => `lost: ${what} (${times} times)`),
    ...[...measured.wrong].map(([what, times]) => `wrong: ${what} (${times} times)`),
    ...(stallMs > stallMsMax * stallSlack
      ? [`/healthz took ${Math.round(stallMs)} ms of ${stallMsMax} ms`]
      : []),
    ...(grownMb > memoryMbMax ? [`memory grew by ${Math.round(grownMb)} MB of ${memoryMbMax} MB`] : []),
  ]
}

export function worstOf({ reports }: Measurement) {
  return {
    stallMs: Math.max(0, ...reports.map(({ stallMs }) => stallMs)),
    peakMb: Math.max(0, ...reports.map(({ peakMb }) => peakMb)),
    grownMb: Math.max(0, ...reports.map(({ peakMb, idleMb }) => peakMb - idleMb)),
  }
}

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly ms: number
}

interface AskOptions {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  readonly expected?: readonly number[]
}

const answerMsMax = 60_000

/** The helpers of a scenario. All that it starts is measured from outside and ended with it. */
export class FaultContext {
  readonly counts = new Map<string, number>()
  readonly lost = new Map<string, number>()
  readonly wrong = new Map<string, number>()
  readonly reports: MonitorReport[] = []

  readonly isQuick: boolean
  constructor(isQuick: boolean) {
    this.isQuick = isQuick
  }

  times(full: number, quick: number): number {
    return this.isQuick ? quick : full
  }

  count(what: string, times = 1): void {
    add(this.counts, what, times)
  }

  lose(what: string, times = 1): void {
    add(this.lost, what, times)
  }

  mistake(what: string, times = 1): void {
    add(this.wrong, what, times)
  }

  expect(isTrue: boolean, otherwise: string): void {
    if (!isTrue) this.mistake(otherwise)
  }

  /** Starts the real program, in little memory, and watches it from a process of its own unless the scenario stops it. */
  async startServer(options: ServerOptions & { readonly isWatched?: boolean } = {}): Promise<Server> {
    const logPath = join(directory(), 'log.txt')
    const launcher = [...limitedMemory(), ...(options.launcher ?? [])]
    const server = await startServer({ ...options, launcher, logPath, env: { ...env, ...options.env } })
    defer(() => this.expect(server.isAlive() || server.isStopped(), `a server died: ${server.lastWords()}`))
    if (options.isWatched === false) return server
    const words = [
      process.execPath,
      join(import.meta.dirname, 'monitor-process.ts'),
      server.url,
      String(server.pid),
    ]
    const ready = Promise.withResolvers<void>()
    const monitor = Bun.spawn(words, {
      stdin: 'pipe',
      ipc: (message: 'ready' | MonitorReport) => {
        if (message === 'ready') ready.resolve()
        else this.reports.push(message)
      },
    })
    await ready.promise
    defer(async () => {
      await monitor.stdin.end()
      await monitor.exited
    })
    return server
  }

  /**
   * One call, whole. Undefined: nobody answered, as the connection was refused or cut. An error of ours is noted: a 500,
   * or a 503 that does not say when to come back.
   */
  async ask(url: string, { expected, ...init }: AskOptions = {}): Promise<Answer | undefined> {
    const startMs = performance.now()
    try {
      const signal = AbortSignal.timeout(answerMsMax)
      const response = await fetch(url, { ...init, keepalive: false, redirect: 'manual', signal })
      const { status, headers } = response
      const text = await response.text()
      const isBusy = status === 503 && headers.has('retry-after')
      const isOurError = status >= 500 && status !== 502 && status !== 504 && !isBusy
      if (isOurError || expected?.includes(status) === false)
        this.mistake(`${new URL(url).pathname} answered ${status}`)
      return { status, headers, text, ms: performance.now() - startMs }
    } catch (error) {
      if (error instanceof DOMException && error.name === 'TimeoutError')
        this.mistake(`${new URL(url).pathname} was not answered within ${answerMsMax / 1000} s`)
      return undefined
    }
  }
}

/** Evidence is for people: a hundred different texts are no better than twenty. */
const textsMax = 20

function add(map: Map<string, number>, what: string, times: number): void {
  if (times <= 0) return
  const key = map.has(what) || map.size < textsMax ? what : 'other'
  map.set(key, (map.get(key) ?? 0) + times)
}

export const adminPassword = 'correct horse battery staple'
const env = {
  DRAIN_MS: '0',
  LOG_LEVEL: 'error',
  ADMIN_PASSWORD: adminPassword,
  DEMO_DAILY_QUOTA: '1000000',
  KEYS_PER_IP_PER_DAY: '1000000',
  FETCH_TARGET_PER_MINUTE: '1000000',
  FETCH_UNPAID_PER_MINUTE: '1000000',
}

/** The memory of each server, where this machine lets us set a limit. */
const limitMb = 512
/** Version 1 of cgroups has a tree for memory alone, version 2 one tree for everything. */
const cgroups = [
  ['/sys/fs/cgroup/memory', 'memory.limit_in_bytes'],
  ['/sys/fs/cgroup', 'memory.max'],
] as const
let groups = 0

/** Words in front of a program, so that it has so much memory and no more; none where no limit can be set. */
function limitedMemory(): readonly string[] {
  for (const [root, limitFile] of cgroups) {
    const folder = join(root, `mintmark-faults-${process.pid}-${++groups}`)
    try {
      mkdirSync(folder)
      defer(() => removeGroup(folder))
      writeFileSync(join(folder, limitFile), String(limitMb * 2 ** 20))
      return ['sh', '-c', 'echo $$ > "$0/cgroup.procs"; exec "$@"', folder]
    } catch {
      // The next kind, or none.
    }
  }
  return []
}

async function removeGroup(folder: string): Promise<void> {
  for (let tries = 0; tries < 40 && existsSync(folder); tries++)
    try {
      rmdirSync(folder)
    } catch {
      // Processes that end are still in it.
      await Bun.sleep(50)
    }
}

export async function inParallel(
  total: number,
  atOnce: number,
  job: (index: number) => Promise<unknown>,
): Promise<void> {
  let next = 0
  async function worker(): Promise<void> {
    while (next < total) await job(next++)
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, total) }, worker))
}

/** Repeats a job, so many at a time, until it is told to stop. */
export function repeat(atOnce: number, job: () => Promise<unknown>) {
  let isOver = false
  async function worker(): Promise<void> {
    while (!isOver) await job()
  }
  const all = Promise.all(Array.from({ length: atOnce }, worker))
  return {
    async stop(): Promise<void> {
      isOver = true
      await all
    },
  }
}

/** Reads a server's database beside it, as an auditor would: nothing of the server's own code is used. */
export function readRow<T>(databasePath: string, statement: string): T {
  using database = new Database(databasePath, { readonly: true })
  database.run('pragma busy_timeout = 5000')
  return database.query<T, []>(statement).get() as T
}

export function demoUsed({ databasePath }: Pick<Server, 'databasePath'>): number {
  const statement = "select sum(used) used from usage_days where bucket = 'demo'"
  return readRow<{ used: number | null }>(databasePath, statement).used ?? 0
}

/** Calls on the demo quota: those that were granted, and those that nobody answered, which may be counted or not. */
export class DemoCalls {
  granted = 0
  cut = 0

  private readonly context: FaultContext
  constructor(context: FaultContext) {
    this.context = context
  }

  async call(url: string, options: AskOptions = {}): Promise<Answer | undefined> {
    const answer = await this.context.ask(url, options)
    if (answer === undefined) this.cut += 1
    else if (answer.status === 200) this.granted += 1
    return answer
  }

  /** Every granted call is counted, and none but those and the ones that were cut. */
  check(server: Server): void {
    const used = demoUsed(server)
    this.context.count('calls answered', this.granted)
    this.context.lose('delivered and not counted', this.granted - used)
    this.context.mistake('counted and not delivered', used - this.granted - this.cut)
  }
}

interface SiteRequest {
  readonly path: string
  readonly host: string
  readonly socket: Socket
}

/**
 * Somebody else's site, which does with each connection what it is told to, and the settings that a server needs to
 * reach it. Every name below `example.com` is its own.
 */
export async function startSite(answer: (request: SiteRequest) => void) {
  const folder = new URL('../../test/fixtures/web/tls/', import.meta.url).pathname
  const [key, cert] = ['site.key', 'site.pem'].map((name) => readFileSync(join(folder, name)))
  const sockets = new Set<Socket>()
  const site = createServer({ key, cert }, (socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
    socket.once('data', (data) => {
      const request = data.toString('latin1')
      const host = /^host: *([^:\r]*)/im.exec(request)?.[1] ?? ''
      answer({ path: request.split(' ')[1] ?? '/', host, socket })
    })
  })
  site.on('tlsClientError', () => {})
  // Each site has a loopback address of its own, so that several can have the port that sites have.
  const address = ['127', ...Array.from({ length: 3 }, () => 1 + Math.floor(Math.random() * 250))].join('.')
  await new Promise<void>((resolve, reject) => {
    site.once('error', () => reject(new NotPossibleHere('this machine lets us listen on no low port')))
    site.listen(443, address, resolve)
  })
  const dns = await startDnsServer((name) => (name.endsWith('.example.com') ? [address] : []))
  defer(async () => {
    dns.close()
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => site.close(resolve))
  })
  return {
    previewOf: (origin: string, path: string, host = 'site.example.com') =>
      `${origin}/api/preview?url=${encodeURIComponent(`https://${host}${path}`)}&demo=1`,
    env: {
      TRUSTED_PROXIES: '127.0.0.1/32',
      FETCH_ALLOW_CIDRS: '127.0.0.0/8',
      FETCH_DNS: dns.address,
      FETCH_CA_FILE: join(folder, 'ca.pem'),
    },
  }
}
