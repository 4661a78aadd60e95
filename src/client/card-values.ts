import { palette, statusColors } from '../assets/badge/color-names.ts'
import { og } from '../assets/og/asset.ts'
import { cardSizes } from '../assets/og/card-sizes.ts'
import { cssColorNames } from '../lib/color.ts'

/** Width and height of each size of a card, in pixels. The client that users import has them as values. */
export const cardExtents: Readonly<Record<string, readonly [widthPx: number, heightPx: number]>> =
  Object.fromEntries(
    Object.entries(cardSizes).map(([name, { widthPx, heightPx }]) => [name, [widthPx, heightPx]]),
  )

/** Path and media type of a card in each format. */
export const cardFormats: Readonly<Record<string, readonly [path: string, mediaType: string]>> =
  Object.fromEntries(
    [{ path: og.path, defaults: { format: 'svg' } }, ...(og.variants ?? [])].map(({ path, defaults }) => {
      const format = `${defaults['format']}`
      return [format, [path, og.mediaTypes.find((type) => type.startsWith(`image/${format}`)) ?? '']]
    }),
  )

/** Names of colours, as alternatives of a pattern. */
export const cssColorWords: string = [...cssColorNames.keys()].join('|')
/** Further words for colours that badges know. */
export const badgeColorWords: string = [...Object.keys(palette), ...statusColors.keys()]
  .filter((word) => !cssColorNames.has(word))
  .join('|')
