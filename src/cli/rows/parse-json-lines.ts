import { isJsonObject } from '../../lib/json.ts'
import { InputError, mistakeAt } from './input-error.ts'
import { type Row, type RowValue, rowCharsMax } from './row.ts'

/** Reads one JSON object a line; empty lines are left out. Throws an `InputError` that names every other line. */
export function parseJsonLines(text: string, source: string): readonly Row[] {
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
  const value: unknown = parse(line)
  if (!isJsonObject(value)) throw new Error('must be one JSON object, such as {"title":"Hello"}')
  const given = Object.entries(value).filter(([, field]) => field !== null)
  return {
    fields: new Map(given.map(([name, field]) => [name, rowValue(name, field)])),
    emptyColumns: Object.keys(value).filter((name) => value[name] === null),
  }
}

function parse(line: string): unknown {
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
