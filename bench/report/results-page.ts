import type { Row } from '../support/row.ts'
import { isQuiet, type SectionResult } from './section-result.ts'

const introduction = `# Results

Each row compares in one run, on one machine, each section in a process of its own. Times are CPU time of the whole process per operation; texts are encoded and bodies are bytes before the clock stops. A ratio is the median of alternating rounds, and a row that fell short was measured once more before it says so.

Targets are what this project asks of itself: beside a peer the least that may lie between the two, beside ourselves the most that a row may grow or take. They stand in the files of \`bench/\`. Each section says how quiet the machine was: how many times slower than at its best a constant \`Bun.serve\` route answered before or after it. Rows of a busy machine are shown, and judge nobody.`

/** RESULTS.md: every section's latest run, with the pictures that there are, and the studies made by hand. */
export function resultsPage(
  results: readonly SectionResult[],
  pictures: readonly string[],
  studies: readonly string[] = [],
): string {
  const machines = [...new Set(results.map(({ machine }) => machine))]
  const sections = results.map((result) => {
    const line = machines.length > 1 ? `${circumstances(result)}; ${result.machine}` : circumstances(result)
    return `## ${result.name}\n\n${line}\n\n${markdownTable(result.rows)}`
  })
  const measuredOn = `Measured on ${machines.join(' and on ')}.`
  return `${[introduction, measuredOn, ...pictures, ...sections, ...studies].join('\n\n')}\n`
}

/** When, how quiet and for how long. */
export function circumstances(result: SectionResult): string {
  const { measuredOn, slowerTimes, seconds } = result
  const quietness =
    slowerTimes === undefined
      ? 'how quiet it was is not known'
      : `${isQuiet(result) ? 'quiet' : '**busy**'} (${slowerTimes.toFixed(2)}×)`
  return [measuredOn, quietness, ...(seconds === undefined ? [] : [`${seconds} s`])].join('; ')
}

export function markdownTable(rows: readonly Row[]): string {
  const lines = rows.map((row) => [row.what, row.ours, row.peer, row.ratio, row.target, metText(row)])
  return [
    ['what', 'ours', 'peer', 'ratio', 'target', 'met'],
    Array.from({ length: 6 }, () => '---'),
    ...lines,
  ]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n')
}

function metText({ passed, tries = 1 }: Row): string {
  if (passed === undefined) return ''
  if (passed) return tries === 1 ? 'yes' : `yes, at try ${tries}`
  return tries === 1 ? '**no**' : `**no**, ${tries} tries`
}
