import { brandFaceOf } from './brand-fonts/brand-face.ts'
import { baseDirection } from './direction.ts'
import { fitParagraph } from './fit-paragraph.ts'
import type { Itemized, Itemizer } from './itemize.ts'
import { LineBreaker } from './line-breaker.ts'
import { Paragraph } from './paragraph.ts'
import type { StyleFonts } from './style-fonts.ts'
import type { TextRequest } from './text-fitter.ts'
import { nothing, truncate } from './truncate.ts'
import type { FitRequest, FittedText, TextStyle } from './types.ts'

/** Maximum bytes of the outlines of one text in a brand's font, because a card must stay small whatever the font draws. */
const brandPathBytesMax = 2 ** 20

/** Lays texts out, one after the other. */
export function createFitter(itemizer: Itemizer, styleFonts: StyleFonts) {
  const breaker = new LineBreaker()

  function itemsOf({ text, style, lang }: TextRequest): Itemized {
    const brand = style.font && brandFaceOf(style.font)
    return itemizer({ text, family: style.family, lang, direction: baseDirection(text, lang), brand })
  }

  /** @param context the whole text when that of the request is its beginning with an ellipsis. */
  function paragraphOf(request: FitRequest, context?: string): Paragraph {
    const { text, style, lang, direction = baseDirection(text, lang) } = request
    const brand = style.font && brandFaceOf(style.font)
    const items = itemizer({ text, family: style.family, lang, direction, brand, context })
    return new Paragraph(styleFonts, items, request)
  }

  function fit(request: FitRequest): FittedText {
    const paragraph = paragraphOf(request)
    if (request.style.font !== undefined && isTooLong(paragraph))
      return fit({ ...request, style: withoutFont(request.style) })
    const fitted = fitParagraph({ paragraph, request, breaker })
    if (fitted !== undefined) return fitted
    if (request.isWhole === true) return nothing(paragraph.direction)
    return cut(request, paragraph)
  }

  /** Ends with an ellipsis. */
  function cut(request: FitRequest, { direction }: Paragraph): FittedText {
    return truncate(request, direction, (text, sizePx) => {
      const paragraph = paragraphOf({ ...request, text, direction }, request.text)
      return fitParagraph({ paragraph, request: { ...request, sizesPx: [sizePx] }, breaker })
    })
  }

  return { fit, itemsOf }
}

function isTooLong({ words }: Paragraph): boolean {
  let bytes = 0
  for (const word of words) bytes += word?.path?.body.length ?? 0
  return bytes > brandPathBytesMax
}

function withoutFont({ family, weight, trackingUnits }: TextStyle): TextStyle {
  return { family, weight, ...(trackingUnits === undefined ? {} : { trackingUnits }) }
}
