import { brandFaceOf } from './brand-fonts/brand-face.ts'
import type { FontFile } from './coverage/lookup.ts'
import { baseDirection } from './direction.ts'
import { fitParagraph } from './fit-paragraph.ts'
import { harfbuzzFile, readFontFileSync } from './font-files.ts'
import { createFontStore, type FontSource } from './font-store.ts'
import { createHarfBuzz } from './harfbuzz.ts'
import { createItemizer } from './itemize.ts'
import { ellipsisFile, hyphenFile, ownFile } from './own-files.ts'
import { createParagraph, type Paragraph } from './paragraph.ts'
import { spaceFile } from './spacing.ts'
import { createStyleFonts, sourceOf } from './style-fonts.ts'
import { truncate } from './truncate.ts'
import type { FitRequest, FittedText, TextStyle } from './types.ts'
import { createWordStore } from './word-store.ts'

export type TextRequest = Pick<FitRequest, 'text' | 'style' | 'lang'>

export type TextEngine = ReturnType<typeof createTextEngine>

const anyPx = Number.MAX_SAFE_INTEGER
/** For fonts, glyphs and words together; holds the largest font several times. */
const cacheBytesMax = 16 * 2 ** 20
/** For those of brands; holds the largest, or the usual ones of twenty brands. */
const brandFontBytesMax = 10 * 2 ** 20

/** Of the outlines of one text in a font of a brand: a card must stay small, whatever the font draws. */
const brandPathBytesMax = 2 ** 20

/** Lays text out as outlines. */
export function createTextEngine() {
  const harfbuzz = createHarfBuzz(readFontFileSync(harfbuzzFile))
  const fonts = createFontStore(harfbuzz, {
    fonts: cacheBytesMax / 2,
    brandFonts: brandFontBytesMax,
    glyphs: cacheBytesMax / 4,
  })
  const itemizer = createItemizer(2 ** 20)
  const words = createWordStore(fonts, cacheBytesMax / 4)
  const styleFonts = createStyleFonts(words)

  /** Adds the fonts of the letters, of spaces and hyphens, and of an ellipsis that may be needed. */
  function addMissing(missing: Set<FontSource>, { text, style, lang }: TextRequest): void {
    const { family } = style
    const brand = style.font && brandFaceOf(style.font)
    let last: FontFile | undefined
    function add(file: FontFile | undefined) {
      if (file === undefined || file === last) return
      last = file
      const source = sourceOf(file, style)
      if (!fonts.has(source)) missing.add(source)
    }
    const own = ownFile(family, brand)
    let isForeign = false
    for (const item of itemizer({ text, family, lang, direction: baseDirection(text), brand }).items) {
      if (item.kind !== 'word') continue
      add(item.file)
      isForeign ||= item.file.packageName !== own.packageName
    }
    add(own)
    if (isForeign) add(spaceFile(family))
    if (brand !== undefined) add(hyphenFile(family, brand))
    add(ellipsisFile(family, brand))
  }

  function fit(request: FitRequest): FittedText {
    const paragraph = createParagraph(styleFonts, itemizer, request)
    const { direction } = paragraph
    if (request.style.font !== undefined && isTooLong(paragraph))
      return fit({ ...request, style: withoutFont(request.style) })
    function fitAt(text: string, sizePx: number): FittedText | undefined {
      const part = createParagraph(styleFonts, itemizer, { ...request, text, direction }, request.text)
      return fitParagraph(part, { ...request, sizesPx: [sizePx] })
    }
    return fitParagraph(paragraph, request) ?? truncate(request, direction, fitAt)
  }

  return {
    /** Loads the fonts that the texts need; undefined when all are loaded. Must be awaited before `fit` and `line`. */
    prepare(requests: readonly TextRequest[]): Promise<void> | undefined {
      const missing = new Set<FontSource>()
      for (const request of requests) addMissing(missing, request)
      if (missing.size === 0) return undefined
      return Promise.all(Array.from(missing, (file) => fonts.load(file))).then(() => undefined)
    },
    fit,
    /** One line at one size, cut with an ellipsis when it is wider than `maxWidthPx`. */
    line(text: string, style: TextStyle, sizePx: number, lang?: string, maxWidthPx = anyPx): FittedText {
      const room = { maxWidthPx, maxHeightPx: anyPx, maxLines: 1 }
      return fit({ text, style, sizesPx: [sizePx], ...room, ...(lang === undefined ? {} : { lang }) })
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
