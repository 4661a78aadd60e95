/** Every letter with every mark of ten Indic scripts, some 10,000 pairs, in Chromium. */

import { describe, expect, test } from 'bun:test'
import { cleanText } from '../../src/text/clean-text.ts'
import { hasGlyph } from '../../src/text/coverage/lookup.ts'
import { readFontFileSync } from '../../src/text/font-files.ts'
import { type Browser, hasBrowser, openBrowser } from '../admin/support/browser.ts'
import { isQuick } from '../support/test-size.ts'
import { ink } from './support.ts'
import { fontName, textFonts } from './text-fonts.ts'
import tables from './vowel-letters.json' with { type: 'json' }

describe('An Indic vowel of two parts that is a letter of its own is written as that letter', () => {
  const cases = tables.letters as [what: string, written: string, cleaned: string][]
  for (const [what, written, cleaned] of cases) {
    test(what, () => {
      expect(cleanText(written)).toBe(cleaned)
      expect(cleanText(cleaned)).toBe(cleaned)
    })
  }

  test('the letter is drawn, without a dotted circle', async () => {
    const [written, letter] = [await ink(cleanText('\u0905\u0945')), await ink('\u0972')]
    expect(written).toEqual(letter)
  })
})

const scripts = [0x900, 0x980, 0xa00, 0xa80, 0xb00, 0xb80, 0xc00, 0xc80, 0xd00, 0xd80]
/** Chromium refuses these as well, but no letter of Unicode looks like them. */
const withoutLetter = ['\u0D91\u0DDA', '\u0D91\u0DDC', '\u0D91\u0DDD', '\u0D91\u0DDE']

test.skipIf(isQuick || !hasBrowser)(
  'they are the pairs into which Chromium draws a dotted circle',
  async () => {
    const browser = await openBrowser()
    try {
      for (const first of scripts) {
        const points = Array.from({ length: 128 }, (_, at) => first + at).filter(hasGlyph)
        const block = points.map((point) => String.fromCodePoint(point))
        const letters = block.filter((character) => /\p{L}/u.test(character))
        const marks = block.filter((character) => /\p{M}/u.test(character))
        const pairs = letters
          .flatMap((letter) => marks.map((mark) => [letter, mark] as const))
          .filter(([letter, mark]) => (letter + mark).normalize('NFC').length === 2)
        const ours = pairs
          .map(([letter, mark]) => letter + mark)
          .filter((pair) => cleanText(pair).length === 1)
        const circled = await circledPairs(browser, pairs)
        expect(ours.length).toBeGreaterThan(0)
        expect(circled.filter((pair) => !withoutLetter.includes(pair))).toEqual(ours)
        expect(ours.filter((pair) => !hasGlyph(cleanText(pair).codePointAt(0) ?? 0))).toEqual([])
      }
    } finally {
      await browser.close()
    }
  },
)

type Pair = readonly [letter: string, mark: string]

/** The pairs that are a dotted circle wider than with a joiner in between. */
async function circledPairs(browser: Browser, pairs: readonly Pair[]): Promise<readonly string[]> {
  const file = textFonts(pairs[0]?.[0] ?? '', 'en').at(-1)
  if (file === undefined) throw new Error('no font')
  const source = Buffer.from(readFontFileSync(file)).toString('base64')
  const face = `@font-face{font-family:${fontName(file)};src:url(data:font/woff2;base64,${source})}`
  const tab = await browser.newPage()
  try {
    await tab.setContent(`<style>${face}</style><canvas></canvas>`)
    return await tab.evaluate(pairsInPage, pairs)
  } finally {
    await tab.close()
  }
}

/** Runs inside the page. */
async function pairsInPage(pairs: readonly Pair[]) {
  const [face] = document.fonts
  const context = document.querySelector('canvas')?.getContext('2d')
  if (face === undefined || !context) return []
  await face.load()
  context.font = `100px ${face.family}`
  function width(text: string): number {
    return context?.measureText(text).width ?? 0
  }
  const circlePx = width('\u25CC')
  return pairs.flatMap(([letter, mark]) => {
    const morePx = width(letter + mark) - width(`${letter}\u200D${mark}`)
    return Math.abs(morePx - circlePx) < 1 ? [letter + mark] : []
  })
}
