import { describe, expect, spyOn, test } from 'bun:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { textCacheBytes } from '../../src/text/cache-bytes.ts'
import { createFitter } from '../../src/text/fit-text.ts'
import { harfbuzzFile, readFontFileSync } from '../../src/text/font-files.ts'
import { createFontStore } from '../../src/text/font-store.ts'
import { createHarfBuzz, type HarfBuzz, type HarfBuzzFont } from '../../src/text/harfbuzz.ts'
import { createItemizer } from '../../src/text/itemize.ts'
import { LineBreaker } from '../../src/text/line-breaker.ts'
import { createStyleFonts } from '../../src/text/style-fonts.ts'
import { createTextEngine } from '../../src/text/text-engine.ts'
import type { TextFitter } from '../../src/text/text-fitter.ts'
import type { FitRequest, FittedText } from '../../src/text/types.ts'
import { createWordStore } from '../../src/text/word-store.ts'
import { type AnyText, anyTexts, heavyTexts } from '../support/any-texts.ts'
import { itemize } from '../support/itemize.ts'
import { sampleOf, sampleSize, slowTest } from '../support/test-size.ts'
import { bold } from './support.ts'

const someTexts = [...sampleOf(heavyTexts(1), 120), ...anyTexts(2).take(sampleSize(12, 2))]
const othersCount = sampleSize(31, 3)
/** Fonts that may be loaded beside those of the letters: for spaces, the ellipsis and pictures of emoji. */
const ownFontsMax = 4

function requestOf({ text, lang }: AnyText): FitRequest {
  return {
    ...{ text, style: bold, lang, sizesPx: [152, 109, 76, 42], maxLines: 8 },
    ...{ maxWidthPx: 1000, maxHeightPx: 330 },
  }
}

/** Counts what a font does for a text. */
function counted(harfbuzz: HarfBuzz, work: { letters: number; outlines: number }): HarfBuzz {
  function countedFont(font: HarfBuzzFont): HarfBuzzFont {
    return {
      ...font,
      shape(request) {
        work.letters += request.end - request.start
        return font.shape(request)
      },
      draw(glyph, sink) {
        work.outlines++
        font.draw(glyph, sink)
      },
    }
  }
  return {
    ...harfbuzz,
    createFace(bytes) {
      const face = harfbuzz.createFace(bytes)
      return { ...face, font: (axes) => countedFont(face.font(axes)) }
    },
  }
}

test('each step that lays out any text is a little work', async () => {
  const work = { letters: 0, outlines: 0 }
  const fonts = createFontStore(counted(createHarfBuzz(readFontFileSync(harfbuzzFile)), work), textCacheBytes)
  const styleFonts = createStyleFonts(createWordStore(fonts, textCacheBytes.words))
  const { steps } = createFitter(createItemizer(textCacheBytes.items), styleFonts)
  let [lettersMax, outlinesMax] = [0, 0]
  for (const text of someTexts) {
    const running = steps(requestOf(text), new LineBreaker())
    for (let isDone = false; !isDone; ) {
      work.letters = 0
      work.outlines = 0
      const step = running.next()
      lettersMax = Math.max(lettersMax, work.letters)
      outlinesMax = Math.max(outlinesMax, work.outlines)
      isDone = step.done === true
      if (step.done !== true && step.value !== undefined) await fonts.load(step.value)
    }
  }
  // A word is shaped whole, however long it is; its outlines take longer, and are drawn in parts.
  expect(lettersMax).toBeLessThanOrEqual(500)
  expect(outlinesMax).toBeLessThanOrEqual(130)
})

describe('Any text', () => {
  async function drawAll(engine: ReturnType<typeof createTextEngine>, texts: readonly AnyText[]) {
    return Promise.all(
      texts.map((text, at) => {
        const request = requestOf(text)
        return engine.draw([request], (fitter: TextFitter): FittedText => fitter.fit(request), `${at % 7}`)
      }),
    )
  }

  slowTest(
    'has each of its fonts loaded once, however many they are, within the memory of fonts',
    async () => {
      const engine = createTextEngine()
      for (const text of sampleOf(heavyTexts(1), 20)) {
        const { items } = itemize({ ...requestOf(text), family: 'sans', lang: text.lang, direction: 'ltr' })
        const files = new Set(items.flatMap((item) => (item.kind === 'word' ? [item.file] : [])))
        const before = engine.loads()
        await drawAll(engine, [text])
        expect(engine.loads() - before, text.name).toBeLessThanOrEqual(files.size + ownFontsMax)
        expect(engine.cachedBytes().fonts).toBeLessThanOrEqual(textCacheBytes.fonts + textCacheBytes.glyphs)
      }
    },
  )

  test(`is drawn the same beside ${othersCount} others as alone, and each of them loads its fonts once`, async () => {
    const heavy = heavyTexts(3).slice(0, sampleSize(4, 0))
    const texts = [...heavy, ...anyTexts(4).take(othersCount + 1 - heavy.length)]
    const engine = createTextEngine()
    const together = await drawAll(engine, texts)
    const other = createTextEngine()
    let aloneLoads = 0
    for (const [at, text] of texts.entries()) {
      const before = other.loads()
      const [alone] = await drawAll(other, [text])
      aloneLoads += other.loads() - before
      expect(together[at], text.name).toEqual(alone as FittedText)
    }
    expect(engine.loads()).toBeLessThanOrEqual(2 * aloneLoads)
    expect(engine.cachedBytes().harfbuzzHeap).toBeLessThan(40 * 2 ** 20)
  })

  slowTest('leaves the event loop to others while it is laid out', async () => {
    const engine = createTextEngine()
    const [text] = heavyTexts(1)
    if (text === undefined) throw new Error('no text')
    let isDone = false
    let turns = 0
    const count = () => {
      turns++
      if (!isDone) setImmediate(count)
    }
    setImmediate(count)
    await drawAll(engine, [text])
    isDone = true
    // A turn for each of its fonts is the least.
    expect(turns).toBeGreaterThanOrEqual(engine.loads())
  })

  test('that is usual needs no second turn once its fonts are there', async () => {
    const engine = createTextEngine()
    const texts = [
      'How we cut cold starts by eighty percent',
      'A longer line below it, as most cards have one',
    ]
    const draw = () =>
      engine.draw(
        texts.map((text) => ({ text, style: bold })),
        (fitter) => texts.map((text) => fitter.fit(requestOf({ name: '', text }))),
      )
    expect(draw()).toBeInstanceOf(Promise)
    await draw()
    await nextTurn()
    expect(draw()).not.toBeInstanceOf(Promise)
  })

  test('that is usual waits for another turn where those that came with it have used this one', async () => {
    const engine = createTextEngine()
    const request = requestOf({ name: '', text: 'One of many that came at once' })
    const draw = () => engine.draw([request], (fitter) => fitter.fit(request))
    const alone = await draw()
    await nextTurn()
    let nowMs = 0
    const clock = spyOn(performance, 'now').mockImplementation(() => nowMs++)
    try {
      const drawings = Array.from({ length: 100 }, draw)
      const waiting = drawings.filter((drawing) => drawing instanceof Promise)
      expect(waiting.length).toBeGreaterThan(90)
      expect(waiting.length).toBeLessThan(100)
      expect(await Promise.all(drawings)).toEqual(drawings.map(() => alone))
    } finally {
      clock.mockRestore()
    }
  })
})
