import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { createCardRenderer } from '../src/assets/og/card-renderer.ts'
import { embedUrl, type KeyPair, signUrl } from '../src/client/index.ts'
import { createTextEngine } from '../src/text/text-engine.ts'
import {
  cpuMicros,
  encodedBytes,
  inTurns,
  isQuick,
  NotPossibleHere,
  type Row,
  round,
  row,
} from './support/measure.ts'
import { directory, type Server, startServer } from './support/processes.ts'
import { type Load, load, untilIdle } from './support/wrk.ts'

const words = { title: 'How we cut cold starts', subtitle: 'A field report', author: 'Ada Lovelace' }
const query = new URLSearchParams({ ...words, demo: '1' })
const demo = `/api/og?${query}`
const support = join(import.meta.dirname, 'support')
/** Asks for cards with words that never come twice. */
const newCards = join(support, 'new-cards.lua')

type Program = Pick<Server, 'url' | 'pid'>

/** A server that answers every request with a card of another, which is the cost of HTTP itself. */
async function startConstant(ours: Program): Promise<Program> {
  const folder = directory()
  const files = [join(folder, 'card.svg'), join(folder, 'card.png')] as const
  const identity = { headers: { 'accept-encoding': 'identity' } }
  await Bun.write(files[0], await fetch(ours.url + demo, identity))
  await Bun.write(files[1], await fetch(`${ours.url}/api/og.png?${query}`))
  return startServer({ program: [process.execPath, join(support, 'constant-server.ts'), '{port}', ...files] })
}

async function newKey({ url }: Program): Promise<KeyPair> {
  const { id, secret } = await (await fetch(`${url}/api/key`)).json()
  return { key: id, secret }
}

/** Requests a second and CPU time of each side, one second each in turns. */
function loadsInTurns(sides: readonly (() => Promise<Load>)[], rounds = 5) {
  return inTurns(sides, { rounds })
}

type Loads = Awaited<ReturnType<typeof loadsInTurns>>

const perSecond = ({ requestsPerSecond }: Load) => requestsPerSecond
const micros = (one: Load) => one.cpuMicros

/** A row of requests a second, with a lower bound on our share of the peer's, and one of CPU time that informs. */
export function shareRows(what: string, turns: Loads, peer: string, min: number): readonly Row[] {
  return [
    row({
      what: `${what}, requests a second`,
      ...{ ours: turns.median(0, perSecond), peer, theirs: turns.median(1, perSecond) },
      ...{ ratio: turns.ratio(0, 1, perSecond), min },
    }),
    row({
      what: 'The same, CPU time of the server for one request',
      ...{ ours: turns.median(0, micros), unit: 'µs', peer, theirs: turns.median(1, micros) },
      ratio: turns.ratio(1, 0, micros),
    }),
  ]
}

/** A repeated card against a constant `Bun.serve` route: the whole way, metering and log included; and a new card. */
export async function benchHttp(): Promise<readonly Row[]> {
  const ours = await startServer()
  const constant = await startConstant(ours)
  const embed = await embedUrl(`${ours.url}/api/og`, words, await newKey(ours))
  const etag = `If-None-Match: ${(await fetch(ours.url + demo)).headers.get('etag')}`
  const rows: Row[] = []
  for (const [what, url, constantPath, min, headers] of [
    ['Cached card, embed URL counted today', embed, '/', 0.65, []],
    ['Cached card, demo', ours.url + demo, '/', 0.55, []],
    ['Cached PNG, demo', `${ours.url}/api/og.png?${query}`, '/png', 0.6, []],
    ['304, embed URL', embed, '/304', 0.7, [etag]],
    ['304, demo', ours.url + demo, '/304', 0.7, [etag]],
  ] as const) {
    const turns = await loadsInTurns([
      () => load(url, ours.pid, { headers }),
      () => load(constant.url + constantPath, constant.pid, { headers }),
    ])
    rows.push(...shareRows(what, turns, 'constant route', min))
  }
  return [...rows, await newCardRow(ours)]
}

/** New SVG cards, drawn, packed and answered by the server, against drawing them in this process. */
async function newCardRow(ours: Program): Promise<Row> {
  const cards = createCardRenderer(createTextEngine())
  const headers = ['Accept-Encoding: zstd']
  let run = 0
  async function drawn(roundMs: number): Promise<number> {
    let asked = 0
    return cpuMicros(async () => {
      asked += 1
      const params = { title: `Release ${asked} of ${run}`, subtitle: `Notes of ${asked * 7}` }
      return encodedBytes((await cards.svgPieces({ params })).join(''))
    }, roundMs)
  }
  async function answered(seconds: number): Promise<Load> {
    run += 1
    return load(ours.url, ours.pid, { headers, seconds, script: [newCards, String(run), '/api/og'] })
  }
  // The engine compiles for so many cards, however fast the machine draws them.
  for (let count = 0, at = 0; count < 60_000 && at < (isQuick ? 1 : 10); at += 1)
    count += 6 * (await answered(6)).requestsPerSecond
  await drawn(6_000)
  const turns = await inTurns([async () => (await answered(1)).cpuMicros, () => drawn(500)], { warmUps: 0 })
  return row({
    what: 'New SVG card, CPU time of the server for one request',
    ...{ ours: turns.median(0), unit: 'µs', peer: 'drawing alone', theirs: turns.median(1) },
    ...{ ratio: turns.ratio(0, 1), max: 2.7 },
  })
}

/** How long callers wait under a steady load that the server can bear, and while new pictures are drawn beside it. */
export async function benchLatency(): Promise<readonly Row[]> {
  const ours = await startServer()
  const constant = await startConstant(ours)
  const embed = await embedUrl(`${ours.url}/api/og`, words, await newKey(ours))
  // Warms up, so that the first measurement does not pay for the start.
  for (const url of [embed, ours.url + demo]) await load(url, ours.pid, { seconds: 2 })
  const rows = [
    await latencyRow('cached card, embed URL', embed, ours.pid),
    await latencyRow('cached card, demo', ours.url + demo, ours.pid),
  ]
  const pictures = load(ours.url, ours.pid, { seconds: 7, connections: 2, script: [newCards, 'beside'] })
  rows.push(await latencyRow('demo, PNGs drawn meanwhile', ours.url + demo, ours.pid))
  await pictures
  return [...rows, await latencyRow('constant route', constant.url, constant.pid)]
}

async function latencyRow(name: string, url: string, pid: number): Promise<Row> {
  const script = [join(support, 'percentiles.lua'), '8'] as const
  const { report, requestsPerSecond } = await load(url, pid, { seconds: 6, connections: 64, script })
  const points = new Map(
    [...report.matchAll(/^percentile (\S+) (\d+)$/gm)].map(([, percent, us]) => [
      percent,
      Number(us) / 1_000,
    ]),
  )
  const others = ['50', '99.9', '99.99'].map((percent) => `p${percent} ${round(points.get(percent) ?? 0)} ms`)
  const note = `${others.join(', ')}, at ${round(requestsPerSecond)} requests a second`
  return row({ what: `Latency, ${name}, p99`, ours: points.get('99') ?? Number.NaN, unit: 'ms', note })
}

/** The cost of each authentication strategy, compared with the same service without counting. */
export async function benchMetering(): Promise<readonly Row[]> {
  const env = { KEY_DAILY_QUOTA: '1000000000' }
  const metered = await startServer({ env })
  const program = [process.execPath, join(support, 'unmetered-server.ts'), '{port}']
  const unmetered = await startServer({ env, program })
  const pair = await newKey(metered)
  const embed = await embedUrl(`${metered.url}/api/og`, words, pair)
  const urls: Readonly<Record<string, () => string | Promise<string>>> = {
    demo: () => metered.url + demo,
    // Signed anew each round: it lives for minutes only.
    signed: () => signUrl(`${metered.url}/api/og?${new URLSearchParams(words)}`, pair),
    embed: () => embed,
  }
  const rows: Row[] = []
  for (const [name, url] of Object.entries(urls)) {
    const turns = await loadsInTurns([
      async () => load(await url(), metered.pid),
      () => load(unmetered.url + demo, unmetered.pid),
    ])
    rows.push(
      row({
        what: `Cached card over HTTP, ${name} call, CPU time of the server`,
        ...{
          ours: turns.median(0, micros),
          unit: 'µs',
          peer: 'not metered',
          theirs: turns.median(1, micros),
        },
        ...{ ratio: turns.ratio(1, 0, micros), min: 0.75 },
      }),
    )
  }
  return rows
}

/**
 * The gain of a second worker on two cores. Both servers run all the time and are asked in turn. The engine compiles the
 * program anew for some ten thousand cards, which one worker has a free core for and two have not: so they warm up. The
 * load generator would wake ten times for a card, each time in the place of a thread that draws, so it stands back.
 */
export async function benchWorkers(): Promise<readonly Row[]> {
  if (availableParallelism() < 2) throw new NotPossibleHere('this machine has one core')
  const start = (count: string) => startServer({ env: { WORKERS: count, LOG_LEVEL: 'warn', DRAIN_MS: '0' } })
  const [two, one] = [await start('2'), await start('1')]
  let runs = 0
  async function ask({ url, pid }: Program, seconds: number): Promise<Load> {
    runs += 1
    const found = await load(url, pid, { seconds, script: [newCards, `run${runs}`], niceness: 10 })
    await untilIdle(pid)
    return found
  }
  await ask(one, 30)
  await ask(two, 45)
  const turns = await inTurns([() => ask(two, 3), () => ask(one, 3)], { warmUps: 0 })
  return [
    row({
      what: 'New PNG cards a second, WORKERS=2',
      ...{ ours: turns.median(0, perSecond), peer: 'WORKERS=1', theirs: turns.median(1, perSecond) },
      ...{ ratio: turns.ratio(0, 1, perSecond), min: 1.7 },
    }),
    row({
      what: 'The same, CPU time of all processes for one card',
      ...{ ours: turns.median(0, micros), unit: 'µs', peer: 'WORKERS=1', theirs: turns.median(1, micros) },
    }),
  ]
}
