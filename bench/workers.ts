import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { median } from './support/measure.ts'
import { repeatIfShort } from './support/repeat-if-short.ts'
import { type Row, ratioRow, round, skippedRow } from './support/row.ts'
import { startProgram } from './support/start-program.ts'
import { hasWrk, type Load, load, untilIdle } from './support/wrk.ts'

const what = 'New PNG cards a second, WORKERS=2'
/**
 * The engine compiles the program anew for some ten thousand cards, on threads of its own, which one worker has a free core
 * for and two have not. What runs for days has that behind it. Two workers share the cards.
 */
const warmUpSeconds = { one: 30, two: 45 }
const rounds = 5
const roundSeconds = 3
const connections = 32
/**
 * The load generator would wake ten times for a card, each time in the place of a thread that draws: two workers would
 * lose by it what users elsewhere do not cost, one has a core to spare. Standing back, it reads several pieces at once.
 */
const niceness = 10
const ratioMin = 1.7
/** Asks for PNG cards with words that never come twice. */
const newCards = join(import.meta.dirname, 'support/new-cards.lua')

type Program = Awaited<ReturnType<typeof startProgram>>

/** The gain of a second worker on two cores. Both servers run all the time and are asked in turn. */
export async function benchWorkers(): Promise<readonly Row[]> {
  if (!hasWrk) return [skippedRow(what, 'wrk is not installed (Debian: apt-get install wrk)')]
  if (availableParallelism() < 2) return [skippedRow(what, 'this machine has one core')]
  const directory = mkdtempSync(join(tmpdir(), 'mintmark-bench-'))
  const [one, two] = await Promise.all(['1', '2'].map((workers) => startWith(workers, directory)))
  if (one === undefined || two === undefined) throw new Error('no servers')
  try {
    await askNewCards(one, warmUpSeconds.one)
    await askNewCards(two, warmUpSeconds.two)
    return await repeatIfShort(() => compare(one, two))
  } finally {
    one.stop()
    two.stop()
    rmSync(directory, { recursive: true, force: true })
  }
}

async function compare(one: Program, two: Program): Promise<readonly Row[]> {
  const pairs: { readonly one: Load; readonly two: Load }[] = []
  for (let n = 0; n < rounds; n += 1) pairs.push({ one: await askNewCards(one), two: await askNewCards(two) })
  function middle(of: (pair: (typeof pairs)[number]) => number) {
    return median(pairs.map(of))
  }
  return [
    ratioRow({
      what,
      ours: round(middle((pair) => pair.two.requestsPerSecond)),
      peer: `WORKERS=1 ${round(middle((pair) => pair.one.requestsPerSecond))}`,
      ratio: middle((pair) => pair.two.requestsPerSecond / pair.one.requestsPerSecond),
      atLeast: ratioMin,
    }),
    {
      what: 'The same, CPU time of all processes for one card',
      ours: `${round(middle((pair) => pair.two.cpuMicros / 1_000))} ms`,
      peer: `WORKERS=1 ${round(middle((pair) => pair.one.cpuMicros / 1_000))} ms`,
      ratio: '',
      target: '',
    },
    {
      what: 'The same, cores that they kept busy',
      ours: round(middle((pair) => coresOf(pair.two, pair.two.cpuMicros))),
      peer: `WORKERS=1 ${round(middle((pair) => coresOf(pair.one, pair.one.cpuMicros)))}: it draws in a thread of its own`,
      ratio: '',
      target: '',
    },
    {
      what: 'The same, cores that the load generator took of theirs',
      ours: round(middle((pair) => coresOf(pair.two, pair.two.generatorMicros))),
      peer: `WORKERS=1 ${round(middle((pair) => coresOf(pair.one, pair.one.generatorMicros)))}`,
      ratio: '',
      target: '',
    },
  ]
}

function coresOf({ requestsPerSecond }: Load, micros: number): number {
  return (requestsPerSecond * micros) / 1e6
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

let runs = 0

/** Each card is one that was never asked for. */
async function askNewCards({ url, pid }: Program, seconds = roundSeconds): Promise<Load> {
  runs += 1
  const found = await load(url, pid, {
    seconds,
    connections,
    script: [newCards, `run${runs}`],
    niceness,
  })
  await untilIdle(pid)
  return found
}
