import { OptionalKind, type TObject, type TSchema } from '@sinclair/typebox'
import { allowedValues, describeBounds } from '../../http/field-reader.ts'

/** A parameter as people and programs are told of it. */
export interface Parameter {
  readonly name: string
  readonly required: boolean
  readonly description: string
  /** What it may be, in words. */
  readonly allowed: string
  readonly fallback: string | undefined
  readonly aliases: readonly string[]
  readonly example: string | undefined
  /** JSON Schema, without what is said above. */
  readonly schema: Readonly<Record<string, unknown>>
}

export function parametersOf(query: TObject): readonly Parameter[] {
  return Object.entries(query.properties).map(([name, schema]) => parameterOf(name, schema))
}

function parameterOf(name: string, field: TSchema): Parameter {
  const { description, example, aliases, default: fallback, ...schema } = field
  return {
    name,
    required: field[OptionalKind] !== 'Optional' && fallback === undefined,
    description: String(description ?? ''),
    allowed: allowedText(field),
    fallback: fallback === undefined ? undefined : String(fallback),
    aliases: Array.isArray(aliases) ? aliases : [],
    example: typeof example === 'string' ? example : undefined,
    schema: { ...plain(schema), ...(fallback !== undefined && { default: fallback }) },
  }
}

function allowedText(field: TSchema): string {
  const { type, minLength, maxLength, maxItems, items } = field
  if (type === 'array') return `up to ${maxItems} times: ${allowedText(items)}`
  if (minLength === 0) return `up to ${maxLength} characters`
  return allowedValues(field)?.join(', ') ?? describeBounds(field)
}

/** The schema as JSON has it: TypeBox's own marks are symbols and fall away. */
function plain(schema: object): Record<string, unknown> {
  return JSON.parse(JSON.stringify(schema))
}
