import { describe, expect, spyOn, test } from 'bun:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import decoder from 'wawoff2/build/decompress_binding.js'
import { textCacheBytes } from '../../src/text/cache-bytes.ts'
import { harfbuzzFile, readFontFileSync } from '../../src/text/font-files.ts'
import { createHarfBuzz, type HarfBuzz, type HarfBuzzFont } from '../../src/text/harfbuzz.ts'
import { itemize } from '../../src/text/itemize.ts'
import { createTextDrawer } from '../../src/text/text-drawer.ts'
import { createTextEngine } from '../../src/text/text-engine.ts'
import type { FitRequest, FittedText, TextFitter } from '../../src/text/types.ts'
import { woff2Ready } from '../../src/text/woff2.ts'
import { type AnyText, anyTexts, heavyTexts } from '../support/any-texts.ts'
import { sampleOf, sampleSize, slowTest } from '../support/test-size.ts'
import { bold } from './support.ts'

await woff2Ready

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

/** A drawer of short texts, and the engine that it lays them out with. */
function openDrawer(startThread?: () => Worker) {
  const engine = createTextEngine()
  return { ...engine, draw: createTextDrawer(async () => engine, startThread).draw }
}

/** Counts what fonts do. */
function counted(harfbuzz: HarfBuzz, work: { letters: number; outlines: number; fonts: number }): HarfBuzz {
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
      work.fonts++
      const face = harfbuzz.createFace(bytes)
      return { ...face, font: (axes) => countedFont(face.font(axes)) }
    },
  }
}

/** Letters of a long text of a badge. */
const badgeLetters = 100

describe('Any text between requests', () => {
  function lineOf({ text, lang }: AnyText) {
    const short = [...text].slice(0, badgeLetters).join('')
    const request = { text: short, style: bold, lang }
    return [[request], (fitter: TextFitter) => fitter.line(short, bold, 20, lang)] as const
  }

  test('each step that lays out any text is a little work', async () => {
    const work = { letters: 0, outlines: 0, fonts: 0 }
    const engine = createTextEngine(counted(createHarfBuzz(readFontFileSync(harfbuzzFile)), work))
    const most = { letters: 0, outlines: 0, fonts: 0 }
    function step(run: () => unknown): void {
      Object.assign(work, { letters: 0, outlines: 0, fonts: 0 })
      run()
      for (const kind of ['letters', 'outlines', 'fonts'] as const)
        most[kind] = Math.max(most[kind], work[kind])
    }
    for (const text of someTexts) {
      const [requests, draw] = lineOf(text)
      await engine.draw(requests, () => undefined)
      for (const { run } of engine.fontWork(requests)) step(run)
      step(() => draw(engine))
    }
    expect(most.letters).toBeLessThanOrEqual(500)
    expect(most.outlines).toBeLessThanOrEqual(130)
    expect(most.fonts).toBeLessThanOrEqual(ownFontsMax)
  })

  test(`is drawn the same beside ${othersCount} others as alone, and each of them loads its fonts once`, async () => {
    const heavy = heavyTexts(3).slice(0, sampleSize(4, 0))
    const texts = [...heavy, ...anyTexts(4).take(othersCount + 1 - heavy.length)].map(lineOf)
    const drawer = openDrawer()
    const together = await Promise.all(
      texts.map(([requests, draw], at) => drawer.draw(requests, draw, `${at % 7}`)),
    )
    const other = openDrawer()
    let aloneLoads = 0
    for (const [at, [requests, draw]] of texts.entries()) {
      const before = other.loads()
      const alone = await other.draw(requests, draw)
      aloneLoads += other.loads() - before
      expect(together[at], requests[0]?.text).toEqual(alone)
    }
    expect(drawer.loads()).toBeLessThanOrEqual(2 * aloneLoads)
    expect(drawer.cachedBytes().harfbuzzHeap).toBeLessThan(40 * 2 ** 20)
  })

  slowTest('leaves the event loop to others while it is laid out', async () => {
    const { draw, loads } = openDrawer()
    const [text] = heavyTexts(1)
    if (text === undefined) throw new Error('no text')
    let isDone = false
    let turns = 0
    const count = () => {
      turns++
      if (!isDone) setImmediate(count)
    }
    setImmediate(count)
    await draw(...lineOf(text))
    isDone = true
    // A turn for each of its fonts is the least.
    expect(turns).toBeGreaterThanOrEqual(loads())
  })

  test('has its fonts unpacked by a thread, for spaces too, or by this one where that is lost', async () => {
    const others = ['नमस्ते दुनिया', 'བོད ཡིག', '你好'].map((text) => lineOf({ name: '', text }))
    const unpacking = spyOn(decoder, 'decompress')
    try {
      const apart = openDrawer()
      const drawn = []
      for (const other of others) drawn.push(await apart.draw(...other))
      expect(apart.loads()).toBe(4)
      expect(unpacking).not.toHaveBeenCalled()
      const lost = new URL('data:text/javascript,process.exit(1)')
      const here = openDrawer(() => new Worker(lost))
      for (const [at, other] of others.entries()) expect(drawn[at]).toEqual(await here.draw(...other))
      expect(unpacking).toHaveBeenCalled()
    } finally {
      unpacking.mockRestore()
    }
  })

  test('that is usual needs no second turn once its fonts are there', async () => {
    const { draw } = openDrawer()
    const usual = lineOf({ name: '', text: 'passing on 12 of 12' })
    expect(draw(...usual)).toBeInstanceOf(Promise)
    await draw(...usual)
    await nextTurn()
    expect(draw(...usual)).not.toBeInstanceOf(Promise)
  })

  test('that is usual waits for another turn where those that came with it have used this one', async () => {
    const { draw } = openDrawer()
    const usual = lineOf({ name: '', text: 'One of many that came at once' })
    const alone = await draw(...usual)
    await nextTurn()
    let nowMs = 0
    const clock = spyOn(performance, 'now').mockImplementation(() => nowMs++)
    try {
      const drawings = Array.from({ length: 100 }, () => draw(...usual))
      const waiting = drawings.filter((drawing) => drawing instanceof Promise)
      expect(waiting.length).toBeGreaterThan(90)
      expect(waiting.length).toBeLessThan(100)
      expect(await Promise.all(drawings)).toEqual(drawings.map(() => alone))
    } finally {
      clock.mockRestore()
    }
  })
})

describe('Any text in one go', () => {
  function draw(engine: ReturnType<typeof createTextEngine>, text: AnyText): Promise<FittedText> {
    const request = requestOf(text)
    return engine.draw([request], (fitter) => fitter.fit(request))
  }

  slowTest(
    'has each of its fonts loaded once, however many they are, within the memory of fonts',
    async () => {
      const engine = createTextEngine()
      for (const text of sampleOf(heavyTexts(1), 20)) {
        const { items } = itemize({ ...requestOf(text), family: 'sans', lang: text.lang, direction: 'ltr' })
        const files = new Set(items.flatMap((item) => (item.kind === 'word' ? [item.file] : [])))
        const before = engine.loads()
        await draw(engine, text)
        expect(engine.loads() - before, text.name).toBeLessThanOrEqual(files.size + ownFontsMax)
        expect(engine.cachedBytes().fonts).toBeLessThanOrEqual(textCacheBytes.fonts + textCacheBytes.glyphs)
      }
    },
  )

  test('is laid out the same after others as first', async () => {
    const engine = createTextEngine()
    for (const text of someTexts.slice(0, sampleSize(40, 6))) {
      await draw(engine, text)
      const again = await draw(engine, text)
      expect(again, text.name).toEqual(await draw(createTextEngine(), text))
    }
  })
})
