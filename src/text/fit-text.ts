import { brandFaceOf } from './brand-fonts/brand-face.ts'
import { baseDirection } from './direction.ts'
import { fitParagraph } from './fit-paragraph.ts'
import { emojiFile } from './font-files.ts'
import type { FontSource } from './font-source.ts'
import type { Itemized, Itemizer } from './itemize.ts'
import type { LineBreaker } from './line-breaker.ts'
import { ellipsisFile, hyphenFile, ownFile } from './own-files.ts'
import { Paragraph } from './paragraph.ts'
import { spaceFile } from './spacing.ts'
import { missingFont, type TextSteps } from './steps.ts'
import { type StyleFonts, sourceOf } from './style-fonts.ts'
import type { TextRequest } from './text-fitter.ts'
import { nothing, truncate } from './truncate.ts'
import type { FitRequest, FittedText, TextStyle } from './types.ts'

export type Fitter = ReturnType<typeof createFitter>

/** Maximum bytes of the outlines of one text in a brand's font, because a card must stay small whatever the font draws. */
const brandPathBytesMax = 2 ** 20

/** Lays texts out in steps. */
export function createFitter(itemizer: Itemizer, styleFonts: StyleFonts) {
  function itemsOf({ text, style, lang }: TextRequest): Itemized | TextSteps<Itemized> {
    const brand = style.font && brandFaceOf(style.font)
    return itemizer({ text, family: style.family, lang, direction: baseDirection(text, lang), brand })
  }

  /** @param context the whole text when that of the request is its beginning with an ellipsis. */
  function* paragraphOf(request: FitRequest, context?: string): TextSteps<Paragraph> {
    const { text, style, lang, direction = baseDirection(text, lang) } = request
    const brand = style.font && brandFaceOf(style.font)
    const found = itemizer({ text, family: style.family, lang, direction, brand, context })
    const paragraph = new Paragraph(styleFonts, 'items' in found ? found : yield* found, request)
    for (;;) {
      try {
        if (paragraph.measure()) return paragraph
      } catch (error) {
        yield missingFont(error)
        continue
      }
      yield
      yield* paragraph.shapeNext()
    }
  }

  function* steps(request: FitRequest, breaker: LineBreaker): TextSteps<FittedText> {
    const paragraph = yield* paragraphOf(request)
    if (request.style.font !== undefined && isTooLong(paragraph))
      return yield* steps({ ...request, style: withoutFont(request.style) }, breaker)
    const fitted = yield* fitParagraph({ paragraph, request, breaker })
    if (fitted !== undefined) return fitted
    if (request.isWhole === true) return nothing(paragraph.direction)
    return yield* cut(request, paragraph, breaker)
  }

  /** Ends with an ellipsis. */
  function cut(request: FitRequest, { direction }: Paragraph, breaker: LineBreaker): TextSteps<FittedText> {
    return truncate(request, direction, function* (text, sizePx) {
      const paragraph = yield* paragraphOf({ ...request, text, direction }, request.text)
      return yield* fitParagraph({ paragraph, request: { ...request, sizesPx: [sizePx] }, breaker })
    })
  }

  return {
    steps,
    itemsOf,
    styleFonts,
    /** The fonts of the letters, of spaces and hyphens, and of an ellipsis that may be needed; the pictures of emoji. */
    *sources(texts: readonly TextRequest[]): TextSteps<ReadonlySet<FontSource>> {
      const used = new Set<FontSource>()
      for (const request of texts) {
        const found = itemsOf(request)
        addFonts(used, request, 'items' in found ? found : yield* found)
      }
      return used
    },
  }
}

function addFonts(used: Set<FontSource>, { style }: TextRequest, { items }: Itemized): void {
  const { family } = style
  const brand = style.font && brandFaceOf(style.font)
  const own = ownFile(family, brand)
  used.add(sourceOf(own, style))
  let last = own
  let isForeign = false
  for (const item of items) {
    if (item.kind === 'emoji') used.add(emojiFile)
    if (item.kind !== 'word' || item.file === last) continue
    last = item.file
    used.add(sourceOf(last, style))
    isForeign ||= last.packageName !== own.packageName
  }
  if (isForeign) used.add(sourceOf(spaceFile(family), style))
  if (brand !== undefined) used.add(sourceOf(hyphenFile(family, brand), style))
  used.add(sourceOf(ellipsisFile(family, brand), style))
}

function isTooLong({ words }: Paragraph): boolean {
  let bytes = 0
  for (const word of words) bytes += word?.path?.body.length ?? 0
  return bytes > brandPathBytesMax
}

function withoutFont({ family, weight, trackingUnits }: TextStyle): TextStyle {
  return { family, weight, ...(trackingUnits === undefined ? {} : { trackingUnits }) }
}
