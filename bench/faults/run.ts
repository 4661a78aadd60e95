import { readFileSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { endAll } from '../support/processes.ts'
import { defaultBounds, failuresOf, type Measurement, measure, worstOf } from './context.ts'
import { scenarios } from './scenarios.ts'

/**
 * `bun run faults [name…]`: tries every fault, or those that are named, and prints what came of each. Without names it
 * writes the table of `docs/RELIABILITY.md`. It ends with 1 when something was lost, served wrongly or beyond its bound.
 */
const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !scenarios.some((scenario) => scenario.name === name))
if (unknown.length > 0) {
  const names = scenarios.map(({ name }) => name).join(', ')
  console.error(`No fault is called ${unknown.join(', ')}. There are: ${names}.`)
  process.exit(2)
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => void endAll().finally(() => process.exit(1)))

const all: Measurement[] = []
for (const scenario of scenarios) {
  if (wanted.length > 0 && !wanted.includes(scenario.name)) continue
  const measured = await measure(scenario)
  all.push(measured)
  const failures = failuresOf(measured)
  console.log(
    `${failures.length === 0 ? 'held' : 'NOT '} ${scenario.name} (${measured.seconds.toFixed(1)} s)`,
  )
  for (const failure of failures) console.log(`     ${failure}`)
}
console.log(`\n${reportOf(all)}`)
if (wanted.length === 0) {
  const file = new URL('../../docs/RELIABILITY.md', import.meta.url)
  const text = readFileSync(file, 'utf8')
  const table = `$1\n${reportOf(all)}\n$2`
  writeFileSync(file, text.replace(/(<!-- table -->\n)[\s\S]*(\n<!-- end -->)/, table))
}
process.exit(all.some((measured) => failuresOf(measured).length > 0) ? 1 : 0)

/** The table, with the machine and what did not hold. */
function reportOf(measurements: readonly Measurement[]): string {
  const waitMs = Math.max(0, ...measurements.flatMap(({ reports }) => reports.map((report) => report.waitMs)))
  const machine = `${cpus().length} cores (${cpus()[0]?.model.trim()}), ${Math.round(totalmem() / 2 ** 30)} GB, Bun ${Bun.version}`
  const seconds = Math.round(measurements.reduce((sum, each) => sum + each.seconds, 0))
  const columns =
    'fault, what was tried, how often, lost, served wrongly, longest stall, peak memory, held'.split(', ')
  const lines = [columns, columns.map(() => '---'), ...measurements.map(cellsOf)]
  const failing = measurements.flatMap((measured) =>
    failuresOf(measured).map((failure) => `- \`${measured.scenario.name}\`: ${plain(failure)}`),
  )
  return [
    `${new Date().toISOString().slice(0, 10)}: ${machine}; ${seconds} s for ${measurements.length} faults. The machine was busy with the callers too, and let a server wait for a processor for up to ${Math.round(waitMs)} ms. Unless a row says otherwise, \`/healthz\` may take ${defaultBounds.stallMsMax} ms, and memory may grow by ${defaultBounds.memoryMbMax} MB.`,
    lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n'),
    ...(failing.length > 0 ? [`Not held:\n\n${failing.join('\n')}`] : []),
  ].join('\n\n')
}

function cellsOf(measured: Measurement): readonly string[] {
  const { scenario, counts, lost, wrong, reports, skipped } = measured
  const { stallMs, peakMb, grownMb } = worstOf(measured)
  const { stallMsMax, memoryMbMax } = scenario.bounds ?? {}
  const often = [...counts].map(([what, times]) => `${times.toLocaleString('en')} ${what}`).join(', ')
  const bound = (max: number | undefined, unit: string) =>
    max === undefined ? '' : `, at most ${max} ${unit}`
  const sum = (texts: ReadonlyMap<string, number>) =>
    [...texts.values()].reduce((total, times) => total + times, 0)
  if (skipped !== undefined)
    return [scenario.title, scenario.tried, `not possible here: ${plain(skipped)}`, '', '', '', '', '']
  return [
    scenario.title,
    scenario.tried,
    often,
    String(sum(lost)),
    String(sum(wrong)),
    reports.length === 0 ? '' : `${Math.round(stallMs)} ms${bound(stallMsMax, 'ms')}`,
    reports.length === 0
      ? ''
      : `${Math.round(peakMb)} MB (+${Math.round(grownMb)})${bound(memoryMbMax, 'MB')}`,
    failuresOf(measured).length === 0 ? 'yes' : '**no**',
  ]
}

/** A table and a list have one line an entry. */
function plain(text: string): string {
  return text.replaceAll(/\s+/g, ' ').replaceAll('|', '\\|').slice(0, 300)
}
