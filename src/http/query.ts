import { OptionalKind, type Static, type TObject, type TSchema } from '@sinclair/typebox'
import type { ParameterError } from '../errors.ts'
import { formats } from '../lib/formats.ts'
import { cleanText, countCodePoints } from '../text/clean.ts'

/** A decoded query, or everything that is wrong with it. */
export type Decoded<Query extends TObject> =
  | { readonly value: Static<Query> }
  | { readonly errors: readonly ParameterError[] }

/** Values by name, still percent-encoded, in the order in which they came. */
type RawValues = ReadonlyMap<string, readonly string[]>

/**
 * Reads a raw query strictly: each parameter at most once, well-formed percent-encoding, plain decimal numbers.
 * Unknown parameters are ignored, wrong ones are all named. `presets` stand in for missing parameters.
 */
export function decodeQuery<Query extends TObject>(
  schema: Query,
  rawQuery: string,
  presets: Readonly<Record<string, string>> = {},
): Decoded<Query> {
  const raw = splitQuery(rawQuery)
  const value: Record<string, unknown> = {}
  const errors: ParameterError[] = []
  for (const [name, field] of fieldsOf(schema)) {
    const outcome = readField(field, valuesOf(raw, name, field), presets[name])
    if (outcome === undefined) continue
    if (outcome instanceof Wrong) errors.push(outcome.at(name))
    else value[name] = outcome
  }
  return errors.length > 0 ? { errors } : { value: value as Static<Query> }
}

const knownFields = new WeakMap<TObject, readonly (readonly [name: string, field: TSchema])[]>()

/** The fields of a schema, listed once. */
function fieldsOf(schema: TObject): readonly (readonly [name: string, field: TSchema])[] {
  const known = knownFields.get(schema)
  if (known) return known
  const fields = Object.entries(schema.properties)
  knownFields.set(schema, fields)
  return fields
}

/** What is wrong with one value; a class, so that no value can be taken for it. */
class Wrong {
  readonly message: string
  readonly allowed: readonly string[] | undefined

  constructor(message: string, allowed?: readonly string[]) {
    this.message = message
    this.allowed = allowed
  }

  at(parameter: string): ParameterError {
    return { parameter, message: this.message, ...(this.allowed && { allowed: this.allowed }) }
  }
}

let lastSplit: { readonly rawQuery: string; readonly values: RawValues } | undefined

/** Remembers the last one: where several assets share a path, a query is read for its `kind` first. */
function splitQuery(rawQuery: string): RawValues {
  if (lastSplit?.rawQuery !== rawQuery) lastSplit = { rawQuery, values: split(rawQuery) }
  return lastSplit.values
}

function split(rawQuery: string): RawValues {
  const values = new Map<string, string[]>()
  if (rawQuery === '') return values
  for (const pair of rawQuery.split('&')) {
    const equals = pair.indexOf('=')
    const rawName = equals < 0 ? pair : pair.slice(0, equals)
    const name = percentDecode(rawName) ?? rawName
    const value = equals < 0 ? '' : pair.slice(equals + 1)
    const earlier = values.get(name)
    if (earlier) earlier.push(value)
    else values.set(name, [value])
  }
  return values
}

function valuesOf(raw: RawValues, name: string, field: TSchema): readonly string[] {
  const values = raw.get(name) ?? []
  const aliases: unknown = field['aliases']
  if (!Array.isArray(aliases) || !aliases.some((alias: string) => raw.has(alias))) return values
  return [...values, ...aliases.flatMap((alias: string) => raw.get(alias) ?? [])]
}

function readField(field: TSchema, raw: readonly string[], preset: string | undefined): unknown {
  if (field['type'] === 'array') return readList(field, raw)
  const [only] = raw
  if (raw.length > 1) return new Wrong('is given more than once')
  if (only === undefined) return preset ?? missing(field)
  return readValue(field, only)
}

function missing(field: TSchema): unknown {
  if (field['default'] !== undefined) return field['default']
  if (field[OptionalKind] === 'Optional') return undefined
  return new Wrong(`is required: ${describeBounds(field)}`, allowedValues(field))
}

function readList(field: TSchema, raw: readonly string[]): unknown {
  const most = Number(field['maxItems'])
  if (raw.length > most) return new Wrong(`is given more than ${most} times`)
  if (raw.length === 0) return undefined
  const items = raw.map((value) => readValue(field['items'] as TSchema, value))
  return items.find((item) => item instanceof Wrong) ?? items
}

function readValue(field: TSchema, raw: string): unknown {
  const value = percentDecode(raw)
  if (value === undefined) return new Wrong('is not valid percent-encoded UTF-8')
  if (isFreeText(field)) return readText(field, cleanText(value))
  return accept(field, value) ?? new Wrong(`must be ${describeBounds(field)}`, allowedValues(field))
}

/** Optional text that is empty is as good as none. */
function readText(field: TSchema, text: string): unknown {
  if (text === '' && field['minLength'] === 0) return undefined
  const length = countCodePoints(text)
  if (length >= Number(field['minLength']) && length <= Number(field['maxLength'])) return text
  return new Wrong(`must be ${describeBounds(field)}, not ${length}`)
}

/** The typed value, or undefined when the field does not allow it. */
function accept(field: TSchema, value: string): unknown {
  switch (field['type']) {
    case 'integer':
      return within(field, /^-?(0|[1-9]\d{0,14})$/.test(value) ? Number(value) : Number.NaN)
    case 'number':
      return within(field, /^-?(0|[1-9]\d{0,14})(\.\d{1,15})?$/.test(value) ? Number(value) : Number.NaN)
    case 'boolean':
      return booleans.includes(value) ? value === 'true' || value === '1' : undefined
  }
  const format: unknown = field['format']
  if (typeof format === 'string') return formats[format]?.parse(value)
  return allowedValues(field)?.includes(value) ? value : undefined
}

const booleans: readonly string[] = ['true', '1', 'false', '0']

function within({ minimum, maximum }: TSchema, value: number): number | undefined {
  return value >= Number(minimum) && value <= Number(maximum) ? value : undefined
}

function isFreeText(field: TSchema): boolean {
  return field['type'] === 'string' && field['enum'] === undefined && field['format'] === undefined
}

function allowedValues(field: TSchema): readonly string[] | undefined {
  return field['type'] === 'boolean' ? booleans : (field['enum'] as readonly string[] | undefined)
}

/** What a field allows, in words. */
function describeBounds(field: TSchema): string {
  const { type, minimum, maximum, minLength, maxLength } = field
  if (type === 'integer') return `an integer from ${minimum} to ${maximum}`
  if (type === 'number') return `a number from ${minimum} to ${maximum}`
  if (isFreeText(field)) return `${minLength} to ${maxLength} characters`
  const format: unknown = field['format']
  if (typeof format === 'string') return formats[format]?.meaning ?? format
  return `one of ${allowedValues(field)?.join(', ')}`
}

function isEncoded(text: string): boolean {
  return text.includes('%') || text.includes('+')
}

function percentDecode(text: string): string | undefined {
  if (!isEncoded(text)) return text
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return undefined
  }
}
