import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createCardRenderer } from '../src/assets/og/card-renderer.ts'
import { createTextEngine } from '../src/text/text-engine.ts'
import { embedPath, sampleWords } from './support/embed-path.ts'
import { encodedBytes } from './support/encoded-bytes.ts'
import { median, roundOf } from './support/measure.ts'
import { repeatIfShort } from './support/repeat-if-short.ts'
import { boundRow, type Row, ratioRow, round, skippedRow } from './support/row.ts'
import { startProgram } from './support/start-program.ts'
import { hasWrk, type Load, load } from './support/wrk.ts'

const query = new URLSearchParams({ ...sampleWords, demo: '1' })
const demo = `/api/og?${query}`
const demoPng = `/api/og.png?${query}`
const newCards = join(import.meta.dirname, 'support/new-cards.lua')
const rounds = 5
const seconds = 1

/** A URL of ours against a constant `Bun.serve` route: the whole way of a repeated card, metering and log included. */
interface Comparison {
  readonly what: string
  readonly path: string
  readonly etag?: string
  readonly constantPath: string
  readonly ratioMin: number
}

export async function benchHttp(): Promise<readonly Row[]> {
  if (!hasWrk) return [skippedRow('Cached card', 'wrk is not installed (Debian: apt-get install wrk)')]
  const directory = mkdtempSync(join(tmpdir(), 'mintmark-bench-'))
  const ours = await startProgram(['src/main.ts'], {
    DATA_DIR: directory,
    DEMO_DAILY_QUOTA: '1000000000',
    HOST: '127.0.0.1',
  })
  const card = join(directory, 'card.svg')
  const response = await fetch(ours.url + demo, { headers: { 'accept-encoding': 'identity' } })
  const etag = response.headers.get('etag') ?? ''
  await Bun.write(card, response)
  const png = join(directory, 'card.png')
  await Bun.write(png, await fetch(ours.url + demoPng))
  const constant = await startProgram(['bench/support/constant-server.ts', '{port}', card, png])
  try {
    const embed = await embedPath(ours.url)
    const size = sizeOf(card)
    const comparisons: readonly Comparison[] = [
      {
        what: `Cached card, embed URL counted today, ${size}`,
        path: embed,
        constantPath: '/',
        ratioMin: 0.65,
      },
      { what: `Cached card, demo, ${size}`, path: demo, constantPath: '/', ratioMin: 0.55 },
      {
        what: `Cached PNG, demo, ${sizeOf(png)}`,
        path: demoPng,
        constantPath: '/png',
        ratioMin: 0.6,
      },
      { what: '304, embed URL', path: embed, etag, constantPath: '/304', ratioMin: 0.7 },
      { what: '304, demo', path: demo, etag, constantPath: '/304', ratioMin: 0.7 },
    ]
    const rows: Row[] = []
    for (const comparison of comparisons)
      rows.push(...(await repeatIfShort(() => compare(comparison, ours, constant))))
    rows.push(...(await repeatIfShort(async () => [await newCardRow(ours)])))
    return rows
  } finally {
    ours.stop()
    constant.stop()
    rmSync(directory, { recursive: true, force: true })
  }
}

function sizeOf(file: string): string {
  return `${(Bun.file(file).size / 1024).toFixed(1)} KB`
}

type Program = Awaited<ReturnType<typeof startProgram>>

/** New SVG cards, drawn, packed and answered by the server, against drawing them in this process. The two take turns. */
async function newCardRow(ours: Program): Promise<Row> {
  const cards = createCardRenderer(createTextEngine())
  /** Draws the cards of `new-cards.lua`. */
  function drawRound(run: string, roundMs: number) {
    let asked = 0
    return roundOf(async () => {
      asked += 1
      const params = { title: `Release ${asked} of ${run}`, subtitle: `Notes of ${asked * 7}` }
      return encodedBytes((await cards.svgPieces({ params })).join(''))
    }, roundMs)
  }
  const pairs: { readonly answered: number; readonly drawn: number }[] = []
  const headers = ['Accept-Encoding: zstd']
  await warmUp(ours, headers)
  await drawRound('warming up', 6_000)
  for (let n = 0; n < rounds; n++) {
    const script = [newCards, `answering ${n}`, '/api/og'] as const
    const { cpuMicros } = await load(ours.url, ours.pid, { headers, seconds, script })
    pairs.push({ answered: cpuMicros, drawn: await drawRound(`answering ${n}`, 500 * seconds) })
  }
  const [answered, drawn] = [
    median(pairs.map((pair) => pair.answered)),
    median(pairs.map((pair) => pair.drawn)),
  ]
  return boundRow(
    'New SVG card, CPU time of the server for one request, against drawing alone',
    median(pairs.map((pair) => pair.answered / pair.drawn)),
    2.7,
    'times',
    `${round(answered)} µs against ${round(drawn)} µs`,
  )
}

/** The engine compiles for so many cards, however fast the machine draws them. */
const warmUpCards = 60_000
const warmUpSecondsMax = 60

async function warmUp(ours: Program, headers: readonly string[]): Promise<void> {
  const roundSeconds = 6
  let cards = 0
  for (let at = 0; at < warmUpSecondsMax && cards < warmUpCards; at += roundSeconds) {
    const script = [newCards, `warming up ${at}`, '/api/og'] as const
    const { requestsPerSecond } = await load(ours.url, ours.pid, { headers, seconds: roundSeconds, script })
    cards += requestsPerSecond * roundSeconds
  }
}

/** The two take turns, and a ratio is the median of the ratios of single rounds. */
async function compare(
  { what, path, etag, constantPath, ratioMin }: Comparison,
  ours: Program,
  constant: Program,
): Promise<readonly Row[]> {
  const headers = etag === undefined ? [] : [`If-None-Match: ${etag}`]
  const pairs: { readonly ours: Load; readonly constant: Load }[] = []
  for (let n = 0; n <= rounds; n++) {
    const pair = {
      ours: await load(ours.url + path, ours.pid, { headers, seconds }),
      constant: await load(constant.url + constantPath, constant.pid, { headers, seconds }),
    }
    // The first round warms up.
    if (n > 0) pairs.push(pair)
  }
  function middle(of: (pair: (typeof pairs)[number]) => number) {
    return median(pairs.map(of))
  }
  const ratio = middle((pair) => pair.ours.requestsPerSecond / pair.constant.requestsPerSecond)
  return [
    ratioRow({
      what: `${what}, requests a second`,
      ours: round(middle((pair) => pair.ours.requestsPerSecond)),
      peer: `constant route ${round(middle((pair) => pair.constant.requestsPerSecond))}`,
      ratio,
      atLeast: ratioMin,
    }),
    {
      what: 'The same, CPU time of the server for one request',
      ours: `${round(middle((pair) => pair.ours.cpuMicros))} µs`,
      peer: `constant route ${round(middle((pair) => pair.constant.cpuMicros))} µs`,
      ratio: `${round(middle((pair) => pair.constant.cpuMicros / pair.ours.cpuMicros))}×`,
      target: '',
    },
  ]
}
