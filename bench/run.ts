import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { precompiledProgram } from '../src/cli/precompiled.ts'
import { NotPossibleHere, type Row, round } from './support/measure.ts'
import { endAll } from './support/processes.ts'

/** Every section by the name it is called with, in the order of the page. Each loads what it needs and no other. */
const sections: Readonly<Record<string, () => Promise<readonly Row[]>>> = {
  cards: async () => (await import('./cards.ts')).benchCards(),
  brands: async () => (await import('./cards.ts')).benchBrands(),
  encoders: async () => (await import('./cards.ts')).benchEncoders(),
  cold: async () => (await import('./fresh.ts')).benchCold(),
  site: async () => (await import('./fresh.ts')).benchSite(),
  start: async () => (await import('./fresh.ts')).benchStart(),
  'line-breaks': async () => (await import('./lines.ts')).benchLineBreaks(),
  crops: async () => (await import('./lines.ts')).benchCrops(),
  lag: async () => (await import('./strain.ts')).benchLag(),
  memory: async () => (await import('./strain.ts')).benchMemory(),
  http: async () => (await import('./http.ts')).benchHttp(),
  latency: async () => (await import('./http.ts')).benchLatency(),
  metering: async () => (await import('./http.ts')).benchMetering(),
  workers: async () => (await import('./http.ts')).benchWorkers(),
  servers: async () => (await import('./servers.ts')).benchServers(),
  keys: async () => (await import('./store.ts')).benchKeys(),
  admin: async () => (await import('./store.ts')).benchAdmin(),
  badge: async () => (await import('./badges.ts')).benchBadges(),
  avatar: async () => (await import('./badges.ts')).benchAvatars(),
  'page-cards': async () => (await import('./badges.ts')).benchPageCards(),
  preview: async () => (await import('./preview.ts')).benchPreview(),
  sitemap: async () => (await import('./preview.ts')).benchSitemap(),
  payments: async () => (await import('./payments.ts')).benchPayments(),
  'preview-quality': async () => (await import('./preview-quality.ts')).benchPreviewQuality(),
}
/** It installs 490 MB of other readers and takes minutes, so it runs only when it is named. */
const onlyNamed = ['preview-quality']

interface Result {
  readonly measuredOn: string
  readonly machine: string
  readonly seconds: number
  readonly rows: readonly Row[]
}

const secondsMax = 1_800
const resultsFile = new URL('results.json', import.meta.url)
const pageFile = new URL('RESULTS.md', import.meta.url)
const machine = `${cpus().length} cores (${cpus()[0]?.model.trim()}), ${Math.round(totalmem() / 2 ** 30)} GB, Bun ${Bun.version}`

/** The process of one section tells the one that started it what it found. */
async function runSection(name: string): Promise<void> {
  process.on('SIGTERM', () => void endAll().finally(() => process.exit(1)))
  let rows: readonly Row[]
  try {
    rows = (await sections[name]?.()) ?? []
  } catch (error) {
    if (!(error instanceof NotPossibleHere)) console.error(error)
    rows =
      error instanceof NotPossibleHere
        ? [{ what: name, note: `skipped: ${error.message}` }]
        : [{ what: name, note: `failed: ${String(error).split('\n')[0]}`, met: false }]
  }
  await endAll()
  process.send?.(rows, () => process.exit(0))
}

/** Runs a section in a process of its own, so that nothing that others leave behind counts in it. */
async function resultOf(name: string): Promise<Result> {
  const startMs = performance.now()
  let rows: readonly Row[] = [{ what: name, note: `failed: not done within ${secondsMax} s`, met: false }]
  const child = Bun.spawn([process.execPath, import.meta.path, '--section', name], {
    stdout: 'inherit',
    stderr: 'inherit',
    timeout: 1_000 * secondsMax,
    ipc(message: readonly Row[]) {
      rows = message
    },
  })
  await child.exited
  const seconds = Math.round((performance.now() - startMs) / 1_000)
  return { measuredOn: new Date().toISOString().slice(0, 10), machine, seconds, rows }
}

function tableOf({ measuredOn, machine: where, seconds, rows }: Result): string {
  const lines = rows.map(({ what, ours, unit = '', peer = '', theirs, ratio, min, max, note, met }) => {
    const unitOfBound = ratio === undefined ? unit : '×'
    const bound =
      min === undefined ? shown(max, unitOfBound, '≤ ', String) : shown(min, unitOfBound, '≥ ', String)
    const others = [[peer, shown(theirs, unit)].filter(Boolean).join(' '), note].filter(Boolean).join('; ')
    const verdict = met === undefined ? '' : met ? 'yes' : '**no**'
    return [what, shown(ours, unit), others, shown(ratio, '×'), bound, verdict]
  })
  const head = ['what', 'ours', 'peer', 'ratio', 'bound', 'met']
  const cells = [head, head.map(() => '---'), ...lines]
  const table = cells.map((line) => `| ${line.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`)
  return `${measuredOn}; ${where}; ${seconds} s\n\n${table.join('\n')}`
}

function shown(value: number | null | undefined, unit: string, sign = '', format = round): string {
  if (typeof value !== 'number') return ''
  return `${sign}${format(value)}${unit === '' || unit === '×' ? unit : ` ${unit}`}`
}

/** Keeps what was found, and writes the tables of RESULTS.md anew; the rest of the page is written by hand. */
function write(found: ReadonlyMap<string, Result>): void {
  const kept: Record<string, Result> = existsSync(resultsFile)
    ? JSON.parse(readFileSync(resultsFile, 'utf8'))
    : {}
  const all = { ...kept, ...Object.fromEntries(found) }
  const results = Object.keys(sections).flatMap((name) => (all[name] ? [[name, all[name]] as const] : []))
  writeFileSync(resultsFile, `${JSON.stringify(Object.fromEntries(results), undefined, 1)}\n`)
  const tables = results.map(([name, result]) => `## ${name}\n\n${tableOf(result)}`).join('\n\n')
  const page = readFileSync(pageFile, 'utf8')
  writeFileSync(pageFile, page.replace(/(<!-- tables -->\n)[\s\S]*(\n<!-- end -->)/, `$1\n${tables}\n$2`))
}

/**
 * `bun run bench [--write] [name…]`: measures every section, or those that are named, and prints a table of each. Without
 * names, or with `--write`, it keeps that in `bench/results.json` and `bench/RESULTS.md`. It ends with 1 when a row misses
 * its bound, which on a busy machine says little.
 */
async function runAll(words: readonly string[]): Promise<number> {
  const wanted = words.filter((word) => word !== '--write')
  const unknown = wanted.filter((name) => !(name in sections))
  if (unknown.length > 0) {
    console.error(
      `No section is called ${unknown.join(', ')}. There are: ${Object.keys(sections).join(', ')}.`,
    )
    return 2
  }
  if (precompiledProgram() !== undefined) {
    console.error('Remove dist/precompiled first: rows of the source would measure it.')
    return 2
  }
  const found = new Map<string, Result>()
  for (const name of Object.keys(sections)) {
    if (wanted.length > 0 ? !wanted.includes(name) : onlyNamed.includes(name)) continue
    const result = await resultOf(name)
    console.log(`\n## ${name}\n\n${tableOf(result)}`)
    found.set(name, result)
  }
  if (wanted.length === 0 || words.includes('--write')) write(found)
  const missed = [...found].flatMap(([name, { rows }]) =>
    rows.flatMap(({ what, met }) => (met === false ? [`  ${name}: ${what}`] : [])),
  )
  console.log(missed.length === 0 ? '\nEvery row kept its bound.' : `\nMissed:\n${missed.join('\n')}`)
  return missed.length === 0 ? 0 : 1
}

const [first, ...words] = process.argv.slice(2)
if (first === '--section') await runSection(words[0] ?? '')
else process.exit(await runAll(process.argv.slice(2)))
