import { describe, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'
import { fontFileFor } from '../../src/text/coverage/lookup.ts'
import { type FontFile, readFontFileSync } from '../../src/text/font-files.ts'
import { itemize } from '../../src/text/itemize.ts'
import { matchedWeight } from '../../src/text/style-fonts.ts'
import type { Family } from '../../src/text/types.ts'
import { started } from '../support/started.ts'
import { isQuick } from '../support/test-size.ts'
import { breakCorpus } from './break-corpus.ts'
import markSides from './mark-sides.json' with { type: 'json' }
import { drawn, ink, line, outlines } from './support.ts'

async function width(text: string) {
  return (await line(text)).widthPx
}

describe('Letters take the shapes of their script', () => {
  test('Arabic letters join', async () => {
    const joined = await outlines('ببب')
    const apart = await outlines('ب\u200Cب\u200Cب')
    expect(joined).not.toEqual(apart)
    expect(await width('ببب')).toBeLessThan(await width('ب\u200Cب\u200Cب'))
  })
  test('an Arabic word that is torn by a line break keeps its joining shapes', async () => {
    const whole = 'ب'.repeat(40)
    const torn = await line(whole, { maxWidthPx: 500 })
    expect(torn.truncated).toBe(true)
    const [first] = await outlines('ب')
    expect(torn.lines[0]?.pieces.map(drawn)).not.toContain(first ?? '')
  })
  test('Devanagari letters form conjuncts', async () => {
    expect(await width('क्ष')).toBeLessThan((await width('क')) + (await width('ष')))
  })
  test('kerning draws A and V together', async () => {
    expect(await width('AV')).toBeLessThan((await width('A')) + (await width('V')))
  })
  test('Turkish keeps its dotless and dotted i apart', async () => {
    expect(await outlines('ı')).not.toEqual(await outlines('i'))
  })
  test('Han characters follow the language', async () => {
    const shapes = await Promise.all(['ja', 'zh-CN', 'zh-TW', 'ko'].map((lang) => line('骨直', { lang })))
    const pictures = shapes.map(({ lines }) => lines[0]?.pieces.map(drawn).join(' '))
    expect(new Set(pictures).size).toBeGreaterThanOrEqual(3)
  })
  test('Han characters beside kana are Japanese', async () => {
    const guessed = await outlines('直す')
    const asked = await line('直す', { lang: 'ja' })
    expect(guessed).toEqual(asked.lines[0]?.pieces.map(drawn) ?? [])
  })
})

describe('Marks stand on their side of the base', () => {
  const sides = markSides as unknown as readonly [
    what: string,
    base: string,
    marked: string,
    side: 'above' | 'below',
  ][]
  for (const [what, base, marked, side] of sides) {
    test(what, async () => {
      const [plain, full] = [await ink(base), await ink(marked)]
      if (side === 'above') expect(full.top).toBeLessThan(plain.top - 2)
      else expect(full.bottom).toBeGreaterThan(plain.bottom + 2)
    })
  }

  test('dots make different Arabic letters: below in beh, above in teh', async () => {
    const [beh, teh] = [await ink('ب'), await ink('ت')]
    expect(beh.bottom).toBeGreaterThan(teh.bottom)
    expect(teh.top).toBeLessThan(beh.top)
  })
})

describe('What no font has', () => {
  test('is one thin box for each character', async () => {
    const [box, ...others] = await outlines('\uE000\uE001')
    expect(others).toEqual([box ?? ''])
  })
  test('is nothing when the character is invisible', async () => {
    expect(await outlines('\u2067\u2069\u2060')).toEqual([])
  })
  test('loses a mark rather than its base', async () => {
    expect(await outlines('x\u1DF9')).toEqual(await outlines('x'))
  })
})

describe('A monospaced text has no ligatures of code', () => {
  const style = { family: 'mono', weight: 700, trackingUnits: -10 } as const
  /** The number of outlines, of which a ligature has others than its signs. */
  async function contours(text: string): Promise<number> {
    const [piece] = (await line(text, { style })).lines[0]?.pieces ?? []
    return piece === undefined ? 0 : (drawn(piece).match(/m/gi)?.length ?? 0)
  }
  for (const text of ['++', '!=', '->', '===', '//'])
    test(text, async () => {
      const alone = await Promise.all(Array.from(text, contours))
      expect(await contours(text)).toBe(alone.reduce((sum, count) => sum + count, 0))
    })
  test('and no gap behind the colon of an address', async () => {
    const [colon, slash] = await Promise.all([':', '/'].map((text) => line(text, { style })))
    const whole = await line('://', { style })
    expect(whole.widthPx).toBeCloseTo((colon?.widthPx ?? 0) + 2 * (slash?.widthPx ?? 0), 0)
    expect(whole.lines[0]?.ink.left).toBeCloseTo(colon?.lines[0]?.ink.left ?? 0, 3)
  })
})

const chromiumPath = '/usr/bin/chromium'
const families: readonly Family[] = ['sans', 'serif', 'serif-italic', 'mono']
const languages = ['en', 'de', 'fr', 'es', 'it', 'nl', 'pt', 'sv', 'ru', 'uk', 'el']
const linesMax = 200
const sizePx = 100
/** Allowed difference as a share of a line's width: HarfBuzz's advances are rounded to 1/1000 em. */
const tolerance = 0.001
/** Before and after each line: its ink may reach beyond its advance, as that of the same letter alone does. */
function edgeOf(lang: string): string {
  if (lang === 'el') return 'ν'
  return lang === 'ru' || lang === 'uk' ? 'н' : 'n'
}

interface Sample {
  readonly text: string
  readonly lang: string
  readonly family: Family
  readonly fonts: readonly FontFile[]
}

/** Lines whose letters all have the family's own face: what stands in others, Chromium chooses by another rule. */
function samples(): Sample[] {
  const texts = breakCorpus()
    .filter(({ lang }) => languages.includes(lang))
    .flatMap(({ lang, title, subtitle }) => [title, subtitle].map(({ text }) => ({ lang, text })))
  return texts
    .flatMap(({ lang, text }, at) => {
      const family = families[at % families.length] ?? 'sans'
      const { items } = itemize({ text, family, lang, direction: 'ltr' })
      const fonts = new Set(items.flatMap((item) => (item.kind === 'word' ? [item.file] : [])))
      return fonts.size === 1 ? [{ text, lang, family, fonts: [...fonts] }] : []
    })
    .slice(0, linesMax)
}

describe.skipIf(isQuick || !existsSync(chromiumPath))(
  'Lines are as wide as in Chromium (skipped without it)',
  () => {
    const browser = started(() => chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox'] }))

    test(`with the same fonts, spaces between words kerned (${linesMax} lines)`, async () => {
      const all = samples()
      expect(all.length).toBe(linesMax)
      const theirs = await chromiumWidths(browser, all)
      for (const [at, { text, lang, family }] of all.entries()) {
        const style = { family, weight: 700 }
        const edge = edgeOf(lang)
        const edges = await line(edge + edge, { style, lang })
        const widthPx = (await line(edge + text + edge, { style, lang })).widthPx - edges.widthPx
        const isClose = Math.abs(widthPx / (theirs[at] ?? 0) - 1) <= tolerance
        expect({ text, family, widthPx, theirs: theirs[at], isClose }).toMatchObject({ isClose: true })
      }
    })
  },
)

async function chromiumWidths(browser: Browser, all: readonly Sample[]): Promise<readonly number[]> {
  const files = [...new Set(all.flatMap(({ fonts }) => fonts))]
  const faces = files.map((file, index) => {
    const data = Buffer.from(readFontFileSync(file)).toString('base64')
    return `@font-face{font-family:f${index};font-weight:100 900;src:url(data:font/woff2;base64,${data})}`
  })
  const spans = all.map(({ text, lang, family, fonts }) => {
    const opticalSize = family.startsWith('serif') ? 72 : 14
    const names = fonts.map((file) => `f${files.indexOf(file)}`).join(',')
    const weight = weightOf(family, fonts, opticalSize)
    const style = `font-family:${names};font-weight:${weight};font-variation-settings:'opsz' ${opticalSize}`
    const edge = edgeOf(lang)
    const span = `<span lang="${lang}" style="${style}">${edge}`
    return `<p>${span}${Bun.escapeHTML(text)}${edge}</span>${span}${edge}</span></p>`
  })
  const look = `span{white-space:nowrap;font-size:${sizePx}px;text-rendering:geometricPrecision;font-optical-sizing:none}`
  const page = await browser.newPage()
  await page.setContent(
    `<!doctype html><meta charset="utf-8"><style>${faces.join('')}${look}</style>${spans.join('')}`,
  )
  return await page.evaluate(async () => {
    await document.fonts.ready
    return Array.from(document.querySelectorAll('p'), ({ children }) => {
      const [line, edges] = Array.from(children, (span) => span.getBoundingClientRect().width)
      return (line ?? 0) - (edges ?? 0)
    })
  })
}

/** Faces beside the family's own are set in the weight that makes their strokes as thick. */
function weightOf(family: Family, [file]: readonly FontFile[], opticalSize: number): number {
  const own = fontFileFor(family, 0x20)
  if (family === 'sans' || file === undefined || own === undefined) return 700
  return matchedWeight(file, own, 700, opticalSize === 72)
}

describe('What stands alone in the cache is kerned all the same', () => {
  async function widthPx(text: string, family: Family = 'sans') {
    return (await line(text, { style: { family, weight: 700 }, lang: 'ja' })).widthPx
  }

  test('kana', async () => {
    for (const pair of ['えへ', 'こっ', 'う。', 'あて'])
      expect(await widthPx(`口${pair}口`)).toBeLessThan((await widthPx('口')) * 4 - 0.5)
    expect(await widthPx('漢字')).toBeCloseTo((await widthPx('漢')) + (await widthPx('字')), 5)
  })

  test('letters that another file of the face has than the space', async () => {
    const space = (await widthPx('n n', 'serif')) - (await widthPx('nn', 'serif'))
    const words = (await widthPx('nĀ', 'serif')) + (await widthPx('Ān', 'serif'))
    expect(await widthPx('nĀ Ān', 'serif')).toBeLessThan(words + space - 3)
  })
})

test('Between words that are not monospaced, a monospaced family has a space that is not', async () => {
  const style = { family: 'mono', weight: 400 } as const
  for (const word of ['안녕', 'नमस्ते', 'سلام', 'שלום', 'สวัสดี']) {
    const [one, two] = [await line(word, { style }), await line(`${word} ${word}`, { style })]
    expect(two.widthPx - 2 * one.widthPx).toBeLessThan(40)
    expect(two.widthPx - 2 * one.widthPx).toBeGreaterThan(15)
  }
  const [latin, both] = [await line('nn', { style }), await line('n n', { style })]
  expect(both.widthPx - latin.widthPx).toBeCloseTo(60, 5)
})
