import { brandFaceOf, type CardFont, type FontSource, fontBytes } from './brand-fonts/brand-font.ts'
import { fairPenalty, poorPenalty } from './break-penalties.ts'
import { breaksOf } from './breaks.ts'
import { textCacheBytes } from './cache-bytes.ts'
import { baseDirection } from './direction.ts'
import { fitParagraph } from './fit-paragraph.ts'
import { type FontFile, harfbuzzFile, readFontFileSync } from './font-files.ts'
import { graphemesOf } from './graphemes.ts'
import { createHarfBuzz } from './harfbuzz.ts'
import { createItemizer, type Itemized } from './itemize.ts'
import { Paragraph } from './paragraph.ts'
import { createStyleFonts, hasOpticalSizes, ownFile, sourceOf } from './style-fonts.ts'
import { type FitRequest, type FittedText, type TextFitter, type TextRequest, textFitter } from './types.ts'
import { isWoff2Ready, woff2Ready } from './woff2.ts'
import { createFontStore, createWordStore } from './word-store.ts'

export type TextEngine = ReturnType<typeof createTextEngine>

/** Lays texts out in one go. Our own fonts are loaded where they are needed. */
export function createTextEngine(harfbuzz = createHarfBuzz(readFontFileSync(harfbuzzFile))) {
  const fonts = createFontStore(harfbuzz, textCacheBytes)
  const words = createWordStore(fonts, textCacheBytes.words)
  const styleFonts = createStyleFonts(words)
  const itemizer = createItemizer(textCacheBytes.items)
  const fitter = textFitter(fit)

  /** @param context the whole text when that of the request is its beginning with an ellipsis. */
  function itemsOf(request: TextRequest & Pick<FitRequest, 'direction'>, context?: string): Itemized {
    const { text, style, lang, hasCode, direction = baseDirection(text, lang) } = request
    const brand = style.font && brandFaceOf(style.font)
    return itemizer({ text, family: style.family, lang, direction, brand, context, hasCode })
  }

  function fit(request: FitRequest): FittedText {
    const itemized = itemsOf(request)
    // Font by font: else one could be dropped before its last word, and loaded again.
    if (hasManyFonts(itemized)) for (const { run } of fontWork([request])) run()
    const paragraph = new Paragraph(styleFonts, itemized, request)
    if (request.style.font !== undefined && isTooLong(paragraph)) {
      const { font: _, ...style } = request.style
      return fit({ ...request, style })
    }
    const fitted = fitParagraph(paragraph, request)
    if (fitted !== undefined) return fitted
    if (request.isWhole) return nothing(paragraph.direction)
    const { direction } = paragraph
    return truncate(request, direction, (text, sizePx) => {
      const cut = { ...request, text, direction }
      const beginning = new Paragraph(styleFonts, itemsOf(cut, request.text), cut)
      return fitParagraph(beginning, { ...request, sizesPx: [sizePx] })
    })
  }

  /** Words that are not cached, font by font, in work of few ms each; a font may be dropped behind its words. */
  function fontWork(texts: readonly TextRequest[]) {
    const wordsByFont = new Map<FontSource, { letters: string; shape: (() => void)[] }>()
    function workOf(source: FontSource) {
      const work = wordsByFont.get(source) ?? { letters: '', shape: [] }
      wordsByFont.set(source, work)
      return work
    }
    for (const request of texts) {
      const { text, style } = request
      const fontOf = styleFonts(request)
      const unshaped = new Set<FontFile>()
      // Beside letters that are not kerned, a space is that of the family's own font.
      if (text.includes(' ')) unshaped.add(ownFile(style.family, style.font && brandFaceOf(style.font)))
      for (const item of itemsOf(request).items) {
        if (item.kind !== 'word') continue
        const { start, end, level, file } = item
        // The size decides which shapes such a font takes.
        if (hasOpticalSizes(file)) {
          unshaped.add(file)
          continue
        }
        const font = fontOf(file, level)
        if (font.cached(text, start, end) !== undefined) continue
        const work = workOf(sourceOf(file, style))
        work.letters += text.slice(start, end)
        work.shape.push(() => font.word(text, start, end))
      }
      for (const file of unshaped) {
        const source = sourceOf(file, style)
        if (!fonts.has(source)) workOf(source)
      }
    }
    const all = Array.from(wordsByFont, ([source, { letters, shape }]) => ({
      source,
      letters,
      isLoaded: fonts.has(source),
      /** @param bytes the font unpacked, where somebody has done so */
      run(bytes?: Uint8Array): void {
        if (bytes !== undefined) fonts.add(source, bytes)
        else if (!fonts.has(source)) fonts.load(source)
        for (const word of shape) word()
      },
    }))
    // Else the first ones might drop those that are loaded.
    return all.toSorted((a, b) => Number(b.isLoaded) - Number(a.isLoaded))
  }

  function lackingFonts(texts: readonly TextRequest[]): readonly CardFont[] {
    return texts.flatMap(({ style: { font } }) => (font === undefined || fonts.has(font) ? [] : [font]))
  }

  /**
   * Calls `drawNow` once there is what a fitter cannot load: the decoder of fonts, and fonts of brands.
   * @param texts whose styles have all of these
   */
  async function draw<T>(texts: readonly TextRequest[], drawNow: (fitter: TextFitter) => T): Promise<T> {
    if (!isWoff2Ready()) await woff2Ready
    // While a font is read, others may need the room of one that was there.
    const read = new Map<string, Uint8Array>()
    for (let lacking = lackingFonts(texts); lacking.length > 0; lacking = lackingFonts(texts)) {
      const unread = lacking.filter(({ key }) => !read.has(key))
      for (const font of unread) read.set(font.key, await fontBytes(font))
      if (unread.length > 0) continue
      for (const font of lacking) fonts.add(font, read.get(font.key) ?? new Uint8Array())
    }
    return drawNow(fitter)
  }

  return {
    ...fitter,
    draw,
    isLoaded: (texts: readonly TextRequest[]): boolean => isWoff2Ready() && lackingFonts(texts).length === 0,
    fontWork,
    /** HarfBuzz compiled, for a thread: what one thread has made fast is fast in all that share it. */
    wasm: harfbuzz.wasm,
    cachedBytes: () => ({ fonts: fonts.bytes(), words: words.bytes(), harfbuzzHeap: harfbuzz.heapBytes() }),
    loads: fonts.loads,
  }
}

/** Texts of more fonts may need more memory than fonts have. */
const fontsTogether = 8

function hasManyFonts({ items, graphemeEnds }: Itemized): boolean {
  // Plain texts have a few.
  if (graphemeEnds === undefined) return false
  const files = new Set<FontFile>()
  for (const item of items) if (item.kind === 'word') files.add(item.file)
  return files.size > fontsTogether
}

/** Maximum bytes of the outlines of one text in a brand's font, because a card must stay small whatever the font draws. */
const brandPathBytesMax = 2 ** 20

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

/** The longest beginning that fits with an ellipsis, in whole words if it can, at the smallest size or below; else of size 0. */
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
