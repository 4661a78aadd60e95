import type { Asset } from '../../assets/kit/asset.ts'
import type { JsonObject } from '../../lib/json.ts'
import { type Parameter, parametersOf } from '../reference/parameters.ts'

/** `presets` are the defaults of a path that differ from those of the asset. */
export function toParameter(
  parameter: Parameter,
  presets: Readonly<Record<string, string>> = {},
): JsonObject {
  const { name, required, allowed, aliases, example, lengthMax } = parameter
  const schema = lengthMax === undefined ? parameter.schema : { ...parameter.schema, maxLength: lengthMax }
  const older = aliases.length > 0 ? ` Also as ${aliases.join(', ')}.` : ''
  const isShorter = lengthMax !== parameter.schema['maxLength']
  const form = schema['format'] === undefined && !isShorter ? '' : ` Allowed: ${allowed}.`
  return {
    name,
    in: 'query',
    required,
    description: `${sentences(parameter)}${form}${older}`,
    ...(example !== undefined && { example: isNumeric(schema) ? Number(example) : example }),
    schema: name in presets ? { ...schema, default: presets[name] } : schema,
  }
}

function isNumeric({ type }: JsonObject): boolean {
  return type === 'integer' || type === 'number'
}

/** The parameters of all assets at the shared path. What only some of them have says so, and none of those is required. */
export function mergedParameters(rows: readonly Asset[]): readonly JsonObject[] {
  const all = rows.flatMap((row) =>
    parametersOf(row.query).map((parameter) => ({ kind: row.kind ?? row.id, parameter })),
  )
  const byName = Object.groupBy(all, ({ parameter }) => parameter.name)
  return [kindParameter(rows), ...Object.values(byName).flatMap((group) => (group ? mergeOne(group) : []))]
}

function kindParameter(rows: readonly Asset[]): JsonObject {
  const kinds = rows.flatMap(({ kind }) => kind ?? [])
  const schema = { type: 'string', enum: kinds }
  return { name: 'kind', in: 'query', required: true, description: 'Which asset.', example: kinds[0], schema }
}

function mergeOne(group: readonly { readonly kind: string; readonly parameter: Parameter }[]): JsonObject[] {
  const [first] = group
  if (first === undefined) return []
  const schemas = group.map(({ parameter: { schema } }) => schema)
  const notes = group.map(({ kind, parameter }) => `${kind}: ${sentences(parameter)}`)
  const isOne = new Set(schemas.map((schema) => JSON.stringify(schema))).size === 1
  const description = isOne
    ? `For ${group.map(({ kind }) => kind).join(', ')}. ${sentences(first.parameter)}`
    : notes.join(' ')
  return [
    {
      ...toParameter(first.parameter),
      required: false,
      description,
      schema: isOne ? schemas[0] : either(schemas),
    },
  ]
}

/** A schema for whatever one of them allows. Choices become one choice: generators make a name of each of its values. */
function either(schemas: readonly JsonObject[]): JsonObject {
  const choices = schemas.map((schema) => schema['enum'])
  if (choices.every(Array.isArray)) return { type: 'string', enum: [...new Set(choices.flat())] }
  return { anyOf: [...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values()] }
}

function sentences({ description, whenMissing }: Parameter): string {
  return `${description}.${whenMissing === undefined ? '' : ` When missing: ${whenMissing}.`}`
}
