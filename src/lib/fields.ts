import { type TProperties, type TSchema, Type } from '@sinclair/typebox'

/** Query parameters as TypeBox schemas, which are JSON Schema: what validates a request is what the reference shows. */

interface FieldOptions {
  readonly description: string
  readonly example?: string
  /** The effect of leaving the parameter out, in words: for parameters whose default is no constant of the schema. */
  readonly whenMissing?: string
  readonly aliases?: readonly string[]
}

type FieldWithDefault<Value> = FieldOptions & { readonly default?: Value }

export interface LongerText {
  readonly parameter: string
  readonly value: string
  readonly maxLength: number
}

/** Free text, cleaned before it is measured. Bounds are in Unicode code points, as JSON Schema counts them. */
export function text(
  minLength: number,
  maxLength: number,
  options: FieldOptions & { readonly longer?: LongerText },
) {
  return Type.String({ minLength, maxLength, ...options })
}

export function longerOf(field: Readonly<Record<string, unknown>>): LongerText | undefined {
  return field['longer'] as LongerText | undefined
}

/** The forms of a field by the value that another parameter has. */
export interface Variants {
  readonly parameter: string
  readonly fields: Readonly<Record<string, TSchema>>
  /** Without the other parameter, and with this value of it, the field is no parameter; absent where it is one with all values. */
  readonly ignoredWith?: string
  readonly requiredWith?: readonly string[]
}

export function variantsOf(field: Readonly<Record<string, unknown>>): Variants | undefined {
  return field['variants'] as Variants | undefined
}

export function optional<Fields extends TProperties>(fields: Fields) {
  return Type.Partial(Type.Object(fields)).properties
}

/** Text of a named format, which the reader of the query knows. Not cleaned: it is either well-formed or refused. */
export function formatted(format: string, options: FieldOptions) {
  return Type.String({ format, ...options })
}

/** The values of a choice; undefined for a field that has no list of them. */
export function allowedValues(field: Readonly<Record<string, unknown>>): readonly string[] | undefined {
  return field['type'] === 'boolean' ? booleans : (field['enum'] as readonly string[] | undefined)
}

const booleans: readonly string[] = ['true', '1', 'false', '0']

export function choice<const Values extends readonly string[]>(
  values: Values,
  options: FieldWithDefault<Values[number]>,
) {
  return Type.Unsafe<Values[number]>({ type: 'string', enum: values, ...options })
}

export function integer(minimum: number, maximum: number, options: FieldWithDefault<number>) {
  return Type.Integer({ minimum, maximum, ...options })
}

export function decimal(minimum: number, maximum: number, options: FieldWithDefault<number>) {
  return Type.Number({ minimum, maximum, ...options })
}

export function toggle(options: FieldWithDefault<boolean>) {
  return Type.Boolean(options)
}

/** The lifetime only sets a header, so it is no part of the cache key. */
export function cacheLife(whenMissing: number) {
  return Type.Optional(
    integer(60, 31_536_000, {
      description: 'How many seconds the answer may be cached',
      whenMissing: String(whenMissing),
    }),
  )
}
