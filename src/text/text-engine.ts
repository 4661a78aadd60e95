import { type FontFile, fontFileFor } from './coverage/lookup.ts'
import { baseDirection } from './direction.ts'
import { fitParagraph } from './fit-paragraph.ts'
import { harfbuzzFile, readFontFileSync } from './font-files.ts'
import { createFontStore } from './font-store.ts'
import { createHarfBuzz } from './harfbuzz.ts'
import { createItemizer } from './itemize.ts'
import { createParagraph, ownFile } from './paragraph.ts'
import { ellipsis, truncate } from './truncate.ts'
import type { FitRequest, FittedText, TextStyle } from './types.ts'
import { createWordStore } from './word-store.ts'

export interface TextRequest {
  readonly text: string
  readonly style: TextStyle
  readonly lang?: string
}

/** Lays text out as outlines. */
export interface TextEngine {
  /** Loads the fonts that the texts need; undefined when all are loaded. Must be awaited before `fit` and `line`. */
  prepare(requests: readonly TextRequest[]): Promise<void> | undefined
  fit(request: FitRequest): FittedText
  /** One line at one size, cut with an ellipsis when it is wider than `maxWidthPx`. */
  line(text: string, style: TextStyle, sizePx: number, lang?: string, maxWidthPx?: number): FittedText
  /** Current sizes of the caches. */
  cachedBytes(): { readonly fonts: number; readonly words: number; readonly harfbuzzHeap: number }
}

/** From this size on, fonts with an optical size axis use their display shapes. */
const displaySizePx = 40

/** Holds the largest font several times. */
const cacheBytesMin = 16 * 2 ** 20

/** @param options.cacheBytes for fonts, glyphs and words together; 16 MiB when absent, never less. */
export function createTextEngine(options: { readonly cacheBytes?: number } = {}): TextEngine {
  const bytesMax = Math.max(cacheBytesMin, options.cacheBytes ?? cacheBytesMin)
  const harfbuzz = createHarfBuzz(readFontFileSync(harfbuzzFile))
  const fonts = createFontStore(harfbuzz, {
    fonts: Math.floor(bytesMax / 2),
    glyphs: Math.floor(bytesMax / 4),
  })
  const itemizer = createItemizer(2 ** 20)
  const words = createWordStore(fonts, Math.floor(bytesMax / 4))

  /** The fonts of the letters, of spaces and hyphens, and of an ellipsis that may be needed. */
  function addMissing({ text, style, lang }: TextRequest, missing: Set<FontFile>): void {
    const { items } = itemizer({ text, family: style.family, lang, direction: baseDirection(text) })
    let last: FontFile | undefined
    function add(file: FontFile | undefined) {
      if (file !== undefined && file !== last && !fonts.has(file)) missing.add(file)
      last = file
    }
    for (const item of items) if (item.kind === 'word') add(item.file)
    add(ownFile(style.family))
    add(fontFileFor(style.family, ellipsis.charCodeAt(0)))
  }

  function fit(request: FitRequest): FittedText {
    const display = isDisplay(request)
    const paragraph = createParagraph(words, itemizer, { ...request, display })
    const { direction } = paragraph
    function fitAt(text: string, sizePx: number): FittedText | undefined {
      const part = { ...request, text, context: request.text, direction, display }
      return fitParagraph(createParagraph(words, itemizer, part), [sizePx], request)
    }
    return fitParagraph(paragraph, request.sizesPx, request) ?? truncate(request, direction, fitAt)
  }

  return {
    prepare(requests) {
      const missing = new Set<FontFile>()
      for (const request of requests) addMissing(request, missing)
      if (missing.size === 0) return undefined
      return Promise.all([...missing].map((file) => fonts.load(file))).then(() => undefined)
    },
    fit,
    line: (text, style, sizePx, lang, maxWidthPx = Number.MAX_SAFE_INTEGER) =>
      fit({
        text,
        style,
        sizesPx: [sizePx],
        maxWidthPx,
        maxHeightPx: Number.MAX_SAFE_INTEGER,
        maxLines: 1,
        ...(lang === undefined ? {} : { lang }),
      }),
    cachedBytes: () => ({ fonts: fonts.bytes(), words: words.bytes(), harfbuzzHeap: harfbuzz.heapBytes() }),
  }
}

function isDisplay({ sizesPx }: FitRequest): boolean {
  return Math.max(...sizesPx) >= displaySizePx
}
