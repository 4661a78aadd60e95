import { createReadStream } from 'node:fs'
import process from 'node:process'
import { CsvError, parse } from 'csv-parse/sync'
import type { Asset } from '../../assets/kit/asset.ts'
import { type ParameterError, Problem } from '../../errors.ts'
import type { ParsedRequest } from '../../http/request-context.ts'
import type { createRequestParser } from '../../http/request-parser.ts'
import { closestWord } from '../../lib/edit-distance.ts'
import { isJsonObject, parseJson } from '../../lib/json.ts'
import { canonicalQuery, type QueryPair } from '../../lib/query-pairs.ts'
import { reasonOf } from '../../lib/system-reason.ts'
import csvFaults from './csv-faults.json' with { type: 'json' }

/** Some 100,000 rows. */
const bytesMax = 64 * 2 ** 20
/** Most characters of a row: more than any URL may have. */
const rowCharsMax = 64 * 1024

/** Reads a file of CSV or JSON Lines, or standard input for `-`. Rejects with an `InputError` that names each unreadable line. */
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
  if (byteLength <= bytesMax) return Buffer.concat(chunks)
  throw new InputError([`${source} is larger than ${bytesMax / 2 ** 20} MiB: split it.`])
}

function decode(bytes: Uint8Array, source: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    const lines = new TextDecoder().decode(bytes).split('\n')
    const line = lines.findIndex((each) => each.includes('\ufffd')) + 1
    throw new InputError([mistakeAt({ source, line }, 'is not UTF-8')])
  }
}

function isJson(path: string, text: string): boolean {
  const extension = /\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? ''
  if (extension === 'csv' || extension === 'tsv') return false
  return ['jsonl', 'ndjson', 'json'].includes(extension) || /^\s*[[{]/.test(text)
}

/** Reads CSV with a head of column names, parted by commas, semicolons or tabs. An empty cell counts as not given. */
function parseCsv(text: string, source: string): readonly Row[] {
  // The parser counts a line break of Windows inside of quotes as two lines.
  const [head, ...records] = readRecords(text.replaceAll('\r\n', '\n'), source)
  if (head === undefined) return []
  const columns = head.cells.map((name) => name.trim())
  const repeated = columns.find((name, index) => columns.indexOf(name) < index)
  if (repeated !== undefined)
    throw new InputError([mistakeAt({ source, line: head.line }, `the column ${repeated} comes twice`)])
  return records.map(({ line, cells }) => {
    const given = cells.map((cell, index) => [columns[index] ?? '', cell] as const)
    return { source, line, fields: new Map(given.filter(([, cell]) => cell !== '')) }
  })
}

const faults: Readonly<Record<string, string>> = {
  ...csvFaults,
  CSV_MAX_RECORD_SIZE: `is longer than ${rowCharsMax} characters`,
}

function readRecords(text: string, source: string) {
  const records: { readonly line: number; readonly cells: readonly string[] }[] = []
  let lastLine = 0
  try {
    parse(text, {
      delimiter: delimiterOf(text),
      skip_empty_lines: true,
      max_record_size: rowCharsMax,
      on_record(cells: string[], { lines }: { readonly lines: number }) {
        records.push({ line: lines - cells.join('').split('\n').length + 1, cells })
        lastLine = lines
        return null
      },
    })
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    const { code, message, lines } = error as CsvError & { readonly lines?: number }
    // A quote that is never closed is only noticed at the end of the file.
    const line = code === 'CSV_QUOTE_NOT_CLOSED' || lines === undefined ? lastLine + 1 : lines
    throw new InputError([mistakeAt({ source, line }, faults[code] ?? message)])
  }
  return records
}

/** Spreadsheets of many countries write semicolons. */
function delimiterOf(text: string): string {
  const head = text.slice(0, text.indexOf('\n') + 1 || rowCharsMax)
  const count = (delimiter: string) => head.split(delimiter).length
  return [';', '\t'].reduce((most, each) => (count(each) > count(most) ? each : most), ',')
}

/** Reads one JSON object a line; empty lines are left out. Throws an `InputError` that names every other line. */
function parseJsonLines(text: string, source: string): readonly Row[] {
  const mistakes: string[] = []
  const rows: Row[] = []
  for (const [index, line] of text.split('\n').entries()) {
    const place = { source, line: index + 1 }
    const content = line.trim()
    if (content === '') continue
    const fields = fieldsOf(content)
    if (typeof fields === 'string') mistakes.push(mistakeAt(place, fields))
    else rows.push({ ...place, fields })
  }
  if (mistakes.length > 0) throw new InputError(mistakes)
  return rows
}

/** Returns the end of a sentence for a line that is no object. */
function fieldsOf(line: string): Row['fields'] | string {
  if (line.length > rowCharsMax) return `is longer than ${rowCharsMax} characters`
  const value = parseJson(line)
  if (value === undefined) return 'is not JSON: each line must be one object, such as {"title":"Hello"}'
  if (!isJsonObject(value)) return 'must be one JSON object, such as {"title":"Hello"}'
  const given = Object.entries(value).filter(([, field]) => field !== null)
  return new Map(given.map(([name, field]) => [name, rowValue(field)]))
}

/** Converts a field to text. Objects become JSON, because no parameter takes them. */
function rowValue(field: unknown): RowValue {
  if (Array.isArray(field)) return field.map((item) => String(rowValue(item)))
  return typeof field === 'object' ? JSON.stringify(field) : String(field)
}

export interface Row extends RowPlace {
  /** Text by the name of its column; a list where a value was given several times. */
  readonly fields: ReadonlyMap<string, RowValue>
}

export type RowValue = string | readonly string[]

/** The place of a row, for messages. Its source is a file's path, or `standard input`. */
interface RowPlace {
  readonly source: string
  readonly line: number
}

const shownMax = 20

export class InputError extends Error {
  override readonly name = 'InputError'

  constructor(mistakes: readonly string[]) {
    const rest = mistakes.length - shownMax
    super([...mistakes.slice(0, shownMax), ...(rest > 0 ? [`and ${rest} more`] : [])].join('\n'))
  }
}

export function mistakeAt({ source, line }: RowPlace, message: string): string {
  return `${source}:${line}: ${message}`
}

export function parameterMistake(place: RowPlace, { parameter, message }: ParameterError): string {
  return mistakeAt(place, `${parameter} ${message}`)
}

export interface RowRequest {
  readonly row: Row
  readonly asset: Asset
  readonly parameters: readonly QueryPair[]
  readonly parsed: ParsedRequest
}

interface RowRules {
  readonly assets: readonly Asset[]
  readonly parser: Pick<ReturnType<typeof createRequestParser>, 'read'>
  /** Parameters for rows that do not have them, `kind` among them. */
  readonly defaults: ReadonlyMap<string, RowValue>
  readonly ownColumns: ReadonlySet<string>
}

export const kindColumn = 'kind'

/** Reads every row as the server would read its call. An `InputError` names every wrong parameter and misspelt column. */
export async function readRowRequests(rows: readonly Row[], deps: RowRules) {
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

async function readRow(row: Row, { assets, parser, defaults }: RowRules): Promise<RowRequest> {
  const asset = assetOf(row.fields.get(kindColumn) ?? defaults.get(kindColumn) ?? 'og', assets)
  const known = parameterNames(asset)
  const given = new Map([...defaults, ...row.fields])
  const parameters = [...given].flatMap(([name, value]) =>
    known.has(name) ? [value].flat().map((one): QueryPair => [name, one]) : [],
  )
  const call = { path: asset.path, rawQuery: canonicalQuery(parameters), logFields: {} }
  await parser.read(call).resolved?.recheck()
  return { row, asset, parameters, parsed: parser.read(call) }
}

function assetOf(kind: RowValue, assets: readonly Asset[]): Asset {
  const asset = assets.find(({ id }) => id === kind)
  if (asset !== undefined) return asset
  const allowed = assets.map(({ id }) => id)
  const message = `must be one of ${allowed.join(', ')}`
  throw new Problem('invalid_query', message, { errors: [{ parameter: kindColumn, message, allowed }] })
}

export function parameterNames({ query }: Asset): ReadonlySet<string> {
  return new Set(Object.entries(query.properties).flatMap(([name, { aliases = [] }]) => [name, ...aliases]))
}

/** A row may have columns for its owner's own use; one that is nearly a parameter is a mistake. */
function misspeltColumns(rows: readonly Row[], { assets, ownColumns }: RowRules): readonly string[] {
  const known = [kindColumn, ...new Set(assets.flatMap((asset) => [...parameterNames(asset)]))]
  const firstRows = new Map<string, Row>()
  for (const row of rows)
    for (const name of row.fields.keys()) if (!firstRows.has(name)) firstRows.set(name, row)
  return [...firstRows].flatMap(([name, row]) => {
    const meant = ownColumns.has(name) ? undefined : closestWord(name, known)
    return meant === undefined ? [] : [mistakeAt(row, `${name} is no parameter; did you mean ${meant}?`)]
  })
}
