import { LRUCache } from 'lru-cache'
import type { TextEngine } from '../../text/text-engine.ts'
import type { FittedText, TextStyle } from '../../text/types.ts'

/** Sets one line at one size, cut with an ellipsis when it is wider than the room. */
export type LabelFitter = (
  text: string,
  style: TextStyle,
  sizePx: number,
  maxWidthPx: number,
  lang?: string,
) => FittedText

const cacheBytesMax = 2 ** 20
/** What a laid-out line holds: its pieces, and a share of the outlines that it points to. */
const bytesPerCharacter = 256

/** Names and domains come again on every card of a site, so their lines are kept. */
export function createLabelFitter(engine: TextEngine): LabelFitter {
  const whole = new LRUCache<string, FittedText>({
    maxSize: cacheBytesMax,
    sizeCalculation: (_, key) => 1024 + key.length * bytesPerCharacter,
  })
  return (text, style, sizePx, maxWidthPx, lang = '') => {
    const key = `${style.family} ${style.weight} ${sizePx} ${lang} ${text}`
    const known = whole.get(key)
    if (known !== undefined && known.widthPx <= maxWidthPx) return known
    const fitted = engine.line(text, style, sizePx, lang === '' ? undefined : lang, maxWidthPx)
    if (!fitted.truncated) whole.set(key, fitted)
    return fitted
  }
}
