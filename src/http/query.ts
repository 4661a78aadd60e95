import { OptionalKind, type Static, type TObject, type TSchema } from '@sinclair/typebox'
import type { ParameterError } from '../errors.ts'
import { formats } from '../lib/formats.ts'
import { queryPairs } from '../lib/query-pairs.ts'
import { cleanText, countCodePoints } from '../text/clean.ts'

/** A decoded query, or everything that is wrong with it. */
export type Decoded<Query extends TObject> =
  | { readonly value: Static<Query> }
  | { readonly errors: readonly ParameterError[] }

/**
 * Reads a raw query strictly: each parameter at most once, well-formed percent-encoding, plain decimal numbers.
 * Unknown parameters are ignored, wrong ones are all named. `presets` stand in for missing parameters.
 */
export function decodeQuery<Query extends TObject>(
  schema: Query,
  rawQuery: string,
  presets: Readonly<Record<string, string>> = {},
): Decoded<Query> {
  const { fields, indexOf } = planOf(schema)
  const raw = valuesByField(rawQuery, indexOf, fields.length)
  const value: Record<string, unknown> = {}
  const errors: ParameterError[] = []
  for (let index = 0; index < fields.length; index += 1) {
    const { name, field, whenAbsent } = fields[index] as PlannedField
    const given = raw[index]
    const outcome = given === undefined ? (presets[name] ?? whenAbsent) : readField(field, given)
    if (outcome === undefined) continue
    if (outcome instanceof Wrong) errors.push(outcome.at(name))
    else value[name] = outcome
  }
  return errors.length > 0 ? { errors } : { value: value as Static<Query> }
}

interface PlannedField {
  readonly name: string
  readonly field: TSchema
  /** The value, or what is wrong, where the query does not have it. */
  readonly whenAbsent: unknown
}

/** How a query is read by a schema. */
interface Plan {
  readonly fields: readonly PlannedField[]
  /** Where a name or an alias stands among the fields. */
  readonly indexOf: ReadonlyMap<string, number>
}

const plans = new WeakMap<TObject, Plan>()

function planOf(schema: TObject): Plan {
  const known = plans.get(schema)
  if (known) return known
  const fields = Object.entries(schema.properties).map(([name, field]) => ({
    name,
    field,
    whenAbsent: missing(field),
  }))
  const indexOf = new Map<string, number>()
  for (const [index, { name, field }] of fields.entries()) {
    const aliases: unknown = field['aliases']
    for (const alias of Array.isArray(aliases) ? aliases : []) indexOf.set(alias, index)
    indexOf.set(name, index)
  }
  const plan = { fields, indexOf }
  plans.set(schema, plan)
  return plan
}

/** What was given for each field, still percent-encoded, in the order in which it came. */
function valuesByField(rawQuery: string, indexOf: Plan['indexOf'], count: number): (string[] | undefined)[] {
  const values = new Array<string[] | undefined>(count).fill(undefined)
  for (const { name, value } of queryPairs(rawQuery)) {
    const index =
      indexOf.get(name) ?? (isEncoded(name) ? indexOf.get(percentDecode(name) ?? name) : undefined)
    if (index === undefined) continue
    const earlier = values[index]
    if (earlier) earlier.push(value)
    else values[index] = [value]
  }
  return values
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

function readField(field: TSchema, raw: readonly string[]): unknown {
  if (field['type'] === 'array') return readList(field, raw)
  const [only = ''] = raw
  return raw.length > 1 ? new Wrong('is given more than once') : readValue(field, only)
}

function missing(field: TSchema): unknown {
  if (field['default'] !== undefined) return field['default']
  if (field[OptionalKind] === 'Optional') return undefined
  return new Wrong(`is required: ${describeBounds(field)}`, allowedValues(field))
}

function readList(field: TSchema, raw: readonly string[]): unknown {
  const most = Number(field['maxItems'])
  if (raw.length > most) return new Wrong(`is given more than ${most} times`)
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
