import type { TSchema } from '@sinclair/typebox'
import type { Asset } from '../assets/asset.ts'
import { assets } from '../catalog.ts'
import { longerOf } from '../lib/fields.ts'

/**
 * How many characters the service takes of a text, and `cut` of one that it may cut; `required` is 1 for a text that it
 * must have.
 */
export type TextLimit = readonly [max: number, min?: number, required?: 0 | 1, cut?: number]

/**
 * The limits of each picture's texts, by asset and parameter. They follow from the catalog; the client that users import
 * has the values of the version that it was built of.
 */
export const textLimits: Readonly<Record<string, Readonly<Record<string, TextLimit>>>> = Object.fromEntries(
  assets
    .filter(
      ({ priceMicros, mediaTypes }) => priceMicros !== undefined && mediaTypes.includes('image/svg+xml'),
    )
    .map((asset) => [asset.id, limitsOf(asset)]),
)

function limitsOf({ query }: Asset): Record<string, TextLimit> {
  const fields = Object.entries<TSchema>(query.properties).flatMap(([name, field]) => {
    const { type, minLength, maxLength } = field
    if (type !== 'string' || maxLength === undefined) return []
    const cut = longerOf(field)?.maxLength
    const required = query.required?.includes(name) ? 1 : 0
    const limit: readonly (number | undefined)[] = [maxLength, minLength, required, cut]
    return [[name, limit.slice(0, 1 + limit.findLastIndex((each, place) => place === 0 || each))]]
  })
  return Object.fromEntries(fields)
}
