import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { median } from './support/measure.ts'
import { repeatIfShort } from './support/repeat-if-short.ts'
import { boundRow, fasterRow, type Row, round, roundsTold } from './support/row.ts'
import { runProgram } from './support/run-program.ts'
import { writeSite } from './support/site-pages.ts'
import { inRounds } from './support/time-limit.ts'

/** The documentation of a well-known tool has so many pages. */
const sitePages = 219
const roundsMax = 3
const roundsSecondsMax = 45
const unchangedPages = 1_000
const unchangedRounds = 5
const manyPages = Number(process.env['BENCH_SITE_PAGES'] ?? 10_000)
/** Pages of a large site repeat themselves in what their cards show, and drawing ten thousand cards takes minutes. */
const manyCards = 1_000

/** `mintmark cards` over whole sites, each run in a process of its own, beside the scripts that people write. */
export async function benchSite(): Promise<readonly Row[]> {
  const base = mkdtempSync(join(tmpdir(), 'mintmark-bench-site-'))
  try {
    const pages = freshFolder(base, 'pages')
    writeSite(pages, sitePages)
    return [
      ...(await repeatIfShort(() => timeRows(base, pages))),
      sizeRow(base),
      ...(await repeatIfShort(async () => [await unchangedRow(base)])),
      await memoryRow(base),
    ]
  } finally {
    rmSync(base, { recursive: true, force: true })
  }
}

/** CPU time of all threads from the start of a process to its end. */
async function timeRows(base: string, pages: string): Promise<readonly Row[]> {
  const times: { readonly ours: number; readonly satori: number; readonly takumi: number }[] = []
  const rounds = await inRounds(roundsMax, roundsSecondsMax, async () => {
    const own = await runProgram(cardsProgram(copyOf(pages, base, 'ours'), freshFolder(base, 'cache')))
    const satori = await runProgram([peerScript, 'satori', copyOf(pages, base, 'satori')])
    const takumi = await runProgram([peerScript, 'takumi', copyOf(pages, base, 'takumi')])
    times.push({ ours: own.cpuMs, satori: satori.cpuMs, takumi: takumi.cpuMs })
  })
  const oursMs = median(times.map(({ ours }) => ours))
  function row(name: 'satori' | 'takumi', peer: string, atLeast: number): Row {
    const ratio = median(times.map((each) => each[name] / each.ours))
    const what = `${sitePages} pages from a fresh process, CPU time`
    return fasterRow(what, oursMs, peer, oursMs * ratio, atLeast, 'ms')
  }
  const rows = [row('satori', 'script with satori + resvg-js', 2), row('takumi', 'script with takumi', 1)]
  return roundsTold(rows, rounds, roundsMax)
}

const peerScript = 'bench/support/card-script.ts'

/** The sizes of what the last round drew. */
function sizeRow(base: string): Row {
  function medianKb(name: string): number {
    const folder = join(base, name, 'og')
    const pictures = readdirSync(folder).filter((file) => file.endsWith('.png'))
    return median(pictures.map((file) => statSync(join(folder, file)).size / 1024))
  }
  const peers = `satori + resvg-js ${round(medianKb('satori'))} KB, takumi ${round(medianKb('takumi'))} KB`
  return boundRow('PNG of these pages, median', medianKb('ours'), 45, 'KB', peers)
}

/** A second run over pages that nobody has changed, beside reading and hashing every file. */
async function unchangedRow(base: string): Promise<Row> {
  const folder = freshFolder(base, 'unchanged')
  const program = cardsProgram(folder, freshFolder(base, 'cache'))
  writeSite(folder, unchangedPages)
  await runProgram(program)
  const times: { readonly own: number; readonly hashed: number }[] = []
  for (let round = 0; round < unchangedRounds; round++) {
    const own = await runProgram(program)
    const hashed = await runProgram(['-c', `find '${folder}' -type f -print0 | xargs -0 sha256sum`], 'sh')
    times.push({ own: own.wallMs, hashed: hashed.wallMs })
  }
  const ownMs = median(times.map(({ own }) => own))
  const ratio = median(times.map(({ own, hashed }) => own / hashed))
  return boundRow(
    `${unchangedPages} unchanged pages from a fresh process`,
    ownMs,
    1_000,
    'ms',
    `${round(ratio)} times find | sha256sum of the folder`,
  )
}

async function memoryRow(base: string): Promise<Row> {
  const folder = freshFolder(base, 'many')
  writeSite(folder, manyPages, manyCards)
  const { memoryMb, wallMs } = await runProgram(cardsProgram(folder, freshFolder(base, 'cache')))
  const what = `Peak memory over ${manyPages} pages with ${manyCards} cards`
  return boundRow(what, memoryMb, 300, 'MB', `${round(wallMs / 1_000)} s`)
}

function cardsProgram(folder: string, cache: string): readonly string[] {
  return ['src/main.ts', 'cards', folder, '--cache', cache, '--quiet']
}

function freshFolder(base: string, name: string): string {
  const folder = join(base, name)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder)
  return folder
}

/** Every program changes the pages that it is given. */
function copyOf(folder: string, base: string, name: string): string {
  const copy = freshFolder(base, name)
  cpSync(folder, copy, { recursive: true })
  return copy
}
