import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { packageFile } from '../src/lib/package-files.ts'
import { unpackFont } from '../src/text/woff2.ts'
import { median } from './support/measure.ts'
import { fasterRow, type Row, roundsTold, skippedRow } from './support/row.ts'
import { runProgram } from './support/run-program.ts'
import { inRounds } from './support/time-limit.ts'
import { knownWords } from './support/words.ts'

const roundsMax = 3
const roundsSecondsMax = 70
/** How long the registry may take. */
const installMsMax = 60_000
const themes = ['aurora', 'paper', 'grid', 'terminal', 'poster']
/** Apart from our packages, because it brings all of Astro with it. */
const astroPackage = 'astro-og-canvas@0.13.2'

interface Peer {
  readonly name: string
  readonly atLeast: number
  readonly words?: readonly string[]
}

interface Comparison {
  readonly count: number
  readonly peers: readonly Peer[]
  /** For each round our ms of CPU, and how many times as much each peer takes. */
  readonly times: number[][]
}

/** The first cards of a fresh process, from its start to its end: `mintmark render` beside the scripts that people write. */
export async function benchCold(): Promise<readonly Row[]> {
  const base = mkdtempSync(join(tmpdir(), 'mintmark-bench-cold-'))
  try {
    const font = readFileSync(packageFile('inter-ui', 'web/Inter-Bold.woff2'))
    writeFileSync(join(base, 'inter.ttf'), unpackFont(font))
    const astro = await installAstro(base)
    const comparisons = comparisonsWith(astro)
    const rounds = await inRounds(roundsMax, roundsSecondsMax, async () => {
      for (const comparison of comparisons) await addRound(base, comparison)
    })
    return [
      ...roundsTold(comparisons.flatMap(rowsOf), rounds, roundsMax),
      ...(astro === undefined ? [skippedRow('astro-og-canvas', 'the registry did not answer')] : []),
    ]
  } finally {
    rmSync(base, { recursive: true, force: true })
  }
}

function comparisonsWith(astro: string | undefined): readonly Comparison[] {
  const astroPeers = astro === undefined ? [] : [{ name: 'astro-og-canvas', atLeast: 1, words: [astro] }]
  return [
    {
      count: 200,
      peers: [
        { name: 'takumi', atLeast: 2.2 },
        { name: 'satori + resvg-js', atLeast: 5 },
      ],
      times: [],
    },
    {
      count: 100,
      peers: [
        { name: 'plain satori + resvg-js', atLeast: 2.4 },
        { name: '@vercel/og', atLeast: 2.4 },
        ...astroPeers,
      ],
      times: [],
    },
  ]
}

async function addRound(base: string, { count, peers, times }: Comparison): Promise<void> {
  const rows = join(base, 'rows.jsonl')
  writeFileSync(rows, cardRows(count))
  const out = join(base, `cards-${count}-${times.length}`)
  const own = await runProgram(['src/main.ts', 'render', '--from', rows, '--out', out])
  const round = [own.cpuMs]
  for (const { name, words = [] } of peers)
    round.push((await runProgram([peerScript, name, String(count), base, ...words])).cpuMs / own.cpuMs)
  times.push(round)
}

/** Rounds of both comparisons take turns, and a ratio is the median of the ratios of single rounds. */
function rowsOf({ count, peers, times }: Comparison): readonly Row[] {
  const oursMs = median(times.map(([own = 0]) => own))
  const what = `${count} PNG cards of a fresh process, CPU time`
  return peers.map(({ name, atLeast }, index) => {
    const ratio = median(times.map((row) => row[index + 1] ?? 0))
    return fasterRow(what, oursMs, name, oursMs * ratio, atLeast, 'ms')
  })
}

const peerScript = 'bench/support/fresh-cards.ts'

function cardRows(count: number): string {
  const next = knownWords(21)
  const rows = Array.from({ length: count }, (_, index) => {
    return JSON.stringify({ ...next(), theme: themes[index % themes.length], format: 'png' })
  })
  return rows.join('\n')
}

/** Returns the folder of its package; undefined where the registry does not answer. */
async function installAstro(base: string): Promise<string | undefined> {
  const folder = join(base, 'astro')
  mkdirSync(folder)
  writeFileSync(join(folder, 'package.json'), '{}')
  const words = ['add', '--exact', '--omit=peer', astroPackage]
  const child = Bun.spawn([process.execPath, ...words], {
    cwd: folder,
    stdout: 'ignore',
    stderr: 'ignore',
    timeout: installMsMax,
  })
  return (await child.exited) === 0 ? join(folder, 'node_modules/astro-og-canvas') : undefined
}
