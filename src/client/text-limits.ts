import type { TSchema } from '@sinclair/typebox'
import type { Asset } from '../assets/asset.ts'
import { assets } from '../catalog.ts'

/** How many characters the service takes of a text; `required` is 1 for a text that it must have. */
export type TextLimit = readonly [max: number, min: number, required?: 1]

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
    const isRequired = query.required?.includes(name)
    const limit: TextLimit = isRequired ? [maxLength, minLength, 1] : [maxLength, minLength]
    return [[name, limit]]
  })
  return Object.fromEntries(fields)
}
