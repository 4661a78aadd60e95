import { detached } from '../../lib/detached.ts'
import { createTwoGenerationCache } from '../../lib/two-generation-cache.ts'
import type { TextFitter } from '../../text/text-fitter.ts'
import type { FittedText, TextStyle } from '../../text/types.ts'

export type LabelFitter = ReturnType<typeof createLabelFitter>

/** A text as it was set in one look. */
interface Label extends Pick<TextStyle, 'family' | 'weight'> {
  readonly fontKey: string | undefined
  readonly sizePx: number
  readonly lang: string | undefined
  readonly fitted: FittedText
}

const cacheBytesMax = 2 ** 20
/** Memory of a laid-out line for each character: its pieces, and a share of the outlines that it points to. */
const bytesPerCharacter = 256
/** Looks cached for one text, because themes and sizes set it differently. */
const looksMax = 8

/**
 * Returns what sets one line at one size, cut with an ellipsis when it is wider than the room. It caches the lines of
 * names and domains: they are the same on every card of a site.
 */
export function createLabelFitter() {
  // Keyed by the text alone, because a key with the look in it would have to be built for each label of each card.
  const cache = createTwoGenerationCache<readonly Label[]>(
    cacheBytesMax,
    (labels, text) => labels.length * (1024 + text.length * bytesPerCharacter),
  )
  return (
    fitter: TextFitter,
    text: string,
    style: TextStyle,
    sizePx: number,
    maxWidthPx: number,
    lang?: string,
  ): FittedText => {
    const labels = cache.get(text) ?? []
    for (const label of labels) {
      const { fitted } = label
      if (hasLook(label, style, sizePx, lang) && fitted.widthPx <= maxWidthPx) return fitted
    }
    const fitted = fitter.line(text, style, sizePx, lang, maxWidthPx)
    if (!fitted.truncated) {
      const { family, weight, font } = style
      const label = { family, weight, fontKey: font?.key, sizePx, lang, fitted }
      cache.set(detached(text), [label, ...labels.slice(0, looksMax - 1)])
    }
    return fitted
  }
}

function hasLook(label: Label, style: TextStyle, sizePx: number, lang: string | undefined): boolean {
  const { family, weight, fontKey } = label
  return (
    label.sizePx === sizePx &&
    label.lang === lang &&
    family === style.family &&
    weight === style.weight &&
    fontKey === style.font?.key
  )
}
