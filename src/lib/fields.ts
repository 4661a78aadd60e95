import { Type } from '@sinclair/typebox'

/**
 * The kinds of query parameters, as TypeBox schemas that are valid JSON Schema: the reference page and OpenAPI show the
 * same schema that validates a request. Wrap a field in `Type.Optional` when it may be missing.
 */

interface FieldOptions {
  readonly description: string
  readonly example?: string
  /** The effect of leaving the parameter out, in words: for parameters whose default is no constant of the schema. */
  readonly whenMissing?: string
  /** Older names that mean the same parameter. */
  readonly aliases?: readonly string[]
}

type FieldWithDefault<Value> = FieldOptions & { readonly default?: Value }

/** A bound that holds instead of the usual one where another parameter has this value. */
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

/** The bound of a text that may be longer where another parameter says so. */
export function longerOf(field: Readonly<Record<string, unknown>>): LongerText | undefined {
  return field['longer'] as LongerText | undefined
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

/** `true`, `1`, `false` or `0`. */
export function toggle(options: FieldWithDefault<boolean>) {
  return Type.Boolean(options)
}

/** How long the response may be cached. It only sets a header, so it is no part of the cache key. */
export function cacheLife(whenMissing: number) {
  return Type.Optional(
    integer(60, 31_536_000, {
      description: 'How many seconds the answer may be cached',
      whenMissing: String(whenMissing),
    }),
  )
}
