import { isQuiet, type SectionResult } from './section-result.ts'

interface Verdict {
  /** 1 when a row missed its bound while the machine was quiet, or could not be measured. */
  readonly exitCode: 0 | 1
  readonly text: string
}

/** The summary at the end of a run. A busy machine slows us and our peers differently, so it judges nobody. */
export function verdictOf(results: readonly SectionResult[]): Verdict {
  const missed = results.flatMap((result) =>
    result.rows
      .filter(({ passed }) => passed === false)
      .map((row) => ({
        counts: isQuiet(result) || row.ours === failed,
        line: `${result.name}: ${row.what}`,
      })),
  )
  const counting = missed.filter(({ counts }) => counts)
  const others = missed.filter(({ counts }) => !counts)
  const lines = [
    ...listOf('Missed:', counting),
    ...listOf('Fell short while the machine was not known to be quiet, which counts for nothing:', others),
  ]
  return {
    exitCode: counting.length > 0 ? 1 : 0,
    text: lines.length > 0 ? lines.join('\n') : 'Every row met its bound.',
  }
}

/** Replaces the figure of a section that ended with an error. */
export const failed = 'failed'

function listOf(title: string, missed: readonly { readonly line: string }[]): readonly string[] {
  return missed.length > 0 ? [title, ...missed.map(({ line }) => `  ${line}`)] : []
}
