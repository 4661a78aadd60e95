import { setImmediate as nextTurn } from 'node:timers/promises'

const rowsPerPage = 500

/** `null` is an empty cell. */
type Cell = string | number | null

/** Name and value of each column. */
export type CsvColumns<Row> = readonly (readonly [string, (row: Row) => Cell | PromiseLike<Cell>])[]

/**
 * A CSV file (RFC 4180) as a stream. `next` returns at most `limit` rows after the last one that it returned. A cell
 * that a spreadsheet would run as a formula gets an apostrophe before it.
 */
export function csvResponse<Row>(
  filename: string,
  columns: CsvColumns<Row>,
  next: (limit: number, last: Row | undefined) => PromiseLike<readonly Row[]>,
): Response {
  const encoder = new TextEncoder()
  let last: Row | undefined
  let isFirst = true
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      // Other requests are served between two pages.
      await nextTurn()
      if (isFirst) controller.enqueue(encoder.encode(csvLine(columns.map(([name]) => name))))
      isFirst = false
      const rows = await next(rowsPerPage, last)
      last = rows.at(-1)
      if (rows.length > 0) {
        const text: string[] = []
        for (const row of rows) text.push(csvLine(await Promise.all(columns.map(([, read]) => read(row)))))
        controller.enqueue(encoder.encode(text.join('')))
      }
      if (rows.length < rowsPerPage) controller.close()
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

/** Spreadsheets skip leading blanks, and some read full-width signs like ASCII ones. */
const formulaStart = /^(?:\s*[=+\-@＝＋－＠]|[\t\r])/

/** One line of a CSV file. A cell that a spreadsheet would run as a formula gets an apostrophe before it. */
export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(cell).join(',')}\r\n`
}

function cell(value: Cell): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  const escaped = formulaStart.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(escaped) ? `"${escaped.replaceAll('"', '""')}"` : escaped
}
