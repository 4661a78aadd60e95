import { type Static, Type } from '@sinclair/typebox'
import { ogQuery } from '../assets/og/query.ts'
import { choice } from '../lib/fields.ts'
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

/** The look that is stored with a key. Values are those of parameters, to be validated where they are used. */
export function keyLookOf({ look }: Pick<KeyRow, 'look'>): Readonly<Record<string, string>> {
  return JSON.parse(look)
}

export function lookText(look: KeyLook): string {
  return JSON.stringify(look, [...lookNames])
}
