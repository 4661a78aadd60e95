import type { TextStyle } from '../../text/types.ts'

/** The text engine knows a style by its object. */
const cache = new WeakMap<TextStyle, Map<number, TextStyle>>()

/** A style with more letter spacing, or less, in 1/1000 em. */
export function trackedStyle(style: TextStyle, moreUnits: number): TextStyle {
  if (moreUnits === 0) return style
  const cached = cache.get(style) ?? new Map<number, TextStyle>()
  const tracked = cached.get(moreUnits) ?? {
    ...style,
    trackingUnits: (style.trackingUnits ?? 0) + moreUnits,
  }
  cache.set(style, cached.set(moreUnits, tracked))
  return tracked
}
