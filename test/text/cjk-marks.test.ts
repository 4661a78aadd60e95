import { describe, expect, test } from 'bun:test'
import { itemize } from '../../src/text/itemize.ts'
import type { FittedText } from '../../src/text/types.ts'
import { fit, line } from './support.ts'

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
    for (const [text, lang] of [
      ['“为什么”——答案……', 'zh-CN'],
      ['他说“Hello”。', 'zh-CN'],
      ['為什麼——答案……', 'zh-TW'],
      ['話は——続く……', 'ja'],
      ['“为什么”——答案……', ''],
    ] as const) {
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
