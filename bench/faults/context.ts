import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Outcome } from './outcome.ts'
import { becomesTrue } from './support/becomes-true.ts'
import { type MonitorReport, startMonitor } from './support/monitor.ts'
import { type FaultServer, type ServerOptions, startFaultServer } from './support/server.ts'

export interface ContextOptions {
  /** A few tries of everything, for the tests. */
  readonly isQuick: boolean
  /** The limit of memory of each server, where the machine allows one. */
  readonly memoryLimitMb: number | undefined
}

/** A scenario cannot be tried on this machine. */
export class NotPossibleHere extends Error {
  override readonly name = 'NotPossibleHere'
}

export type FaultContext = ReturnType<typeof createContext>['context']

/** The helpers of a scenario. All that it starts is measured from outside and ended with it. */
export function createContext({ isQuick, memoryLimitMb }: ContextOptions) {
  const endings: (() => unknown)[] = []
  const reports: MonitorReport[] = []
  const counts = new Map<string, number>()
  const lost = new Map<string, number>()
  const wrong = new Map<string, number>()

  const context = {
    isQuick,
    /** How often to try: as often as the run allows, or only a few times for the tests. */
    times: (full: number, quick: number) => (isQuick ? quick : full),
    /** Counts what was tried. */
    count: (what: string, times = 1) => add(counts, what, times),
    /** Something that was accepted is gone. */
    lose: (what: string, times = 1) => add(lost, what, times),
    /** Something was answered that must not be. */
    mistake: (what: string, times = 1) => add(wrong, what, times),
    /** Something that must be true. */
    expect(isTrue: boolean, otherwise: string) {
      if (!isTrue) add(wrong, otherwise, 1)
    },
    /** Gives something time to become true; that it does not is a mistake. */
    async waitFor(what: string, check: () => boolean, timeoutMs = 15_000) {
      const isTrue = await becomesTrue(async () => check(), timeoutMs)
      if (!isTrue) add(wrong, `it never came to this: ${what}`, 1)
    },
    /** Called in the end, last first, whatever happens. */
    defer: (ending: () => unknown) => void endings.push(ending),
    directory(): string {
      const directory = mkdtempSync(join(tmpdir(), 'mintmark-faults-'))
      endings.push(() => rmSync(directory, { recursive: true, force: true }))
      return directory
    },
    /** Starts the real program and watches it from a process of its own until the scenario ends it. */
    async startServer(options: Partial<ServerOptions> & WatchOptions = {}): Promise<FaultServer> {
      const dataDir = options.dataDir ?? context.directory()
      const server = await startFaultServer({ memoryLimitMb, ...options, dataDir })
      const monitor = options.isWatched === false ? undefined : await startMonitor(server)
      endings.push(async () => {
        if (!server.isEnded() && !server.isAlive()) add(wrong, `a server died: ${server.lastWords()}`, 1)
        if (monitor !== undefined) reports.push(await monitor.stop())
        await server.stop('SIGKILL')
      })
      return server
    },
  }

  /** Ends everything and says what came of it. */
  async function finish(): Promise<Outcome & { readonly reports: readonly MonitorReport[] }> {
    for (const ending of endings.splice(0).reverse()) await ending()
    return { counts, lost, wrong, reports }
  }

  return { context, finish }
}

interface WatchOptions {
  /** False: nothing is measured, as the scenario itself stops the server or starves it. */
  readonly isWatched?: boolean
}

/** Evidence is for people: a hundred different texts are no better than twenty. */
const textsMax = 20

function add(map: Map<string, number>, what: string, times: number): void {
  if (times <= 0) return
  const key = map.has(what) || map.size < textsMax ? what : 'other'
  map.set(key, (map.get(key) ?? 0) + times)
}
