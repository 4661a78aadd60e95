import { createReadStream } from 'node:fs'
import process from 'node:process'
import { CsvError, parse } from 'csv-parse/sync'
import type { Asset } from '../../assets/kit/asset.ts'
import { type ParameterError, Problem } from '../../errors.ts'
import type { ParsedRequest } from '../../http/request-context.ts'
import type { createRequestParser } from '../../http/request-parser.ts'
import { closestWord } from '../../lib/edit-distance.ts'
import { isJsonObject } from '../../lib/json.ts'
import { canonicalQuery, type QueryPair } from '../../lib/query-pairs.ts'
import { reasonOf } from '../../lib/system-reason.ts'

/** Some 100,000 rows. */
const bytesMax = 64 * 2 ** 20
/** Most characters of a row: more than any URL may have. */
const rowCharsMax = 64 * 1024

/**
 * Reads all rows of a CSV or JSON Lines file, or of the standard input where `path` is `-`. The file's extension tells the
 * form, else its first character does. Rejects with an `InputError` that names every line that cannot be read.
 */
export async function readRows(path: string): Promise<readonly Row[]> {
  const source = path === '-' ? 'standard input' : path
  const text = decode(await readBytes(path, source), source)
  const rows = isJson(path, text) ? parseJsonLines(text, source) : parseCsv(text, source)
  if (rows.length === 0) throw new InputError([`${source} has no rows.`])
  return rows
}

async function readBytes(path: string, source: string): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let byteLength = 0
  try {
    for await (const chunk of path === '-' ? process.stdin : createReadStream(path)) {
      byteLength += chunk.length
      if (byteLength > bytesMax) break
      chunks.push(chunk)
    }
  } catch (error) {
    throw new InputError([`${source} cannot be read: ${reasonOf(error)}`])
  }
  if (byteLength > bytesMax)
    throw new InputError([`${source} is larger than ${bytesMax / 2 ** 20} MiB: split it.`])
  return Buffer.concat(chunks)
}

/** The text, without a byte order mark. */
function decode(bytes: Uint8Array, source: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new InputError([mistakeAt({ source, line: firstBadLine(bytes) }, 'is not UTF-8')])
  }
}

function firstBadLine(bytes: Uint8Array): number {
  const lines = new TextDecoder().decode(bytes).split('\n')
  return lines.findIndex((line) => line.includes('\ufffd')) + 1
}

function isJson(path: string, text: string): boolean {
  const extension = /\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? ''
  if (extension === 'csv' || extension === 'tsv') return false
  return ['jsonl', 'ndjson', 'json'].includes(extension) || /^\s*[[{]/.test(text)
}

/**
 * Reads CSV with a head of column names: cells may be quoted, have line breaks, and be parted by commas, semicolons or
 * tabs. An empty cell counts as not given. Throws an `InputError` that names the line.
 */
function parseCsv(text: string, source: string): readonly Row[] {
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

/** Reads one JSON object a line; empty lines are left out. Throws an `InputError` that names every other line. */
function parseJsonLines(text: string, source: string): readonly Row[] {
  const mistakes: string[] = []
  const rows: Row[] = []
  for (const [index, line] of text.split('\n').entries()) {
    const place = { source, line: index + 1 }
    const content = line.trim()
    if (content === '') continue
    try {
      rows.push({ ...place, ...fieldsOf(content), isCsv: false })
    } catch (error) {
      mistakes.push(mistakeAt(place, error instanceof Error ? error.message : String(error)))
    }
  }
  if (mistakes.length > 0) throw new InputError(mistakes)
  return rows
}

function fieldsOf(line: string): Pick<Row, 'fields' | 'emptyColumns'> {
  if (line.length > rowCharsMax) throw new Error(`is longer than ${rowCharsMax} characters`)
  const value: unknown = parseJson(line)
  if (!isJsonObject(value)) throw new Error('must be one JSON object, such as {"title":"Hello"}')
  const given = Object.entries(value).filter(([, field]) => field !== null)
  return {
    fields: new Map(given.map(([name, field]) => [name, rowValue(name, field)])),
    emptyColumns: Object.keys(value).filter((name) => value[name] === null),
  }
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    throw new Error('is not JSON: each line must be one object, such as {"title":"Hello"}')
  }
}

/** Converts a field to text. Objects become JSON, because no parameter takes them. */
function rowValue(name: string, field: unknown): RowValue {
  if (Array.isArray(field)) return field.map((item) => String(rowValue(name, item)))
  return typeof field === 'object' ? JSON.stringify(field) : String(field)
}

/** One row of input: what to call with which parameters, and whatever else its writer keeps there. */
export interface Row extends RowPlace {
  /** Text by the name of its column; a list where a value was given several times. */
  readonly fields: ReadonlyMap<string, RowValue>
  /** Columns that the row has without a value. */
  readonly emptyColumns: readonly string[]
  readonly isCsv: boolean
}

export type RowValue = string | readonly string[]

/** Where rows come from, for messages: a file's path, or `standard input`. */
interface RowPlace {
  readonly source: string
  /** Counted from 1. */
  readonly line: number
}

/** How many mistakes are shown. */
const shownMax = 20

/** Mistakes in the rows of a command, each with its file and line. */
export class InputError extends Error {
  override readonly name = 'InputError'

  constructor(mistakes: readonly string[]) {
    const rest = mistakes.length - shownMax
    super([...mistakes.slice(0, shownMax), ...(rest > 0 ? [`and ${rest} more`] : [])].join('\n'))
  }
}

/** One mistake as a line: `cards.csv:3: title must be …`. */
export function mistakeAt({ source, line }: RowPlace, message: string): string {
  return `${source}:${line}: ${message}`
}

export function parameterMistake(place: RowPlace, { parameter, message }: ParameterError): string {
  return mistakeAt(place, `${parameter} ${message}`)
}

/** A row, and the call that it describes. */
export interface RowRequest {
  readonly row: Row
  readonly asset: Asset
  readonly parameters: readonly QueryPair[]
  readonly parsed: ParsedRequest
}

interface RowReaderDeps {
  /** The assets that a row may ask for. */
  readonly assets: readonly Asset[]
  readonly parser: Pick<ReturnType<typeof createRequestParser>, 'read'>
  /** Parameters for rows that do not have them, `kind` among them. */
  readonly defaults: ReadonlyMap<string, RowValue>
  /** Columns that have a use of their own. */
  readonly ownColumns: ReadonlySet<string>
}

/** The column, or option, that says which asset a row is. */
export const kindColumn = 'kind'

/**
 * Reads every row as the server would read its call. Throws an `InputError` that names every wrong parameter of every row,
 * and columns that are nearly the name of a parameter.
 */
export async function readRowRequests(
  rows: readonly Row[],
  deps: RowReaderDeps,
): Promise<readonly RowRequest[]> {
  const mistakes: string[] = []
  const requests: RowRequest[] = []
  for (const row of rows) {
    try {
      requests.push(await readRow(row, deps))
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      mistakes.push(...error.errors.map((each) => parameterMistake(row, each)))
    }
  }
  const misspelt = misspeltColumns(rows, deps)
  if (mistakes.length + misspelt.length > 0) throw new InputError([...misspelt, ...mistakes])
  return requests
}

async function readRow(row: Row, { assets, parser, defaults }: RowReaderDeps): Promise<RowRequest> {
  const asset = assetOf(row.fields.get(kindColumn) ?? defaults.get(kindColumn) ?? 'og', assets)
  const known = parameterNames(asset)
  const given = new Map([...defaults, ...row.fields])
  const parameters = [...given].flatMap(([name, value]) =>
    known.has(name) ? [value].flat().map((one): QueryPair => [name, one]) : [],
  )
  const call = { path: asset.path, rawQuery: canonicalQuery(parameters), logFields: {} }
  const check = parser.read(call).resolved?.recheck()
  await check
  return { row, asset, parameters, parsed: parser.read(call) }
}

function assetOf(kind: RowValue, assets: readonly Asset[]): Asset {
  const asset = assets.find(({ id }) => id === kind)
  if (asset !== undefined) return asset
  const allowed = assets.map(({ id }) => id)
  const message = `must be one of ${allowed.join(', ')}`
  throw new Problem('invalid_query', message, { errors: [{ parameter: kindColumn, message, allowed }] })
}

/** Every name of every parameter, older ones too. */
export function parameterNames({ query }: Asset): ReadonlySet<string> {
  return new Set(Object.entries(query.properties).flatMap(([name, { aliases = [] }]) => [name, ...aliases]))
}

/** A row may have columns for its owner's own use; one that is nearly a parameter is a mistake. */
function misspeltColumns(rows: readonly Row[], { assets, ownColumns }: RowReaderDeps): readonly string[] {
  const known = [kindColumn, ...new Set(assets.flatMap((asset) => [...parameterNames(asset)]))]
  const firstRows = new Map<string, Row>()
  for (const row of rows)
    for (const name of row.fields.keys()) if (!firstRows.has(name)) firstRows.set(name, row)
  return [...firstRows].flatMap(([name, row]) => {
    const meant = ownColumns.has(name) ? undefined : closestWord(name, known)
    return meant === undefined ? [] : [mistakeAt(row, `${name} is no parameter; did you mean ${meant}?`)]
  })
}
