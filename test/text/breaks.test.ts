import { describe, expect, test } from 'bun:test'
import { breaksOf } from '../../src/text/breaks.ts'
import { itemize } from '../../src/text/itemize.ts'
import type { FittedText } from '../../src/text/types.ts'
import breakCases from './break-cases.json' with { type: 'json' }
import tables from './breaks.json' with { type: 'json' }
import { bold, drawn, fit, line, outlines } from './support.ts'

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
  const cases = breakCases as unknown as readonly [what: string, barred: string, below?: number][]
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

const opening = [...'「『（《〈【〔［｛']
const closing = [...'」』）》〉】〕］｝']
const languages = ['ja', 'zh-CN', 'zh-TW'] as const
/** The engine sets these at 100 px: a full-width character is 100 px wide, its half 50. */
const halfPx = 50

async function widthPx(text: string, lang: string): Promise<number> {
  return (await line(text, { lang })).widthPx
}

/** The ink of each piece, in 1/1000 em from the line's start. */
function inks({ lines }: FittedText): readonly (readonly [left: number, right: number])[] {
  return (lines[0]?.pieces ?? []).flatMap((piece) =>
    piece.kind === 'outline'
      ? [[piece.xUnits + piece.path.ink.left, piece.xUnits + piece.path.ink.right] as const]
      : [],
  )
}

describe('Full-width marks side by side give up a blank half', () => {
  for (const lang of languages) {
    test(`two brackets, and no ink touches another, in ${lang}`, async () => {
      const han = await widthPx('口口', lang)
      for (const first of [...opening, ...closing]) {
        for (const second of [...opening, ...closing]) {
          const isFacing = opening.includes(first) && closing.includes(second)
          const fitted = await line(`口${first}${second}口`, { lang })
          const extraPx = fitted.widthPx - han
          expect({ first, second, extraPx: Math.round(extraPx) }).toEqual({
            first,
            second,
            extraPx: isFacing ? 4 * halfPx : 3 * halfPx,
          })
          const rights = inks(fitted).map(([, right]) => right)
          for (const [at, [left]] of inks(fitted).slice(1).entries())
            expect(left).toBeGreaterThanOrEqual(rights[at] ?? 0)
        }
      }
    })
  }

  test('a stop and a bracket, where the font sets the stop at the side', async () => {
    for (const pair of ['。」', '、「', '」、', '）。', '。）']) {
      expect(await widthPx(`口${pair}口`, 'ja')).toBeLessThan(351)
      expect(await widthPx(`口${pair}口`, 'zh-CN')).toBeLessThan(351)
    }
    // Stops of Taiwan and Hong Kong stand in the middle.
    expect(await widthPx('口。」口', 'zh-TW')).toBeCloseTo(400, 0)
  })

  test('a mark beside a letter keeps its room', async () => {
    for (const text of ['口「口', '口」口', '口。口', '口！口'])
      expect(await widthPx(text, 'ja')).toBeCloseTo(300, 0)
  })
})

describe('Edges of lines', () => {
  test('an opening bracket stands where a letter would', async () => {
    for (const mark of opening) {
      const fitted = await line(`${mark}口`, { lang: 'ja' })
      expect(inks(fitted)[0]?.[0]).toBeLessThan(250)
      expect(fitted.widthPx).toBeLessThan(2 * 100 - halfPx + 1)
    }
  })

  test('so does one that starts a later line, which has the same room', async () => {
    const { lines } = await fit('設計の話「運用の話」', { sizesPx: [100], maxWidthPx: 500, lang: 'ja' })
    expect(lines.map(({ start }) => start)).toEqual([0, 4])
    expect(lines[1]?.widthPx).toBeLessThan(501)
    expect(lines[1]?.ink.left).toBeLessThan(25)
  })

  test('a closing mark at the end takes half its room', async () => {
    for (const mark of closing) expect(await widthPx(`口${mark}`, 'zh-CN')).toBeLessThan(100 + halfPx + 1)
  })
})

describe('Marks that Latin and Chinese share', () => {
  function facesOf(text: string, lang: string, marks: RegExp): string[] {
    const { items } = itemize({ text, family: 'serif', lang, direction: 'ltr' })
    return items.flatMap((item) =>
      item.kind === 'word' && marks.test(text.slice(item.start, item.end)) ? [item.file.packageName] : [],
    )
  }
  const marks = /^[“”—…]+$/
  const han = /noto-(?:sans|serif)-(sc|tc|jp)/

  test('come from the Han font beside Han characters', () => {
    for (const [text, lang] of tables.langs as [string, string][]) {
      const faces = facesOf(text, lang, marks)
      expect(faces.length).toBeGreaterThan(0)
      for (const face of faces) expect(face).toMatch(han)
    }
  })

  test('and from the Latin one beside Latin letters, and in Korean', () => {
    for (const [text, lang] of [
      ['看 “React” 吧', 'zh-CN'],
      ['设计 — Design', 'zh-CN'],
      ['“왜”—그것은…', 'ko'],
    ] as const)
      for (const face of facesOf(text, lang, /[“”—…]/)) expect(face).not.toMatch(han)
  })

  test('two dashes are one stroke', async () => {
    const { lines } = await line('口——口', { lang: 'zh-CN' })
    expect(lines[0]?.pieces.length).toBe(3)
  })
})

function graphemes(text: string) {
  return Array.from(new Intl.Segmenter('en').segment(text), ({ segment }) => segment)
}

async function drawnLine(text: string, maxWidthPx?: number): Promise<string> {
  const fitted = await line(text, maxWidthPx === undefined ? {} : { maxWidthPx })
  return fitted.lines.map(({ pieces }) => pieces.map(drawn).join()).join()
}

describe('A text that is too long is cut between graphemes', () => {
  const texts = tables.joined
  for (const text of texts) {
    test(text, async () => {
      const parts = graphemes(text)
      const whole = (await line(text)).widthPx
      const beginnings = await Promise.all(
        parts.map((_, count) => drawnLine(`${parts.slice(0, count).join('').trimEnd()}…`)),
      )
      for (let widthPx = 120; widthPx < whole; widthPx += whole / 7) {
        expect(beginnings).toContain(await drawnLine(text, widthPx))
        expect((await line(text, { maxWidthPx: widthPx })).truncated).toBe(true)
      }
    })
  }

  test('a text that fits is left alone', async () => {
    const fitted = await line('Ada Lovelace', { maxWidthPx: 2000 })
    expect([fitted.truncated, fitted.lines.length]).toEqual([false, 1])
  })

  test('no space or comma hangs before the ellipsis', async () => {
    const all = await Promise.all(
      Array.from({ length: 40 }, (_, at) => drawnLine('a, b, c, d, e, f', 100 + at * 10)),
    )
    expect(all).not.toContain(await drawnLine('a, b,…'))
  })
})

describe('A cut text ends with a whole word', () => {
  /** The bars are where a text may end. */
  const texts = tables.texts
  for (const barred of texts) {
    test(barred, async () => {
      const parts = barred.split('|')
      const ends = await Promise.all(
        parts.map((_, at) =>
          drawnLine(
            `${parts
              .slice(0, at + 1)
              .join('')
              .replace(/,$/, '')}…`,
          ),
        ),
      )
      const text = parts.join('')
      const whole = (await line(text)).widthPx
      for (let widthPx = whole * 0.6; widthPx < whole; widthPx += whole / 23)
        expect(ends).toContain(await drawnLine(text, widthPx))
    })
  }

  test('not with an article, nor with a mark that opens', async () => {
    const text = 'Tell her to bring me the (best) pen'
    const whole = (await line(text)).widthPx
    const ends = await Promise.all(
      ['Tell her to', 'Tell her to bring', 'Tell her to bring me', 'Tell her to bring me the (best)'].map(
        (end) => drawnLine(`${end}…`),
      ),
    )
    for (let widthPx = whole * 0.4; widthPx < whole; widthPx += whole / 40)
      expect(ends).toContain(await drawnLine(text, widthPx))
  })

  test('but inside a word that is longer than all before it', async () => {
    const text = 'Die Donaudampfschifffahrtsgesellschaft'
    const fitted = await line(text, { maxWidthPx: (await line(text)).widthPx * 0.7 })
    expect(fitted.lines[0]?.end).toBeGreaterThan(12)
  })
})
