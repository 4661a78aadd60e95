import { graphemesOf } from './graphemes.ts'
import type { TextSteps } from './steps.ts'
import type { FitRequest, FittedText } from './types.ts'

export const ellipsis = '…'
/** Marks and spaces that look wrong before an ellipsis. */
const danglingEnd = /(?<![\s,;:.\-\u2013\u2014])[\s,;:.\-\u2013\u2014]+$/
const shrinkFactor = 0.8

/**
 * The longest beginning of the text that fits with an ellipsis at the smallest size, or below it. Empty, of size 0, when
 * not even the ellipsis fits.
 * @param fitAt lays out one text at one size; undefined when it does not fit.
 */
export function* truncate(
  request: FitRequest,
  direction: FittedText['direction'],
  fitAt: (text: string, sizePx: number) => TextSteps<FittedText | undefined>,
): TextSteps<FittedText> {
  const graphemes = graphemesOf(request.text)
  for (let sizePx = Math.min(...request.sizesPx); sizePx >= 1 && sizePx < Infinity; sizePx *= shrinkFactor) {
    const best = yield* longest(graphemes.length, (count) =>
      fitAt(graphemes.slice(0, count).join('').replace(danglingEnd, '') + ellipsis, sizePx),
    )
    if (best !== undefined) return { ...best, truncated: true }
  }
  return { sizePx: 0, lineHeightPx: 0, widthPx: 0, heightPx: 0, direction, lines: [], truncated: true }
}

/** Binary search for the largest count that succeeds; assumes that fewer graphemes never fit worse. */
function* longest<T>(
  count: number,
  attempt: (count: number) => TextSteps<T | undefined>,
): TextSteps<T | undefined> {
  let best: T | undefined
  for (let low = 0, high = count; low <= high; ) {
    const middle = (low + high) >> 1
    const result = yield* attempt(middle)
    if (result === undefined) {
      high = middle - 1
    } else {
      best = result
      low = middle + 1
    }
  }
  return best
}
