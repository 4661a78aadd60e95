import { cardSizes } from '../assets/og/card-sizes.ts'

/** Width and height of each size of a card, in pixels. The client that users import has them as values. */
export const cardExtents: Readonly<Record<string, readonly [widthPx: number, heightPx: number]>> =
  Object.fromEntries(
    Object.entries(cardSizes).map(([name, { widthPx, heightPx }]) => [name, [widthPx, heightPx]]),
  )
