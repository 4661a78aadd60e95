import { createTwoGenerationCache } from '../../lib/two-generation-cache.ts'
import type { TextEngine } from '../../text/text-engine.ts'
import type { FittedText, TextStyle } from '../../text/types.ts'

export type LabelFitter = ReturnType<typeof createLabelFitter>

const cacheBytesMax = 2 ** 20
/** What a laid-out line holds: its pieces, and a share of the outlines that it points to. */
const bytesPerCharacter = 256

/**
 * Returns what sets one line at one size, cut with an ellipsis when it is wider than the room. It caches the lines of
 * names and domains: they are the same on every card of a site.
 */
export function createLabelFitter(engine: TextEngine) {
  const cache = createTwoGenerationCache<FittedText>(
    cacheBytesMax,
    (_, key) => 1024 + key.length * bytesPerCharacter,
  )
  return (text: string, style: TextStyle, sizePx: number, maxWidthPx: number, lang = ''): FittedText => {
    const look = `${style.family} ${style.weight} ${sizePx} ${lang} ${text}`
    const key = style.font === undefined ? look : `${style.font.key} ${look}`
    const cached = cache.get(key)
    if (cached !== undefined && cached.widthPx <= maxWidthPx) return cached
    const fitted = engine.line(text, style, sizePx, lang === '' ? undefined : lang, maxWidthPx)
    if (!fitted.truncated) cache.set(key, fitted)
    return fitted
  }
}
