import { OptionalKind, type Static, type TObject, type TSchema } from '@sinclair/typebox'
import { formats } from '../assets/kit/formats.ts'
import { invalidQuery, type ParameterError } from '../errors.ts'
import { closestWord } from '../lib/edit-distance.ts'
import { allowedValues, longerOf, type Variants, variantsOf } from '../lib/fields.ts'
import { weakMemo } from '../lib/memo.ts'
import { formDecode, queryPairs, type RawQueryPair } from '../lib/query-pairs.ts'
import { cleanText, countCodePoints, lengthAsWritten } from '../text/clean-text.ts'

/** Elysia's own `query` splits values at commas, parses what looks like JSON, and forgives bad encoding. Throws a `Problem`. */
export function readQuery<Query extends TObject>(schema: Query, rawQuery: string): Static<Query> {
  const decoded = decodeQuery(schema, rawQuery)
  if ('errors' in decoded) throw invalidQuery(decoded.errors)
  return decoded.value
}

export type Decoded<Query extends TObject> =
  | { readonly value: Static<Query> }
  | { readonly errors: readonly ParameterError[]; readonly right: Readonly<Record<string, unknown>> }

/** Strict: each parameter at most once, well-formed, plain decimal numbers. Unknown ones are ignored, all wrong ones named. */
export function decodeQuery<Query extends TObject>(
  schema: Query,
  query: string | readonly RawQueryPair[],
  presets: Readonly<Record<string, string>> = none,
): Decoded<Query> {
  const { fields, indexOf } = planOf(schema)
  const pairs = typeof query === 'string' ? queryPairs(query) : query
  const given = givenByField(pairs, indexOf, fields.length)
  const value: Record<string, unknown> = {}
  const errors: ParameterError[] = []
  for (let index = 0; index < fields.length; index += 1) {
    const { name, read, whenAbsent } = fields[index] as PlannedField
    const raw = given[index]
    const outcome = raw === undefined ? (presets[name] ?? whenAbsent) : read(raw, given)
    if (outcome === undefined) continue
    if (outcome instanceof Mistake) {
      const hint = raw === undefined ? misspelling(name, pairs, indexOf) : ''
      errors.push({ parameter: name, ...outcome.error, message: outcome.error.message + hint })
    } else value[name] = outcome
  }
  return errors.length > 0 ? { errors, right: value } : { value: value as Static<Query> }
}

const none: Readonly<Record<string, string>> = {}

export function hasParameter(schema: TObject, name: string): boolean {
  return planOf(schema).indexOf.has(name)
}

/** Many names are no slip of the pen. */
const comparedNamesMax = 20

/** A hint where a required parameter is missing and an ignored one has nearly its name. */
function misspelling(name: string, pairs: readonly RawQueryPair[], indexOf: Plan['indexOf']): string {
  const ignored = pairs.map((pair) => pair.name).filter((given) => !indexOf.has(given))
  const written = closestWord(name, ignored.slice(0, comparedNamesMax))
  return written === undefined ? '' : `; ${written} is ignored: did you mean ${name}?`
}

/** Reads a value beside the others of its query; undefined where they make it no parameter. */
type PlannedReader = (raw: Given, given: readonly (Given | undefined)[]) => unknown

interface PlannedField {
  readonly name: string
  readonly read: PlannedReader
  readonly whenAbsent: unknown
}

interface Plan {
  readonly fields: readonly PlannedField[]
  readonly indexOf: ReadonlyMap<string, number>
}

const planOf = weakMemo((schema: TObject): Plan => {
  const entries = Object.entries(schema.properties)
  const fields = entries.map(([name, field]) => ({
    name,
    read: plannedReader(field, Object.keys(schema.properties)),
    whenAbsent: missing(field),
  }))
  const names = entries.flatMap(([name, { aliases = [] }], index) =>
    [...aliases, name].map((alias): [string, number] => [alias, index]),
  )
  return { fields, indexOf: new Map(names) }
})

function plannedReader(field: TSchema, names: readonly string[]): PlannedReader {
  const [longer, variants] = [longerOf(field), variantsOf(field)]
  const read = fieldReader(field)
  if (variants !== undefined) return variantReader(field, variants, names)
  const readLonger = longerReader(field)
  if (longer === undefined || readLonger === undefined) return read
  const index = names.indexOf(longer.parameter)
  return (raw, given) => (given[index] === longer.value ? readLonger(raw) : read(raw))
}

function variantReader(field: TSchema, variants: Variants, names: readonly string[]): PlannedReader {
  const { parameter, fields, ignoredWith } = variants
  const index = names.indexOf(parameter)
  const readUsual = plannedReader({ ...field, variants: undefined }, names)
  const readers = new Map(Object.entries(fields).map(([value, each]) => [value, plannedReader(each, names)]))
  const owners = [...readers.keys()].map((value) => `${parameter}=${value}`).join(', ')
  return (raw, given) => {
    const chosen = given[index]
    const value = typeof chosen === 'string' ? formDecode(chosen) : undefined
    const read = value === undefined ? undefined : readers.get(value)
    if (read !== undefined) return read(raw, given)
    if (ignoredWith === undefined) return readUsual(raw, given)
    // A form sends its empty fields too.
    if (value === undefined || value === ignoredWith || raw === '') return undefined
    return new Mistake(`is a parameter of ${owners}, not of ${parameter}=${value.slice(0, 40)}`)
  }
}

function missing(field: TSchema): unknown {
  if (field['default'] !== undefined) return field['default']
  if (field[OptionalKind] === 'Optional') return undefined
  return new Mistake(`is required: ${describeBounds(field)}`, allowedValues(field))
}

function givenByField(pairs: readonly RawQueryPair[], indexOf: Plan['indexOf'], count: number) {
  const given = new Array<Given | undefined>(count).fill(undefined)
  for (const { name, value } of pairs) {
    const index = indexOf.get(name)
    if (index === undefined) continue
    const earlier = given[index]
    if (earlier === undefined) given[index] = value
    else if (typeof earlier === 'string') given[index] = [earlier, value]
    else earlier.push(value)
  }
  return given
}

/** The error of one parameter's value. A class, because `instanceof` tells it from every value that a field can have. */
export class Mistake {
  readonly error: Omit<ParameterError, 'parameter'>

  constructor(message: string, allowed?: readonly string[]) {
    this.error = { message, ...(allowed && { allowed }) }
  }
}

/** The raw value of a parameter, still percent-encoded; all of them in their order if the query has it repeatedly. */
type Given = string | string[]

type FieldReader = (given: Given) => unknown

/** Returns the reader of a field. It is made once for all requests, because it looks into the schema. */
export function fieldReader(field: TSchema): FieldReader {
  if (field['type'] === 'array') return listReader(field)
  const read = valueReader(field)
  return (given) => (typeof given === 'string' ? read(given) : new Mistake('is given more than once'))
}

/** Returns the reader that holds where another parameter lets the text be longer; undefined for a field without such a bound. */
export function longerReader(field: TSchema): FieldReader | undefined {
  const longer = longerOf(field)
  return longer && fieldReader({ ...field, maxLength: longer.maxLength, longer: undefined })
}

function listReader(field: TSchema): FieldReader {
  const itemsMax = Number(field['maxItems'])
  const read = valueReader(field['items'] as TSchema)
  return (given) => {
    const raw = typeof given === 'string' ? [given] : given
    if (raw.length > itemsMax) return new Mistake(`is given more than ${itemsMax} times`)
    const items = raw.map(read)
    return items.find((item) => item instanceof Mistake) ?? items
  }
}

const badEncoding = new Mistake('is not valid percent-encoded UTF-8')

function valueReader(field: TSchema): (raw: string) => unknown {
  const read = isFreeText(field) ? textReader(field) : formReader(field)
  return (raw) => {
    const value = formDecode(raw)
    return value === undefined ? badEncoding : read(value)
  }
}

/** Free text is cleaned before it is measured. An empty optional text counts as missing. */
function textReader(field: TSchema): (value: string) => unknown {
  const lengthMin = Number(field['minLength'])
  const lengthMax = Number(field['maxLength'])
  const longer = longerOf(field)
  const hint = longer ? `; ${longer.parameter}=${longer.value} takes up to ${longer.maxLength}` : ''
  return (value) => {
    const text = cleanText(value)
    if (text === '' && lengthMin === 0) return undefined
    const drawn = countCodePoints(text)
    const length = drawn > lengthMax ? Math.min(drawn, lengthAsWritten(value)) : drawn
    return length >= lengthMin && length <= lengthMax
      ? text
      : new Mistake(`must be ${describeBounds(field)}, not ${length}${hint}`)
  }
}

function formReader(field: TSchema): (value: string) => unknown {
  const accept = acceptorOf(field)
  const usual = new Mistake(`must be ${describeBounds(field)}`, allowedValues(field))
  const format = formats[String(field['format'])]
  return (value) => {
    const accepted = accept(value)
    if (accepted !== undefined && accepted !== null) return accepted
    const message = format?.mistake?.(value)
    return message === undefined ? usual : new Mistake(message)
  }
}

/** Returns a function from text to the typed value; undefined for text that the field does not allow. */
export function acceptorOf(field: TSchema): (value: string) => unknown {
  switch (field['type']) {
    case 'integer':
      return numberAcceptor(field, /^-?(0|[1-9]\d{0,14})$/)
    case 'number':
      return numberAcceptor(field, /^-?(0|[1-9]\d{0,14})(\.\d{1,15})?$/)
    case 'boolean':
      return (value) =>
        allowedValues(field)?.includes(value) ? value === 'true' || value === '1' : undefined
  }
  const format: unknown = field['format']
  if (typeof format === 'string') return formats[format]?.parse ?? (() => undefined)
  const allowed = allowedValues(field)
  return (value) => (allowed?.includes(value) ? value : undefined)
}

function numberAcceptor({ minimum, maximum }: TSchema, form: RegExp): (value: string) => number | undefined {
  return (value) => {
    const number = form.test(value) ? Number(value) : Number.NaN
    return number >= minimum && number <= maximum ? number : undefined
  }
}

function isFreeText(field: TSchema): boolean {
  return field['type'] === 'string' && field['enum'] === undefined && field['format'] === undefined
}

export function describeBounds(field: TSchema): string {
  const { type, minimum, maximum, minLength, maxLength } = field
  if (type === 'integer') return `an integer from ${minimum} to ${maximum}`
  if (type === 'number') return `a number from ${minimum} to ${maximum}`
  if (isFreeText(field)) return `${minLength} to ${maxLength} characters`
  const format: unknown = field['format']
  if (typeof format === 'string') return formats[format]?.meaning ?? format
  return `one of ${allowedValues(field)?.join(', ')}`
}
