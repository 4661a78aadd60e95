import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { packageFile } from '../src/lib/package-files.ts'
import { unpackFontSync } from '../src/text/woff2.ts'
import { median } from './support/measure.ts'
import { repeatIfShort } from './support/repeat-if-short.ts'
import { fasterRow, type Row, skippedRow } from './support/row.ts'
import { runProgram } from './support/run-program.ts'
import { knownWords } from './support/words.ts'

const rounds = 3
const themes = ['aurora', 'paper', 'grid', 'terminal', 'poster']
/** Apart from our packages, because it brings all of Astro with it. */
const astroPackage = 'astro-og-canvas@0.13.2'

interface Peer {
  readonly name: string
  readonly atLeast: number
  readonly words?: readonly string[]
}

/** The first cards of a fresh process, from its start to its end: `mintmark render` beside the scripts that people write. */
export async function benchCold(): Promise<readonly Row[]> {
  const base = mkdtempSync(join(tmpdir(), 'mintmark-bench-cold-'))
  try {
    const font = readFileSync(packageFile('inter-ui', 'web/Inter-Bold.woff2'))
    writeFileSync(join(base, 'inter.ttf'), unpackFontSync(font))
    const astro = await installAstro(base)
    const plainPeers: readonly Peer[] = [
      { name: 'plain satori + resvg-js', atLeast: 2.4 },
      { name: '@vercel/og', atLeast: 2.4 },
      ...(astro === undefined ? [] : [{ name: 'astro-og-canvas', atLeast: 1, words: [astro] }]),
    ]
    const designPeers: readonly Peer[] = [
      { name: 'takumi', atLeast: 2.2 },
      { name: 'satori + resvg-js', atLeast: 5 },
    ]
    return [
      ...(await repeatIfShort(() => coldRows(base, 200, designPeers))),
      ...(await repeatIfShort(() => coldRows(base, 100, plainPeers))),
      ...(astro === undefined ? [skippedRow('astro-og-canvas', 'the registry did not answer')] : []),
    ]
  } finally {
    rmSync(base, { recursive: true, force: true })
  }
}

/** All take turns, and a ratio is the median of the ratios of single rounds. */
async function coldRows(base: string, count: number, peers: readonly Peer[]): Promise<readonly Row[]> {
  const rows = join(base, 'rows.jsonl')
  writeFileSync(rows, cardRows(count))
  const times: (readonly number[])[] = []
  for (let round = 0; round < rounds; round++) {
    const out = join(base, `cards-${count}-${round}`)
    const own = await runProgram(['src/main.ts', 'render', '--from', rows, '--out', out])
    const theirs: number[] = []
    for (const { name, words = [] } of peers)
      theirs.push((await runProgram([peerScript, name, String(count), base, ...words])).cpuMs / own.cpuMs)
    times.push([own.cpuMs, ...theirs])
  }
  const oursMs = median(times.map(([own = 0]) => own))
  return peers.map(({ name, atLeast }, index) => {
    const ratio = median(times.map((row) => row[index + 1] ?? 0))
    const what = `${count} PNG cards of a fresh process, CPU time`
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
  const child = Bun.spawn([process.execPath, ...words], { cwd: folder, stdout: 'ignore', stderr: 'ignore' })
  return (await child.exited) === 0 ? join(folder, 'node_modules/astro-og-canvas') : undefined
}
