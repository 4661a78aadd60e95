import { describe, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'
import { type FontFile, fontFileFor } from '../../src/text/coverage/lookup.ts'
import { readFontFileSync } from '../../src/text/font-files.ts'
import { itemize } from '../../src/text/itemize.ts'
import { matchedWeight } from '../../src/text/stems/matched-weight.ts'
import type { Family } from '../../src/text/types.ts'
import { started } from '../support/started.ts'
import { isQuick } from '../support/test-size.ts'
import { breakCorpus } from './break-corpus.ts'
import { line } from './support.ts'

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
        expect({ text, family, widthPx, theirs: theirs[at], isClose }).toMatchObject({
          isClose: true,
        })
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
