import { describe, expect, test } from 'bun:test'
import { breaksOf } from '../../src/text/breaks.ts'
import { bold, drawn, fit, outlines } from './support.ts'

/** The text with its opportunities below a penalty shown as bars. */
function barred(text: string, below = 101): string {
  const offsets = [
    0,
    ...breaksOf(text).flatMap(({ offset, penalty }) => (penalty < below ? [offset] : [])),
    text.length,
  ]
  return offsets
    .slice(1)
    .map((end, at) => text.slice(offsets[at], end))
    .join('|')
}

describe('Lines may end where readers of the script expect it', () => {
  const cases: readonly [what: string, barred: string, below?: number][] = [
    ['English after spaces', 'How |we |cut'],
    ['hyphens and slashes', 'cold-|start and/|or'.replace(' ', ' |')],
    ['no break before closing marks or after opening ones', '(a) |“b” |c!'],
    ['no break at a fixed space or hyphen', '1\u00A0000\u202F€ |non\u2011breaking'],
    ['Thai at dictionary words', 'เรา|ลด|เวลา|เริ่ม|ต้น|ระบบ'],
    ['Burmese at dictionary words', 'စကား|သည်'],
    ['Lao at syllables', 'ຂ້ອຍ|ຮັກ|ລາວ'],
    ['Khmer at words of the list', 'រថភ្លើង|ពេលយប់|មកវិញ'],
    ['Korean at spaces', '우리가 |콜드 |스타트를', 40],
    ['Japanese words stay whole, with their particles and endings', 'コールド|スタートを|短縮した|方法', 40],
    ['Japanese phrases are better ends than words of a compound', 'コールドスタートを|短縮した|方法', 20],
    ['kinsoku: no line starts with closing marks or small kana', '方法と、|「禁則」|ファンです。', 5],
    ['identifiers at capitals', 'Abstract|Singleton|Proxy'],
    ['addresses after separators', 'https://|example.|com/|a?|utm_|source=|news&|x=|1'],
  ]
  for (const [what, expected, below] of cases) {
    test(what, () => expect(barred(expected.replaceAll('|', ''), below)).toBe(expected))
  }

  test('no break falls inside a grapheme', async () => {
    const fitted = await fit('👨‍👩‍👧‍👦'.repeat(12), { maxWidthPx: 300, sizesPx: [60], maxLines: 9 })
    expect(
      fitted.lines.flatMap(({ pieces }) => pieces.map((piece) => (piece.kind === 'emoji' ? piece.name : ''))),
    ).toEqual(Array.from({ length: 12 }, () => 'family-man-woman-girl-boy'))
  })
})

describe('The fit prefers a smaller size to a bad break', () => {
  const sizesPx = [80, 60, 40, 20]

  test('takes the largest size at which whole words fit', async () => {
    const fitted = await fit('Extraordinary', { sizesPx, maxWidthPx: 400, maxLines: 3 })
    expect([fitted.sizePx, fitted.lines.length, fitted.truncated]).toEqual([40, 1, false])
  })
  test('tears a word only when no size holds it, and shows a hyphen', async () => {
    const word = 'donaudampfschifffahrtsgesellschaft'
    const fitted = await fit(word, { sizesPx: [80, 60], maxWidthPx: 600, maxLines: 3 })
    const [hyphen = ''] = await outlines('-')
    const [first] = fitted.lines
    expect(fitted.lines.length).toBeGreaterThan(1)
    expect(first?.pieces.map(drawn).at(-1)).toBe(hyphen)
  })
  test('shows a hyphen at a soft hyphen that breaks, and none at one that does not', async () => {
    const [hyphen = ''] = await outlines('-')
    const broken = await fit('micro\u00ADservices', { sizesPx: [80], maxWidthPx: 420, maxLines: 2 })
    const whole = await fit('micro\u00ADservices', { sizesPx: [80], maxWidthPx: 900, maxLines: 2 })
    expect(broken.lines.length).toBe(2)
    expect(broken.lines[0]?.pieces.map(drawn).at(-1)).toBe(hyphen)
    expect(whole.lines[0]?.pieces.length).toBe(1)
  })
  test('balances the lines', async () => {
    const fitted = await fit('one two three four five six seven', {
      sizesPx: [72],
      maxWidthPx: 900,
      style: bold,
    })
    const [first = 0, second = 0] = fitted.lines.map(({ widthPx }) => widthPx)
    expect(fitted.lines.length).toBe(2)
    expect(Math.abs(first - second)).toBeLessThan(250)
  })
  test('gives scripts with tall stacks more room between lines', async () => {
    const heights = await Promise.all(
      ['Latin', '日本語', 'हिन्दी', 'العربية', 'ភាសាខ្មែរ'].map((text) => fit(text)),
    )
    const factors = heights.map(({ lineHeightPx, sizePx }) => lineHeightPx / sizePx)
    expect(factors).toEqual([...factors].sort((a, b) => a - b))
    expect(new Set(factors).size).toBe(5)
  })
})
