/** Asks a server for `/healthz` and measures its process tree until standard input ends; then says what it saw. */
import { processTree, residentBytes } from './process-tree.ts'

const [url = '', pid = ''] = process.argv.slice(2)
const askEveryMs = 20
const weighEveryMs = 20
const answerMsMax = 120_000

const idle = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response('ok') })
const idleBytes = residentBytes(processTree(Number(pid)))
let peakBytes = idleBytes
let isEnding = false
const probes = { server: { longestMs: 0, askedMs: undefined }, idle: { longestMs: 0, askedMs: undefined } }
type Probe = { longestMs: number; askedMs: number | undefined }

process.stdout.write('\n')
const weighing = setInterval(() => {
  peakBytes = Math.max(peakBytes, residentBytes(processTree(Number(pid))))
}, weighEveryMs)
void ask(`${url}/healthz`, probes.server)
void ask(`http://127.0.0.1:${idle.port}/`, probes.idle)

await Bun.stdin.text()
isEnding = true
clearInterval(weighing)
const report = {
  stallMs: longestOf(probes.server),
  noiseMs: longestOf(probes.idle),
  idleMb: idleBytes / 2 ** 20,
  peakMb: peakBytes / 2 ** 20,
}
process.stdout.write(JSON.stringify(report), () => process.exit(0))

/** A new connection each time, as whatever watches a server does. One that is refused is no stall: nobody waits. */
async function ask(target: string, probe: Probe): Promise<void> {
  while (!isEnding) {
    probe.askedMs = performance.now()
    try {
      const signal = AbortSignal.timeout(answerMsMax)
      const response = await fetch(target, { keepalive: false, signal })
      await response.arrayBuffer()
      probe.longestMs = longestOf(probe)
    } catch (error) {
      if (error instanceof DOMException) probe.longestMs = longestOf(probe)
    }
    probe.askedMs = undefined
    await Bun.sleep(askEveryMs)
  }
}

/** A question that nobody has answered yet counts with the time that it has waited. */
function longestOf({ longestMs, askedMs }: Probe): number {
  return askedMs === undefined ? longestMs : Math.max(longestMs, performance.now() - askedMs)
}
