import { setImmediate as nextTurn } from 'node:timers/promises'

const rowsAtOnce = 500

/**
 * A CSV file as a stream, read page by page: `next` answers the rows after the last one it gave.
 * Cells that a spreadsheet would run as a formula get an apostrophe before them.
 */
export function csvResponse<Row>(
  filename: string,
  columns: readonly (readonly [string, (row: Row) => string | number | null])[],
  next: (limit: number, last: Row | undefined) => readonly Row[],
): Response {
  const encoder = new TextEncoder()
  let last: Row | undefined
  let isFirst = true
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      // Everybody else gets a turn between two pages.
      await nextTurn()
      if (isFirst) controller.enqueue(encoder.encode(line(columns.map(([name]) => name))))
      isFirst = false
      const rows = next(rowsAtOnce, last)
      last = rows.at(-1)
      if (rows.length > 0) {
        const text = rows.map((row) => line(columns.map(([, read]) => read(row))))
        controller.enqueue(encoder.encode(text.join('')))
      }
      if (rows.length < rowsAtOnce) controller.close()
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

/** Spreadsheets look past blanks, and some take the wide forms for the narrow ones. */
const formulaStart = /^(?:\s*[=+\-@＝＋－＠]|[\t\r])/

function line(cells: readonly (string | number | null)[]): string {
  return `${cells.map(cell).join(',')}\r\n`
}

function cell(value: string | number | null): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  const harmless = formulaStart.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
