import type { TSchema } from '@sinclair/typebox'
import type { Asset } from '../assets/kit/asset.ts'
import { assets } from '../catalog.ts'
import { allowedValues } from '../lib/fields.ts'

/** Returns the TypeScript declarations of the parameters of each priced asset, written from the catalog. */
export function parameterTypes(): string {
  const declarations = assets.filter(({ priceMicros }) => priceMicros !== undefined).map(declarationOf)
  return `// Written by \`bun run build:client\` from the catalog.\n\n${declarations.join('\n\n')}\n`
}

function declarationOf({ id, path, query }: Asset): string {
  const members = Object.entries<TSchema>(query.properties).flatMap(([name, field]) => {
    const isRequired = query.required?.includes(name) && field['default'] === undefined
    const aliases: readonly string[] = field['aliases'] ?? []
    return [name, ...aliases].map((each) => {
      const key = /^\w+$/.test(each) ? each : `'${each}'`
      const type = isRequired ? typeOf(field) : `${typeOf(field)} | undefined`
      return `  /** ${field['description']}. */\n  readonly ${key}${isRequired ? '' : '?'}: ${type}`
    })
  })
  // The parameters of `cardTags` had the shorter name first.
  const name = id === 'card' ? 'PageCardParameters' : `${id[0]?.toUpperCase()}${id.slice(1)}Parameters`
  return `/** The parameters of \`${path}\`. */\nexport interface ${name} {\n${members.join('\n')}\n}`
}

function typeOf(field: TSchema): string {
  const { type } = field
  if (type === 'array') return 'string | readonly string[]'
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a type of TypeScript
  if (type === 'integer' || type === 'number') return 'number | `${number}`'
  if (type === 'boolean') return "boolean | 0 | 1 | 'true' | 'false' | '0' | '1'"
  const values = allowedValues(field)
  // A number may be written as one: `length: 2`.
  if (values)
    return values.flatMap((value) => [`'${value}'`, ...(/^\d+$/.test(value) ? [value] : [])]).join(' | ')
  // Free text may be a number too: `value: 97`.
  return field['format'] === undefined && field['minLength'] !== undefined ? 'string | number' : 'string'
}
