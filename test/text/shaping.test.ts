import { describe, expect, test } from 'bun:test'
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
  const sides: readonly [what: string, base: string, marked: string, side: 'above' | 'below'][] = [
    ['Latin circumflex', 'x', 'x\u0302', 'above'],
    ['Latin dot below', 'x', 'x\u0323', 'below'],
    ['Vietnamese horn and tone', 'ơ', 'ớ', 'above'],
    ['Arabic fatha', 'ب', 'بَ', 'above'],
    ['Arabic kasra', 'ت', 'تِ', 'below'],
    ['Hebrew qamats', 'ב', 'בָ', 'below'],
    ['Hebrew holam', 'ה', 'הֹ', 'above'],
    ['Thai tone on a vowel', 'ที', 'ที่', 'above'],
    ['Thai vowel below', 'ก', 'กุ', 'below'],
    ['Devanagari candrabindu', 'क', 'कँ', 'above'],
    ['Devanagari u', 'क', 'कु', 'below'],
    ['Lao tone', 'ກ', 'ກ່', 'above'],
    ['Khmer subscript', 'ក', 'ក្ក', 'below'],
    ['Burmese vowel below', 'က', 'ကု', 'below'],
  ]
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
