import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { median, type Row, round, skippedRow } from './support/measure.ts'
import { startProgram } from './support/start-program.ts'

const what = 'New PNG cards a second, WORKERS=2'
const rounds = 5
const roundMs = 4_000
const callers = 16
const ratioMin = 1.7

/** What a second worker brings on two cores. Both servers run all the time and are asked in turn. */
export async function benchWorkers(): Promise<readonly Row[]> {
  if (availableParallelism() < 2) return [skippedRow(what, 'this machine has one core')]
  const directory = mkdtempSync(join(tmpdir(), 'mintmark-bench-'))
  const [one, two] = await Promise.all(['1', '2'].map((workers) => startWith(workers, directory)))
  if (one === undefined || two === undefined) throw new Error('no servers')
  try {
    const speeds: { readonly one: number; readonly two: number }[] = []
    for (let n = 0; n <= rounds; n += 1) {
      const each = { one: await cardsPerSecond(one.url), two: await cardsPerSecond(two.url) }
      // The first round warms up.
      if (n > 0) speeds.push(each)
    }
    const ratio = median(speeds.map((each) => each.two / each.one))
    return [
      {
        what: `${what}, at a load of ${round(loadavg()[0] ?? 0)} on ${availableParallelism()} cores`,
        ours: round(median(speeds.map((each) => each.two))),
        peer: `WORKERS=1 ${round(median(speeds.map((each) => each.one)))}`,
        ratio: `${round(ratio)}×`,
        target: `≥ ${ratioMin}×`,
        passed: ratio >= ratioMin,
      },
    ]
  } finally {
    one.stop()
    two.stop()
    rmSync(directory, { recursive: true, force: true })
  }
}

function startWith(workers: string, directory: string) {
  return startProgram(['src/main.ts'], {
    WORKERS: workers,
    DATA_DIR: join(directory, workers),
    DEMO_DAILY_QUOTA: '1000000000',
    HOST: '127.0.0.1',
    LOG_LEVEL: 'warn',
    DRAIN_MS: '0',
  })
}

let asked = 0

/** Each card is one that was never asked for. */
async function cardsPerSecond(url: string): Promise<number> {
  const startMs = performance.now()
  let done = 0
  async function call() {
    while (performance.now() - startMs < roundMs) {
      asked += 1
      const response = await fetch(
        `${url}/api/og.png?title=Release+${asked}&subtitle=Notes+of+${asked * 7}&demo=1`,
      )
      if (!response.ok) throw new Error(`A card was answered ${response.status}`)
      await response.arrayBuffer()
      done += 1
    }
  }
  await Promise.all(Array.from({ length: callers }, call))
  return done / ((performance.now() - startMs) / 1_000)
}
