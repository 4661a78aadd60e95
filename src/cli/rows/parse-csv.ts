import { CsvError, parse } from 'csv-parse/sync'
import { InputError, mistakeAt } from './input-error.ts'
import { type Row, rowCharsMax } from './row.ts'

/**
 * Reads CSV with a head of column names: cells may be quoted, have line breaks, and be parted by commas, semicolons or
 * tabs. An empty cell counts as not given. Throws an `InputError` that names the line.
 */
export function parseCsv(text: string, source: string): readonly Row[] {
  // The parser counts a line break of Windows inside of quotes as two lines.
  const [head, ...records] = readRecords(text.replaceAll('\r\n', '\n'), source)
  if (head === undefined) return []
  const columns = head.cells.map((name) => name.trim())
  const repeated = columns.find((name, index) => columns.indexOf(name) < index)
  if (repeated !== undefined)
    throw new InputError([mistakeAt({ source, line: head.line }, `the column ${repeated} comes twice`)])
  return records.map(({ line, cells }) => ({
    source,
    line,
    fields: new Map(
      cells.flatMap((cell, index) => (cell === '' ? [] : [[columns[index] ?? '', cell] as const])),
    ),
    emptyColumns: columns.filter((_, index) => cells[index] === ''),
    isCsv: true,
  }))
}

interface CsvRecord {
  /** Line of its first character. */
  readonly line: number
  readonly cells: readonly string[]
}

function readRecords(text: string, source: string): readonly CsvRecord[] {
  const records: CsvRecord[] = []
  let lastLine = 0
  function add(cells: string[], { lines }: { readonly lines: number }): null {
    records.push({ line: lines - lineBreaksIn(cells), cells })
    lastLine = lines
    return null
  }
  try {
    parse(text, {
      delimiter: delimiterOf(text),
      skip_empty_lines: true,
      max_record_size: rowCharsMax,
      on_record: add,
    })
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    const { code, message, lines } = error as CsvError & { readonly lines?: number }
    // A quote that is never closed is only noticed at the end of the file.
    const line = code === 'CSV_QUOTE_NOT_CLOSED' || lines === undefined ? lastLine + 1 : lines
    throw new InputError([mistakeAt({ source, line }, faults.get(code) ?? message)])
  }
  return records
}

const faults: ReadonlyMap<string, string> = new Map([
  ['CSV_QUOTE_NOT_CLOSED', 'has a quote that is never closed'],
  ['CSV_INVALID_CLOSING_QUOTE', 'has text behind a closing quote; a quote inside of quotes is written twice'],
  [
    'INVALID_OPENING_QUOTE',
    'has a quote inside of a cell; put the whole cell into quotes and write it twice',
  ],
  ['CSV_RECORD_INCONSISTENT_FIELDS_LENGTH', 'has another number of cells than the head'],
  ['CSV_MAX_RECORD_SIZE', `is longer than ${rowCharsMax} characters`],
])

function lineBreaksIn(cells: readonly string[]): number {
  return cells.join('').split('\n').length - 1
}

/** Spreadsheets of many countries write semicolons. */
function delimiterOf(text: string): string {
  const head = text.slice(0, text.indexOf('\n') + 1 || rowCharsMax)
  const [most = ','] = [',', ';', '\t'].sort(
    (one, other) => head.split(other).length - head.split(one).length,
  )
  return most
}
