import { brandFaceOf } from './brand-fonts/brand-face.ts'
import { type CardFont, type FontSource, fontBytes } from './brand-fonts/brand-font.ts'
import { textCacheBytes } from './cache-bytes.ts'
import type { FontFile } from './coverage/lookup.ts'
import { hasEmojiPlaces, loadEmojiPlaces } from './emoji-body.ts'
import { createFitter } from './fit-text.ts'
import { harfbuzzFile, readFontFileSync } from './font-files.ts'
import { createFontStore } from './font-store.ts'
import { createHarfBuzz } from './harfbuzz.ts'
import { createItemizer, type Itemized } from './itemize.ts'
import { mayHavePictures } from './match-emoji.ts'
import { ownFile } from './own-files.ts'
import { createStyleFonts, hasOpticalSizes, sourceOf } from './style-fonts.ts'
import { type TextFitter, type TextRequest, textFitter } from './types.ts'
import { isWoff2Ready, woff2Ready } from './woff2.ts'
import { createWordStore } from './word-store.ts'

export type TextEngine = ReturnType<typeof createTextEngine>

/** Lays texts out in one go. Our own fonts are loaded where they are needed. */
export function createTextEngine(harfbuzz = createHarfBuzz(readFontFileSync(harfbuzzFile))) {
  const fonts = createFontStore(harfbuzz, textCacheBytes)
  const words = createWordStore(fonts, textCacheBytes.words)
  const styleFonts = createStyleFonts(words)
  const { fit, itemsOf } = createFitter(createItemizer(textCacheBytes.items), styleFonts)
  const fitter = textFitter((request) => {
    // Themes try other letter spacings, which have words of their own.
    if (hasManyFonts(itemsOf(request))) prepare([request])
    return fit(request)
  })

  /**
   * Work of few ms each that a drawing does first: words that are not cached, font by font. Then each font is loaded once, and may
   * be dropped behind its words.
   */
  function fontWork(texts: readonly TextRequest[]) {
    const wordsByFont = new Map<FontSource, { letters: string; shape: (() => void)[] }>()
    for (const request of texts) {
      const { text, style } = request
      const fontOf = styleFonts({ sizesPx: [], ...request })
      for (const item of itemsOf(request).items) {
        if (item.kind !== 'word' && item.kind !== 'space') continue
        const { start, end, level } = item
        const isWord = item.kind === 'word'
        // Beside letters that are not kerned, a space is that of the family's own font.
        const file = isWord ? item.file : ownFile(style.family, style.font && brandFaceOf(style.font))
        const source = sourceOf(file, style)
        const work = wordsByFont.get(source) ?? { letters: '', shape: [] }
        // The size decides which shapes a font of optical sizes takes.
        if (!isWord || hasOpticalSizes(file)) {
          if (!fonts.has(source)) wordsByFont.set(source, work)
          continue
        }
        const { shaper } = fontOf(file, level)
        if (shaper.cached(text, start, end) !== undefined) continue
        wordsByFont.set(source, work)
        work.letters += text.slice(start, end)
        work.shape.push(() => shaper.word(text, start, end))
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

  function prepare(texts: readonly TextRequest[]): void {
    for (const { run } of fontWork(texts)) run()
  }

  function lackingFonts(texts: readonly TextRequest[]): readonly CardFont[] {
    return texts.flatMap(({ style: { font } }) => (font === undefined || fonts.has(font) ? [] : [font]))
  }

  function lacksPictures(texts: readonly TextRequest[]): boolean {
    return !hasEmojiPlaces() && texts.some(({ text }) => mayHavePictures(text))
  }

  /** Calls `then` once there is what `fit` and `line` cannot load: the decoder of fonts, fonts of brands, and the places of pictures. */
  async function load<T>(texts: readonly TextRequest[], then: () => T): Promise<T> {
    if (!isWoff2Ready()) await woff2Ready
    if (lacksPictures(texts)) await loadEmojiPlaces()
    // While a font is read, others may need the room of one that was there.
    const read = new Map<string, Uint8Array>()
    for (let lacking = lackingFonts(texts); lacking.length > 0; lacking = lackingFonts(texts)) {
      const unread = lacking.filter(({ key }) => !read.has(key))
      for (const font of unread) read.set(font.key, await fontBytes(font))
      if (unread.length > 0) continue
      for (const font of lacking) fonts.add(font, read.get(font.key) ?? new Uint8Array())
    }
    return then()
  }

  return {
    ...fitter,
    load,
    isLoaded: (texts: readonly TextRequest[]): boolean =>
      isWoff2Ready() && lackingFonts(texts).length === 0 && !lacksPictures(texts),
    fontWork,
    /** HarfBuzz compiled, for a thread: what one thread has made fast is fast in all that share it. */
    wasm: harfbuzz.wasm,
    /** Shapes the words of texts, so that `fit` and `line` find them. */
    prepare,
    /** @param texts all that `draw` lays out, as far as they are known */
    draw: <T>(texts: readonly TextRequest[], draw: (fitter: TextFitter) => T): Promise<T> =>
      load(texts, () => {
        prepare(texts)
        return draw(fitter)
      }),
    cachedBytes: () => ({ fonts: fonts.bytes(), words: words.bytes(), harfbuzzHeap: harfbuzz.heapBytes() }),
    loads: fonts.loads,
  }
}

/** Texts of more fonts may need more memory than fonts have. */
const fontsTogether = 8

function hasManyFonts({ items }: Itemized): boolean {
  const files = new Set<FontFile>()
  for (const item of items) if (item.kind === 'word') files.add(item.file)
  return files.size > fontsTogether
}
