import { cpus, totalmem } from 'node:os'
import { defaultBounds, failuresOf, type Measurement, sumOf } from './scenario.ts'
import { memoryLimitMb } from './support/cgroup.ts'

const introduction = `# Reliability

\`bun run faults\` writes this page: it starts the real program, does to it what each row says, and measures from another process. Every figure comes from that one run, on the machine named below.

**Lost**: accepted payments, counted calls and issued keys that were gone afterwards. **Served wrongly**: errors of ours (a 5xx other than a 503 with \`Retry-After\`, or a 502 or 504 about another site), calls that were charged and not delivered or delivered and not charged, and broken promises. **Longest stall**: the slowest answer of \`/healthz\` on a new connection, without the time for which the machine had no processor for the server. **Peak memory**: resident memory of the whole process tree, with the growth during the fault in brackets.`

/** The page, from what was measured. */
export function reportOf(all: readonly Measurement[]): string {
  const failing = all.filter((measured) => failuresOf(measured).length > 0)
  const evidence = failing.map(
    (measured) => `- \`${measured.scenario.name}\`: ${failuresOf(measured).map(withoutBreaks).join('; ')}`,
  )
  const sections = [introduction, machineOf(all), tableOf(all)]
  if (evidence.length > 0) sections.push(`## Not held\n\n${evidence.join('\n')}`)
  return `${sections.join('\n\n')}\n`
}

function machineOf(all: readonly Measurement[]): string {
  const container =
    memoryLimitMb === undefined
      ? 'This machine lets us set no limit of memory (no cgroup here).'
      : `Each server had ${memoryLimitMb} MB of memory and no more (a cgroup).`
  const waitMs = Math.max(...all.map((measured) => measured.waitMs))
  return [
    `${new Date().toISOString().slice(0, 10)}: ${cpus().length} cores (${cpus()[0]?.model.trim()}), ${Math.round(totalmem() / 2 ** 30)} GB, Bun ${Bun.version}; ${Math.round(all.reduce((sum, { seconds }) => sum + seconds, 0))} s for ${all.length} faults.`,
    container,
    `The machine was busy with the callers too, and let a server wait for a processor for up to ${Math.round(waitMs)} ms.`,
    `Unless a row says otherwise, \`/healthz\` may take ${defaultBounds.stallMsMax} ms, and memory may grow by ${defaultBounds.memoryMbMax} MB.`,
  ].join(' ')
}

const columns = [
  'fault',
  'what was tried',
  'how often',
  'lost',
  'served wrongly',
  'longest stall',
  'peak memory',
  'held',
]

export function tableOf(all: readonly Measurement[]): string {
  const lines = [columns, columns.map(() => '---'), ...all.map(cellsOf)]
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

function cellsOf(measured: Measurement): readonly string[] {
  const { scenario, counts, lost, wrong, stallMs, peakMb, idleMb = 0, skipped } = measured
  const often = [...counts].map(([what, times]) => `${times.toLocaleString('en')} ${what}`).join(', ')
  const memory =
    peakMb === undefined ? '' : `${Math.round(peakMb)} MB (+${Math.max(0, Math.round(peakMb - idleMb))})`
  const { stallMsMax, memoryMbMax } = scenario.bounds ?? {}
  const held = failuresOf(measured).length === 0 ? 'yes' : '**no**'
  return [
    scenario.title,
    scenario.tried,
    skipped === undefined ? often : `not possible here: ${withoutBreaks(skipped)}`,
    String(sumOf(lost)),
    String(sumOf(wrong)),
    stallMs === undefined ? '' : `${Math.round(stallMs)} ms${boundText(stallMsMax, 'ms')}`,
    memory + boundText(memoryMbMax, 'MB'),
    skipped === undefined ? held : '',
  ]
}

function boundText(bound: number | undefined, unit: string): string {
  return bound === undefined ? '' : `, at most ${bound} ${unit}`
}

/** A table and a list have one line an entry. */
function withoutBreaks(text: string): string {
  return text.replaceAll(/\s+/g, ' ').replaceAll('|', '\\|').slice(0, 300)
}
