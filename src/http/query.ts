import { OptionalKind, type Static, type TObject, type TSchema } from '@sinclair/typebox'
import { invalidQuery, type ParameterError } from '../errors.ts'
import { closestWord } from '../lib/edit-distance.ts'
import { longerOf } from '../lib/fields.ts'
import { queryPairs, type RawQueryPair } from '../lib/query-pairs.ts'
import { type FieldReader, fieldReader, type Given, longerReader, Mistake, required } from './field-reader.ts'

/**
 * Returns the decoded query of a route, or throws the `Problem` that names every wrong parameter. Elysia's own `query`
 * option would hand every validator values that are split at commas, parsed where they look like JSON, and decoded where
 * they cannot be.
 */
export function readQuery<Query extends TObject>(schema: Query, rawQuery: string): Static<Query> {
  const decoded = decodeQuery(schema, rawQuery)
  if ('errors' in decoded) throw invalidQuery(decoded.errors)
  return decoded.value
}

/** A decoded query, or all its mistakes. */
export type Decoded<Query extends TObject> =
  | { readonly value: Static<Query> }
  | { readonly errors: readonly ParameterError[]; readonly right: Fields }

/** The valid values, by name. */
type Fields = Readonly<Record<string, unknown>>

/**
 * Decodes a raw query, or its pairs, strictly: each parameter at most once, well-formed percent-encoding, plain decimal numbers.
 * Unknown parameters are ignored, and all wrong ones are named. `presets` stand in for missing parameters.
 */
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
    const { name, read, longer, whenAbsent } = fields[index] as PlannedField
    const raw = given[index]
    const reader = longer !== undefined && given[longer.index] === longer.value ? longer.read : read
    const outcome = raw === undefined ? (presets[name] ?? whenAbsent) : reader(raw)
    if (outcome === undefined) continue
    if (outcome instanceof Mistake) {
      const hint = raw === undefined ? misspelling(name, pairs, indexOf) : ''
      errors.push({ parameter: name, ...outcome.error, message: outcome.error.message + hint })
    } else value[name] = outcome
  }
  return errors.length > 0 ? { errors, right: value } : { value: value as Static<Query> }
}

const none: Readonly<Record<string, string>> = {}

/** Whether a schema has a parameter of this name, or with this alias. */
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

interface PlannedField {
  readonly name: string
  readonly read: FieldReader
  /** Reads it instead where the field with the index has the value. */
  readonly longer: { readonly index: number; readonly value: string; readonly read: FieldReader } | undefined
  /** The value or the mistake if the query does not have the parameter. */
  readonly whenAbsent: unknown
}

/** A schema, prepared once for decoding. */
interface Plan {
  readonly fields: readonly PlannedField[]
  /** The index of the field that a name or an alias means. */
  readonly indexOf: ReadonlyMap<string, number>
}

const plans = new WeakMap<TObject, Plan>()

function planOf(schema: TObject): Plan {
  const cached = plans.get(schema)
  if (cached) return cached
  const entries = Object.entries(schema.properties)
  const fields = entries.map(([name, field]) => ({
    name,
    read: fieldReader(field),
    longer: plannedLonger(field, Object.keys(schema.properties)),
    whenAbsent: missing(field),
  }))
  const names = entries.flatMap(([name, { aliases = [] }], index) =>
    [...aliases, name].map((alias): [string, number] => [alias, index]),
  )
  const plan = { fields, indexOf: new Map(names) }
  plans.set(schema, plan)
  return plan
}

function plannedLonger(field: TSchema, names: readonly string[]): PlannedField['longer'] {
  const longer = longerOf(field)
  const read = longerReader(field)
  return longer && read && { index: names.indexOf(longer.parameter), value: longer.value, read }
}

function missing(field: TSchema): unknown {
  if (field['default'] !== undefined) return field['default']
  return field[OptionalKind] === 'Optional' ? undefined : required(field)
}

/** The raw values of each field. */
function givenByField(
  pairs: readonly RawQueryPair[],
  indexOf: Plan['indexOf'],
  count: number,
): (Given | undefined)[] {
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
