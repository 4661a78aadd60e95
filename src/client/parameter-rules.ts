import type { TObject, TSchema } from '@sinclair/typebox'
import type { Asset, Rule } from '../assets/kit/asset.ts'
import { assets } from '../catalog.ts'
import { allowedValues, longerOf, type Variants, variantsOf } from '../lib/fields.ts'

/** The values of one parameter that the service accepts, as far as a client can know them. */
export interface ParameterRule {
  /** Bounds of a text in characters; the third is the maximum with `overflow=ellipsis`, where it differs. */
  readonly chars?: readonly [min: number, max: number, longerMax?: number]
  readonly oneOf?: readonly string[]
  /** The name of its form, if the client knows that. */
  readonly form?: string
  readonly range?: readonly [min: number, max: number, isInteger?: 1]
  readonly isRequired?: 1
  /** The formats that take the parameter, where not all do. */
  readonly formats?: readonly string[]
  /** Values that it may have; 1 if undefined. */
  readonly timesMax?: number
  /** The changes of the rule by the template of a card; `isOwn` of those that no other template has. */
  readonly by?: readonly [changes: Readonly<Record<string, ParameterRule>>, isOwn?: 1]
}

/** Rules by parameter name. An alias maps to the name of its parameter. */
export type ParameterRules = Readonly<Record<string, ParameterRule | string>>

/** Longer lists are left to the service, because the client is small. */
const listMax = 24

/** The rules of each priced asset, from the catalog; the bundled client has the values of its version. */
export const parameterRules: Readonly<Record<string, ParameterRules>> = Object.fromEntries(
  assets.filter(({ priceMicros }) => priceMicros !== undefined).map((asset) => [asset.id, rulesOf(asset)]),
)

function rulesOf({ query, rules = [] }: Asset): ParameterRules {
  const entries = Object.entries<TSchema>(query.properties).flatMap(([name, field]) => {
    const formats = takenByFormats(name, query, rules)
    const variants = variantsOf(field)
    const usual = ruleOf(field)
    const rule: ParameterRule = {
      ...usual,
      ...(variants && { by: changesBy(variants, usual) }),
      ...(query.required?.includes(name) && field['default'] === undefined && { isRequired: 1 }),
      ...(formats && { formats }),
    }
    const aliases: readonly string[] = field['aliases'] ?? []
    return [[name, rule] as const, ...aliases.map((alias) => [alias, name] as const)]
  })
  return Object.fromEntries(entries)
}

function changesBy(
  { fields, requiredWith = [], ignoredWith }: Variants,
  usual: ParameterRule,
): NonNullable<ParameterRule['by']> {
  const changes = Object.entries(fields).map(([value, field]) => {
    const rule = ruleOf(field)
    const own = JSON.stringify(rule) === JSON.stringify(usual) ? {} : rule
    return [value, { ...own, ...(requiredWith.includes(value) && { isRequired: 1 as const }) }] as const
  })
  const all = Object.fromEntries(changes)
  return ignoredWith === undefined ? [all] : [all, 1]
}

function ruleOf(field: TSchema): ParameterRule {
  const { type, minimum, maximum, minLength, maxLength, maxItems } = field
  if (type === 'array') return { timesMax: maxItems, ...formOf(field['items']) }
  if (type === 'integer') return { range: [minimum, maximum, 1] }
  if (type === 'number') return { range: [minimum, maximum] }
  const oneOf = allowedValues(field)
  if (oneOf !== undefined) return oneOf.length > listMax ? {} : { oneOf }
  if (maxLength === undefined) return formOf(field)
  const longer = longerOf(field)
  return { chars: longer ? [minLength, maxLength, longer.maxLength] : [minLength, maxLength] }
}

function formOf({ format }: TSchema): ParameterRule {
  return format === undefined ? {} : { form: format }
}

/** Returns the formats with which no rule refuses the parameter; undefined where the format decides nothing. */
function takenByFormats(
  parameter: string,
  query: TObject,
  rules: readonly Rule[],
): readonly string[] | undefined {
  const formats = (query.properties['format'] && allowedValues(query.properties['format'])) ?? []
  const taken = formats.filter((format) =>
    rules.every((rule) => rule({ format, [parameter]: true })?.parameter !== parameter),
  )
  return taken.length === formats.length || taken.length === 0 ? undefined : taken
}
