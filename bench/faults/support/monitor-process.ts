/** Asks a server for `/healthz` and measures its process tree until standard input ends; then says what it saw. */
import { processTree, residentBytes, waitedForProcessorMs } from './process-tree.ts'

const [url = '', pid = ''] = process.argv.slice(2)
const askEveryMs = 20
const weighEveryMs = 20
const lookEveryMs = 200
const answerMsMax = 120_000

let pids = processTree(Number(pid))
const idleBytes = residentBytes(pids)
let peakBytes = idleBytes
let isEnding = false
let longestMs = 0
let longestWaitMs = 0
let question: { readonly askedMs: number; readonly waitsMs: ReadonlyMap<number, number> } | undefined

process.stdout.write('\n')
const weighing = setInterval(() => {
  peakBytes = Math.max(peakBytes, residentBytes(pids))
}, weighEveryMs)
const looking = setInterval(() => {
  pids = processTree(Number(pid))
}, lookEveryMs)
void ask()

await Bun.stdin.text()
isEnding = true
clearInterval(weighing)
clearInterval(looking)
// A question that nobody has answered yet counts with the time that it has waited.
note()
function megabytes(bytes: number) {
  return bytes / 2 ** 20
}
const report = {
  stallMs: longestMs,
  waitMs: longestWaitMs,
  idleMb: megabytes(idleBytes),
  peakMb: megabytes(peakBytes),
}
process.stdout.write(JSON.stringify(report), () => process.exit(0))

/** A new connection each time, as whatever watches a server does. One that is refused is no stall: nobody waits. */
async function ask(): Promise<void> {
  while (!isEnding) {
    question = { askedMs: performance.now(), waitsMs: waitsByProcess() }
    try {
      const signal = AbortSignal.timeout(answerMsMax)
      await (await fetch(`${url}/healthz`, { keepalive: false, signal })).arrayBuffer()
      note()
    } catch (error) {
      if (error instanceof DOMException) note()
    }
    question = undefined
    await Bun.sleep(askEveryMs)
  }
}

/**
 * A busy machine keeps the server, and us, waiting for a processor: that is no stall of the server's, and the kernel
 * knows how long it was.
 */
function note(): void {
  if (question === undefined) return
  const waitMs = waitedSince(question.waitsMs)
  const stallMs = performance.now() - question.askedMs - waitMs
  longestMs = Math.max(longestMs, stallMs)
  longestWaitMs = Math.max(longestWaitMs, waitMs)
}

/** Several workers answer on one port: the one that waited longest may be the one that was asked. */
function waitedSince(before: ReadonlyMap<number, number>): number {
  const now = waitsByProcess()
  const waits = [...before].map(([one, waitedMs]) => (now.get(one) ?? waitedMs) - waitedMs)
  const own = (now.get(process.pid) ?? 0) - (before.get(process.pid) ?? 0)
  return Math.max(0, ...waits) + Math.max(0, own)
}

function waitsByProcess(): ReadonlyMap<number, number> {
  return new Map([...pids, process.pid].map((one) => [one, waitedForProcessorMs(one)]))
}
