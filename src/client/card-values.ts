import { palette, statusColors } from '../assets/badge/color-names.ts'
import { og } from '../assets/og/asset.ts'
import { cardSizes } from '../assets/og/theme.ts'
import { cssColorNames } from '../lib/color.ts'

/** Width and height of each size of a card, in pixels. The client that users import has them as values. */
export const cardExtents: Readonly<Record<string, readonly [widthPx: number, heightPx: number]>> =
  Object.fromEntries(
    Object.entries(cardSizes).map(([name, { widthPx, heightPx }]) => [name, [widthPx, heightPx]]),
  )

/** Path and media type of a card in each format that is a picture. */
export const cardFormats: Readonly<Record<string, readonly [path: string, mediaType: string]>> =
  Object.fromEntries(
    [{ path: og.path, defaults: { format: 'svg' } }, ...(og.variants ?? [])].flatMap(({ path, defaults }) => {
      const format = `${defaults['format']}`
      const mediaType = og.mediaTypes.find((type) => type.startsWith(`image/${format}`))
      return mediaType === undefined ? [] : [[format, [path, mediaType]] as const]
    }),
  )

/** A pattern of the names of colours: one to three of their parts, which are half as long as the list and let few others pass. */
export const cssColorWords = `(?:${partsOf(partsOf([...cssColorNames.keys()])).join('|')}){1,3}`
/** Further words for colours that badges know. */
export const badgeColorWords: string = [...Object.keys(palette), ...statusColors.keys()]
  .filter((word) => !cssColorNames.has(word))
  .join('|')

/** Names without those of other names at their ends. */
function partsOf(names: readonly string[]): readonly string[] {
  const longestFirst = names.toSorted((a, b) => b.length - a.length)
  const parts = names.map((name) => {
    const end = longestFirst.find((other) => other !== name && name.endsWith(other)) ?? ''
    return end === '' ? name : name.slice(0, -end.length)
  })
  return [...new Set(parts)]
}
