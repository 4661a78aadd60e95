import { brandFaceOf } from './brand-fonts/brand-face.ts'
import { fairPenalty, poorPenalty } from './break-penalties.ts'
import { breaksOf } from './breaks.ts'
import { baseDirection } from './direction.ts'
import { fitParagraph } from './fit-paragraph.ts'
import { graphemesOf } from './graphemes.ts'
import type { Itemized, Itemizer } from './itemize.ts'
import { LineBreaker } from './line-breaker.ts'
import { Paragraph } from './paragraph.ts'
import type { StyleFonts } from './style-fonts.ts'
import type { FitRequest, FittedText, TextRequest } from './types.ts'

/** Maximum bytes of the outlines of one text in a brand's font, because a card must stay small whatever the font draws. */
const brandPathBytesMax = 2 ** 20

/** Lays texts out, one after the other. */
export function createFitter(itemizer: Itemizer, styleFonts: StyleFonts) {
  const breaker = new LineBreaker()

  /** @param context the whole text when that of the request is its beginning with an ellipsis. */
  function itemsOf(request: TextRequest & Pick<FitRequest, 'direction'>, context?: string): Itemized {
    const { text, style, lang, hasCode, direction = baseDirection(text, lang) } = request
    const brand = style.font && brandFaceOf(style.font)
    return itemizer({ text, family: style.family, lang, direction, brand, context, hasCode })
  }

  function paragraphOf(request: FitRequest, context?: string): Paragraph {
    return new Paragraph(styleFonts, itemsOf(request, context), request)
  }

  function fit(request: FitRequest): FittedText {
    const paragraph = paragraphOf(request)
    const { font, ...style } = request.style
    if (font !== undefined && isTooLong(paragraph)) return fit({ ...request, style })
    const fitted = fitParagraph({ paragraph, request, breaker })
    if (fitted !== undefined) return fitted
    if (request.isWhole) return nothing(paragraph.direction)
    const { direction } = paragraph
    return truncate(request, direction, (text, sizePx) => {
      const beginning = paragraphOf({ ...request, text, direction }, request.text)
      return fitParagraph({ paragraph: beginning, request: { ...request, sizesPx: [sizePx] }, breaker })
    })
  }

  return { fit, itemsOf }
}

function isTooLong({ words }: Paragraph): boolean {
  let bytes = 0
  for (const word of words) bytes += word?.path?.body.length ?? 0
  return bytes > brandPathBytesMax
}

const ellipsis = '…'
/** Spaces, and marks that look wrong before an ellipsis or open what it leaves empty. */
const danglingMarks =
  '\\s,;:.\\-\\u2013\\u2014|·•&/\\u3001\\u3002\\uFF0C\\uFF1A\\uFF1B\\u060C\\u061B\\u0964¿¡(\\[{「『【《〈（［｛〔'
/** Quotation marks that open: some of them close in other languages, where no space is before them. */
const openingQuote = '(?<=\\s)["\'“‘„«»‹›]'
const danglingEnd = new RegExp(`(?<![${danglingMarks}])(?:[${danglingMarks}]|${openingQuote})+$`)
const shrinkFactor = 0.8
/** The share of what fits that a cut after a whole word keeps at least: a longer word is cut inside. */
const keptMin = 0.5

/**
 * The longest beginning of the text that fits with an ellipsis at the smallest size, or below it, and ends with a whole
 * word. Empty, of size 0, when not even the ellipsis fits.
 * @param fitAt lays out one text at one size; undefined when it does not fit.
 */
function truncate(
  request: FitRequest,
  direction: FittedText['direction'],
  fitAt: (text: string, sizePx: number) => FittedText | undefined,
): FittedText {
  const graphemes = graphemesOf(request.text)
  for (let sizePx = Math.min(...request.sizesPx); sizePx >= 1 && sizePx < Infinity; sizePx *= shrinkFactor) {
    const found = longest(graphemes.length, (count) =>
      fitAt(cutAt(graphemes.slice(0, count).join('')), sizePx),
    )
    if (found === undefined) continue
    const whole = graphemes.slice(0, found.count).join('')
    for (const end of wordEnds(request, whole.length)) {
      const text = cutAt(request.text.slice(0, end))
      const fitted = text === cutAt(whole) ? found.result : fitAt(text, sizePx)
      if (fitted !== undefined) return { ...fitted, truncated: true }
    }
    return { ...found.result, truncated: true }
  }
  return nothing(direction)
}

/** A text of which nothing fits. */
function nothing(direction: FittedText['direction']): FittedText {
  return { sizePx: 0, lineHeightPx: 0, widthPx: 0, heightPx: 0, direction, lines: [], truncated: true }
}

function cutAt(text: string): string {
  return text.replace(danglingEnd, '') + ellipsis
}

/** Where to cut instead of at `length`, best first: after a word that leans on no other one, then after any word. */
function wordEnds({ text, lang }: FitRequest, length: number): readonly number[] {
  const breaks = breaksOf(text, lang).filter(({ offset }) => {
    const end = text.slice(0, offset).trimEnd().length
    return end <= length && end >= length * keptMin
  })
  return [fairPenalty, poorPenalty].flatMap((limit) => {
    const end = breaks.findLast(({ penalty }) => penalty < limit)?.offset
    return end === undefined ? [] : [end]
  })
}

/** Binary search for the largest count that succeeds; assumes that fewer graphemes never fit worse. */
function longest<T>(count: number, attempt: (count: number) => T | undefined) {
  let best: { readonly count: number; readonly result: T } | undefined
  for (let low = 0, high = count; low <= high; ) {
    const middle = (low + high) >> 1
    const result = attempt(middle)
    if (result === undefined) {
      high = middle - 1
    } else {
      best = { count: middle, result }
      low = middle + 1
    }
  }
  return best
}
