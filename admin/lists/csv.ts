import { setImmediate as nextTurn } from 'node:timers/promises'
import { isoDay } from '../../src/lib/clock.ts'

const rowsAtOnce = 500

type Cell = string | number | null

type CsvColumn<Row> = readonly [string, (row: Row) => Cell | PromiseLike<Cell>]

export type CsvColumns<Row> = readonly CsvColumn<Row>[]

export const dayColumn: CsvColumn<{ readonly day: number }> = ['day', ({ day }) => isoDay(day)]

/** Columns that are named as the members of their rows. */
export function columnsOf<Name extends string>(...names: readonly Name[]): CsvColumns<Record<Name, Cell>> {
  return names.map((name) => [name, (row) => row[name]])
}

export type CsvFile = AsyncIterable<string>

/** The lines of a file. `next` returns at most `limit` rows after the last one that it returned. */
export async function* csvFile<Row>(
  columns: CsvColumns<Row>,
  next: (limit: number, last: Row | undefined) => PromiseLike<readonly Row[]>,
): CsvFile {
  yield csvLine(columns.map(([name]) => name))
  let last: Row | undefined
  for (;;) {
    // Other requests are served between two parts.
    await nextTurn()
    const rows = await next(rowsAtOnce, last)
    last = rows.at(-1)
    const lines: string[] = []
    for (const row of rows) lines.push(csvLine(await Promise.all(columns.map(([, read]) => read(row)))))
    if (lines.length > 0) yield lines.join('')
    if (rows.length < rowsAtOnce) return
  }
}

export function csvOf<Row>(columns: CsvColumns<Row>, rows: readonly Row[]): CsvFile {
  const remaining = [...rows]
  return csvFile(columns, async (limit) => remaining.splice(0, limit))
}

export function csvResponse(filename: string, file: CsvFile): Response {
  const lines = file[Symbol.asyncIterator]()
  const encoder = new TextEncoder()
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await lines.next()
      if (done) controller.close()
      else controller.enqueue(encoder.encode(value))
    },
  })
  return new Response(body, {
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${filename}"`,
      'cache-control': 'no-store',
    },
  })
}

/** The last second of the year 9999: `forever` is later, and ISO 8601 needs more digits for it. */
const isoTimeMsMax = 253_402_300_799_000

export function isoTimeOf(ms: number | null): string | null {
  return ms === null ? null : new Date(Math.min(ms, isoTimeMsMax)).toISOString()
}

/** A cell that a spreadsheet would run. It skips leading blanks, and some read full-width signs like ASCII ones. */
const formulaStart = /^(?:\s*[=+\-@＝＋－＠]|[\t\r])/

export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(cell).join(',')}\r\n`
}

function cell(value: Cell): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  const escaped = formulaStart.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(escaped) ? `"${escaped.replaceAll('"', '""')}"` : escaped
}
