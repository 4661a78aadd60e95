interface Counted {
  readonly count: number
}

export function callsOf(rows: readonly Counted[]): number {
  return rows.reduce((sum, { count }) => sum + count, 0)
}

/** Sums traffic by what `nameOf` says of a row, the largest first. */
export function sumBy<Row extends Counted>(rows: readonly Row[], nameOf: (row: Row) => string) {
  const sums = new Map<string, number>()
  for (const row of rows) sums.set(nameOf(row), (sums.get(nameOf(row)) ?? 0) + row.count)
  return [...sums].map(([name, count]) => ({ name, count })).toSorted((a, b) => b.count - a.count)
}
