import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { formats } from '../assets/kit/formats.ts'
import { ogQuery } from '../assets/og/query.ts'
import { allowedValues, choice } from '../lib/fields.ts'
import { isJsonObject, parseJson } from '../lib/json.ts'
import type { KeyRow } from '../store/keys.ts'

const { theme, scheme, accent, brand } = ogQuery.properties

/** How the cards of a key's pages look. A parameter that is missing has the default of cards. */
export const keyLook = Type.Object({
  theme,
  scheme,
  accent,
  brand,
  picture: Type.Optional(
    choice(['none', 'page'], {
      description: 'Whether the card has the picture of its page',
      whenMissing: 'none',
    }),
  ),
})

export type KeyLook = Readonly<Static<typeof keyLook>>

export const lookNames = ['theme', 'scheme', 'accent', 'brand', 'picture'] as const

/** The look that is stored with a key. A value that cards have no more, such as a theme of before, is left out. */
export function keyLookOf({ look }: Pick<KeyRow, 'look'>): Readonly<Record<string, string>> {
  const stored = parseJson(look)
  if (!isJsonObject(stored)) return {}
  return Object.fromEntries(
    lookNames.flatMap((name) => {
      const value = stored[name]
      return typeof value === 'string' && isAllowed(name, value) ? [[name, value]] : []
    }),
  )
}

function isAllowed(name: (typeof lookNames)[number], value: string): boolean {
  const field: TSchema = keyLook.properties[name]
  const values = allowedValues(field)
  return values?.includes(value) ?? formats[String(field['format'])]?.parse(value) !== undefined
}

export function lookText(look: KeyLook): string {
  return JSON.stringify(look, [...lookNames])
}
