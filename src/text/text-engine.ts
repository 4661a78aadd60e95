import { brandFaceOf } from './brand-fonts/brand-face.ts'
import { textCacheBytes } from './cache-bytes.ts'
import { baseDirection } from './direction.ts'
import { fitParagraph } from './fit-paragraph.ts'
import { harfbuzzFile, readFontFileSync } from './font-files.ts'
import type { FontSource } from './font-source.ts'
import { createFontStore } from './font-store.ts'
import { createHarfBuzz } from './harfbuzz.ts'
import { createItemizer } from './itemize.ts'
import { ellipsisFile, hyphenFile, ownFile } from './own-files.ts'
import { Paragraph } from './paragraph.ts'
import { spaceFile } from './spacing.ts'
import { createStyleFonts, sourceOf } from './style-fonts.ts'
import { truncate } from './truncate.ts'
import type { Direction, FitRequest, FittedText, TextStyle } from './types.ts'
import { createWordStore } from './word-store.ts'

export type TextRequest = Pick<FitRequest, 'text' | 'style' | 'lang'>

export type TextEngine = ReturnType<typeof createTextEngine>

const anyPx = Number.MAX_SAFE_INTEGER
/** Of the outlines of one text in a font of a brand: a card must stay small, whatever the font draws. */
const brandPathBytesMax = 2 ** 20

/** Lays text out as outlines. */
export function createTextEngine() {
  const harfbuzz = createHarfBuzz(readFontFileSync(harfbuzzFile))
  const fonts = createFontStore(harfbuzz, textCacheBytes)
  const itemizer = createItemizer(textCacheBytes.items)
  const words = createWordStore(fonts, textCacheBytes.words)
  const styleFonts = createStyleFonts(words)

  /** Adds the fonts of the letters, of spaces and hyphens, and of an ellipsis that may be needed. */
  function addFonts(used: Set<FontSource>, { text, style, lang }: TextRequest): void {
    const { family } = style
    const brand = style.font && brandFaceOf(style.font)
    const own = ownFile(family, brand)
    used.add(sourceOf(own, style))
    let last = own
    let isForeign = false
    for (const item of itemizer({ text, family, lang, direction: baseDirection(text), brand }).items) {
      if (item.kind !== 'word' || item.file === last) continue
      last = item.file
      used.add(sourceOf(last, style))
      isForeign ||= last.packageName !== own.packageName
    }
    if (isForeign) used.add(sourceOf(spaceFile(family), style))
    if (brand !== undefined) used.add(sourceOf(hyphenFile(family, brand), style))
    used.add(sourceOf(ellipsisFile(family, brand), style))
  }

  function fit(request: FitRequest): FittedText {
    const paragraph = new Paragraph(styleFonts, itemizer, request)
    const { direction } = paragraph
    if (request.style.font !== undefined && isTooLong(paragraph))
      return fit({ ...request, style: withoutFont(request.style) })
    return fitParagraph(paragraph, request) ?? cut(request, direction)
  }

  /** Ends with an ellipsis. */
  function cut(request: FitRequest, direction: Direction): FittedText {
    return truncate(request, direction, (text, sizePx) => {
      const part = new Paragraph(styleFonts, itemizer, { ...request, text, direction }, request.text)
      return fitParagraph(part, { ...request, sizesPx: [sizePx] })
    })
  }

  return {
    /**
     * Loads the fonts that the texts need; undefined when all are loaded. Must be awaited before `fit` and `line`, which
     * follow in the same turn of the event loop where a style has a font of its own.
     */
    prepare(requests: readonly TextRequest[]): Promise<void> | undefined {
      const used = new Set<FontSource>()
      for (const request of requests) addFonts(used, request)
      return fonts.prepare(used)
    },
    fit,
    /** One line at one size, cut with an ellipsis when it is wider than `maxWidthPx`. */
    line(text: string, style: TextStyle, sizePx: number, lang?: string, maxWidthPx = anyPx): FittedText {
      return fit({ text, style, sizesPx: [sizePx], maxLines: 1, maxWidthPx, maxHeightPx: anyPx, lang })
    },
    /** Current sizes of the caches. */
    cachedBytes: () => ({ fonts: fonts.bytes(), words: words.bytes(), harfbuzzHeap: harfbuzz.heapBytes() }),
  }
}

function isTooLong({ words }: Paragraph): boolean {
  let bytes = 0
  for (const word of words) bytes += word?.path?.body.length ?? 0
  return bytes > brandPathBytesMax
}

function withoutFont({ family, weight, trackingUnits }: TextStyle): TextStyle {
  return { family, weight, ...(trackingUnits === undefined ? {} : { trackingUnits }) }
}
