import { OptionalKind, type TObject, type TSchema } from '@sinclair/typebox'
import { formats } from '../../assets/kit/formats.ts'
import { describeBounds } from '../../http/query.ts'
import { allowedValues, longerOf } from '../../lib/fields.ts'
import { isJsonObject, type JsonObject } from '../../lib/json.ts'

export type Parameter = ReturnType<typeof parameterOf>

export function parametersOf(query: TObject): readonly Parameter[] {
  return Object.entries(query.properties).map(([name, schema]) => parameterOf(name, schema))
}

function parameterOf(name: string, field: TSchema) {
  const {
    description,
    example,
    aliases,
    default: fallback,
    whenMissing,
    longer: _l,
    variants,
    ...schema
  } = field
  const maxLength: number | undefined = schema['maxLength']
  // TypeBox's own marks are symbols, which JSON leaves out.
  const plain: JsonObject = JSON.parse(JSON.stringify({ ...schema, default: fallback }))
  return {
    name,
    required: field[OptionalKind] !== 'Optional' && fallback === undefined,
    description: String(description ?? ''),
    allowed: allowedText(field),
    fallback: fallback === undefined ? undefined : String(fallback),
    whenMissing: typeof whenMissing === 'string' ? whenMissing : undefined,
    onlyWith: ownersOf(variants),
    aliases: Array.isArray(aliases) ? aliases.map(String) : [],
    example: example ?? exampleOf(field),
    lengthMax: longerOf(field)?.maxLength ?? maxLength,
    schema: plain,
  }
}

function ownersOf(variants: unknown) {
  if (!isJsonObject(variants) || variants['ignoredWith'] === undefined || !isJsonObject(variants['fields']))
    return undefined
  return { parameter: String(variants['parameter']), values: Object.keys(variants['fields']) }
}

function exampleOf(field: TSchema): unknown {
  const { type, default: fallback, minimum, items } = field
  if (type === 'array') return [exampleOf(items)]
  if (type === 'boolean') return fallback ?? true
  const format = formats[String(field['format'])]
  return fallback ?? format?.example ?? allowedValues(field)?.[0] ?? minimum
}

function allowedText(field: TSchema): string {
  const { type, minLength, maxLength, maxItems, items } = field
  if (type === 'array') return `up to ${maxItems} times: ${allowedText(items)}`
  const longer = longerOf(field)
  const more = longer ? `, to ${longer.maxLength} with ${longer.parameter}=${longer.value}` : ''
  if (minLength === 0) return `up to ${maxLength} characters${more}`
  return allowedValues(field)?.join(', ') ?? `${describeBounds(field)}${more}`
}
