import type { ComparedTotal } from '../../store/move/move.ts'

/** A table of counts and sums on both sides, for people to read. Lines that differ say so. */
export function comparisonText(totals: readonly ComparedTotal[]): string {
  const lines = [
    ['table', 'what', 'source', 'target', ''],
    ...totals.map(({ table, what, source, target }) => [
      table,
      what === 'rows' ? 'rows' : `sum of ${what}`,
      source,
      target,
      source === target ? '' : 'differs',
    ]),
  ]
  const widths = [0, 1, 2, 3].map((column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)))
  return lines
    .map(([table = '', what = '', source = '', target = '', note = '']) =>
      [
        table.padEnd(widths[0] ?? 0),
        what.padEnd(widths[1] ?? 0),
        source.padStart(widths[2] ?? 0),
        target.padStart(widths[3] ?? 0),
        note,
      ]
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
