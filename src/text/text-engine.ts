import { type FontFile, fontFileFor } from './coverage/lookup.ts'
import { baseDirection } from './direction.ts'
import { fitParagraph } from './fit-paragraph.ts'
import { harfbuzzFile, readFontFileSync } from './font-files.ts'
import { createFontStore } from './font-store.ts'
import { graphemesOf } from './graphemes.ts'
import { createHarfBuzz } from './harfbuzz.ts'
import { createItemizer } from './itemize.ts'
import { createParagraph, ownFile } from './paragraph.ts'
import type { FitRequest, FittedText, TextStyle } from './types.ts'
import { createWordStore } from './word-store.ts'

export interface TextRequest {
  readonly text: string
  readonly style: TextStyle
  readonly lang?: string
}

/** Lays text out as outlines. */
export interface TextEngine {
  /** Loads the fonts that the texts need; undefined when they are all there. Must come before `fit` and `line`. */
  prepare(requests: readonly TextRequest[]): Promise<void> | undefined
  fit(request: FitRequest): FittedText
  /** One line at one size, cut with an ellipsis when it is wider than `maxWidthPx`. */
  line(text: string, style: TextStyle, sizePx: number, lang?: string, maxWidthPx?: number): FittedText
  /** What the caches hold now. */
  cachedBytes(): { readonly fonts: number; readonly words: number; readonly harfbuzzHeap: number }
}

const ellipsis = '…'
/** What looks wrong before an ellipsis. */
const danglingEnd = /(?<![\s,;:.\-\u2013\u2014])[\s,;:.\-\u2013\u2014]+$/
const displaySizePx = 40

/** Room for the largest font several times over. */
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
    return fitParagraph(paragraph, request.sizesPx, request) ?? truncate(request, paragraph.direction)
  }

  /** The longest beginning of the text that fits with an ellipsis at the smallest size, or below it. */
  function truncate(request: FitRequest, direction: 'ltr' | 'rtl'): FittedText {
    const context = request.text
    const graphemes = graphemesOf(context)
    const display = isDisplay(request)
    const smallest = Math.min(...request.sizesPx)
    for (let sizePx = smallest; sizePx >= 1 && Number.isFinite(sizePx); sizePx *= 0.8) {
      function attempt(count: number): FittedText | undefined {
        const text = graphemes.slice(0, count).join('').replace(danglingEnd, '') + ellipsis
        const paragraph = createParagraph(words, itemizer, { ...request, text, context, direction, display })
        return fitParagraph(paragraph, [sizePx], request)
      }
      const best = longest(graphemes.length, attempt)
      if (best !== undefined) return { ...best, truncated: true }
    }
    return { sizePx: 0, lineHeightPx: 0, widthPx: 0, heightPx: 0, direction, lines: [], truncated: true }
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

/** Binary search for the largest count that succeeds; assumes that fewer graphemes never fit worse. */
function longest<T>(count: number, attempt: (count: number) => T | undefined): T | undefined {
  let best: T | undefined
  for (let low = 0, high = count; low <= high; ) {
    const middle = (low + high) >> 1
    const result = attempt(middle)
    if (result === undefined) {
      high = middle - 1
    } else {
      best = result
      low = middle + 1
    }
  }
  return best
}
