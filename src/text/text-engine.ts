import { type FontFile, fontFileFor } from './coverage/lookup.ts'
import { baseDirection } from './direction.ts'
import { fitParagraph } from './fit-paragraph.ts'
import { harfbuzzFile, readFontFileSync } from './font-files.ts'
import { createFontStore } from './font-store.ts'
import { createHarfBuzz } from './harfbuzz.ts'
import { createItemizer } from './itemize.ts'
import { createParagraph, ownFile, weightedFile } from './paragraph.ts'
import { ellipsis, truncate } from './truncate.ts'
import type { FitRequest, FittedText, TextStyle } from './types.ts'
import { createWordStore } from './word-store.ts'

export type TextRequest = Pick<FitRequest, 'text' | 'style' | 'lang'>

export type TextEngine = ReturnType<typeof createTextEngine>

const anyPx = Number.MAX_SAFE_INTEGER
/** For fonts, glyphs and words together; holds the largest font several times. */
const cacheBytesMax = 16 * 2 ** 20

/** Lays text out as outlines. */
export function createTextEngine() {
  const harfbuzz = createHarfBuzz(readFontFileSync(harfbuzzFile))
  const fonts = createFontStore(harfbuzz, { fonts: cacheBytesMax / 2, glyphs: cacheBytesMax / 4 })
  const itemizer = createItemizer(2 ** 20)
  const words = createWordStore(fonts, cacheBytesMax / 4)

  /** The fonts of the letters, of spaces and hyphens, and of an ellipsis that may be needed. */
  function filesOf({
    text,
    style: { family, weight },
    lang,
  }: TextRequest): readonly (FontFile | undefined)[] {
    const { items } = itemizer({ text, family, lang, direction: baseDirection(text) })
    const letters = items.map((item) => (item.kind === 'word' ? weightedFile(item.file, weight) : undefined))
    return [...letters, ownFile(family), fontFileFor(family, ellipsis.charCodeAt(0))]
  }

  function fit(request: FitRequest): FittedText {
    const paragraph = createParagraph(words, itemizer, request)
    const { direction } = paragraph
    function fitAt(text: string, sizePx: number): FittedText | undefined {
      const part = createParagraph(words, itemizer, { ...request, text, direction }, request.text)
      return fitParagraph(part, { ...request, sizesPx: [sizePx] })
    }
    return fitParagraph(paragraph, request) ?? truncate(request, direction, fitAt)
  }

  return {
    /** Loads the fonts that the texts need; undefined when all are loaded. Must be awaited before `fit` and `line`. */
    prepare(requests: readonly TextRequest[]): Promise<void> | undefined {
      const files = new Set(requests.flatMap(filesOf))
      const loads = [...files].flatMap((file) => (file && !fonts.has(file) ? fonts.load(file) : []))
      return loads.length === 0 ? undefined : Promise.all(loads).then(() => undefined)
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
