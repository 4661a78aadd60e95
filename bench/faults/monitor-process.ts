import { readFileSync } from 'node:fs'
import { processTree, residentMb } from '../support/processes.ts'

export interface MonitorReport {
  /** The longest that `/healthz` took to answer, in ms. */
  readonly stallMs: number
  /** The longest that the machine let it wait for a processor meanwhile, which is not counted above. */
  readonly waitMs: number
  /** Resident memory of the process tree when it was watched first, and at its highest. */
  readonly idleMb: number
  readonly peakMb: number
}

/** Asks a server for `/healthz` and measures its process tree until standard input ends; then says what it saw. */
const [url = '', pid = ''] = process.argv.slice(2)
let pids = processTree(Number(pid))
const idleMb = treeMb()
let peakMb = idleMb
let isEnding = false
let stallMs = 0
let waitMs = 0
let question: { readonly askedMs: number; readonly waitsMs: ReadonlyMap<number, number> } | undefined

process.send?.('ready')
setInterval(() => {
  peakMb = Math.max(peakMb, treeMb())
}, 20)
setInterval(() => {
  pids = processTree(Number(pid))
}, 200)
void ask()
await Bun.stdin.text()
isEnding = true
// A question that nobody has answered yet counts with the time that it has waited.
note()
process.send?.({ stallMs, waitMs, idleMb, peakMb } satisfies MonitorReport, () => process.exit(0))

function treeMb(): number {
  return pids.reduce((sum, one) => sum + residentMb(one), 0)
}

/** A new connection each time, as whatever watches a server does. One that is refused is no stall: nobody waits. */
async function ask(): Promise<void> {
  while (!isEnding) {
    question = { askedMs: performance.now(), waitsMs: waitsByProcess() }
    try {
      const signal = AbortSignal.timeout(120_000)
      await (await fetch(`${url}/healthz`, { keepalive: false, signal })).arrayBuffer()
      note()
    } catch (error) {
      if (error instanceof DOMException) note()
    }
    question = undefined
    await Bun.sleep(20)
  }
}

/**
 * A busy machine keeps the server, and us, waiting for a processor: that is no stall of the server's, and the kernel
 * knows how long it was. Several workers answer on one port: the one that waited longest may be the one that was asked.
 */
function note(): void {
  if (question === undefined) return
  const now = waitsByProcess()
  const waits = [...question.waitsMs].map(
    ([one, before]) => [one, (now.get(one) ?? before) - before] as const,
  )
  const own = waits.find(([one]) => one === process.pid)?.[1] ?? 0
  const others = waits.flatMap(([one, ms]) => (one === process.pid ? [] : [ms]))
  const waitedMs = Math.max(0, ...others) + Math.max(0, own)
  stallMs = Math.max(stallMs, performance.now() - question.askedMs - waitedMs)
  waitMs = Math.max(waitMs, waitedMs)
}

/** How long each process's main thread was ready to run since it began and had no processor, in ms. */
function waitsByProcess(): ReadonlyMap<number, number> {
  return new Map(
    [...pids, process.pid].map((one) => {
      try {
        return [one, Number(readFileSync(`/proc/${one}/schedstat`, 'utf8').split(' ')[1]) / 1e6]
      } catch {
        return [one, 0]
      }
    }),
  )
}
