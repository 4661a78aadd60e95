import { describe, expect, test } from 'bun:test'
import { type BrandFont, brandFaceOf } from '../../../src/text/brand-fonts/brand-font.ts'
import { readFont } from '../../../src/text/brand-fonts/read-font.ts'
import { itemize, itemizePlain } from '../../../src/text/itemize.ts'
import type { FittedText, TextStyle } from '../../../src/text/types.ts'
import { slowTest } from '../../support/test-size.ts'
import { drawn, engine, fit, line } from '../support.ts'
import { fontFile, plainFont, withTables } from './fonts.ts'

const mono = await readFont(await fontFile('mono'))
const arabic = await readFont(await fontFile('arabic'))
const condensed = await readFont(await fontFile('condensedSerif'))
const newsreader = await readFont(await fontFile('newsreader'))

function styled(font: BrandFont, weight = 700): TextStyle {
  return { family: 'sans', weight, font }
}

/** Each word of a text and the font that it is set in. */
function faces(text: string, font: BrandFont, lang?: string): string[] {
  const brand = brandFaceOf(font)
  const { items } = itemize({ text, family: 'sans', lang, direction: 'ltr', brand })
  return items.flatMap((item) => {
    if (item.kind !== 'word') return []
    const name = item.file.packageName
    const shown = name === brand.file.packageName ? 'brand' : name.replace(/^.*\//, '')
    return `${text.slice(item.start, item.end)}:${shown}`
  })
}

function pathsOf(fitted: FittedText): string[] {
  return fitted.lines.flatMap(({ pieces }) => pieces.map(drawn))
}

describe("A brand's font stands before ours", () => {
  test('for the words that it has all of; the others are wholly in one of ours', () => {
    const expected = ['Ship:brand', 'jaźń:brand', 'Zażółć:inter-ui', 'мир:inter-ui']
    expect(faces('Ship jaźń Zażółć мир', mono)).toEqual(expected)
    expect(faces('Ship café: “naïve” 38 ms…', mono).filter((face) => !face.endsWith(':brand'))).toEqual([])
  })

  test('for its script, with ours behind it for every other', () => {
    expect(faces('Ship مرحبا नमस्ते 日本', mono)).toEqual([
      'Ship:brand',
      'مرحبا:noto-sans-arabic',
      'नमस्ते:noto-sans-devanagari',
      '日:noto-sans-sc',
      '本:noto-sans-sc',
    ])
    expect(faces('مرحبا بالعالم', arabic)).toEqual(['مرحبا:brand', 'بالعالم:brand'])
  })

  slowTest('but not for a part of a word whose letters join', async () => {
    // Without the letter "ب" the word that has it is set in ours, with its letters joined.
    const partial = await readFont(withoutCharacter(await plainFont('arabic'), 0x628))
    expect(faces('مرحبا السلام', partial)).toEqual(['مرحبا:noto-sans-arabic', 'السلام:brand'])
  })

  test('and marks stay with their letters, in the font that places them', () => {
    // JetBrains Mono has no general mark that it places on "x": such a word is set in a face of ours that does.
    for (const word of ['x̅', 'n̩', 'ọ̀wọ́']) {
      const [face = '', ...others] = faces(word, mono)
      expect(others).toEqual([])
      expect(face).toStartWith(`${word}:`)
    }
    expect(faces('é', mono)).toEqual(['é:brand'])
    expect(faces('x̅', mono)).not.toEqual(['x̅:brand'])
  })

  test('and emoji stay the pictures that they are', () => {
    const { items } = itemize({
      text: 'Go 🚀',
      family: 'sans',
      lang: undefined,
      direction: 'ltr',
      brand: brandFaceOf(condensed),
    })
    expect(items.map(({ kind }) => kind)).toEqual(['word', 'space', 'emoji'])
  })

  test('and marks of Chinese and Japanese are as wide as its letters', () => {
    expect(faces('日本…“語”', mono, 'zh').filter((face) => face.endsWith(':brand'))).toEqual([])
  })

  test('plain texts find the same fonts on the short way', () => {
    const brand = brandFaceOf(mono)
    for (const text of ['How we cut cold starts', 'Ελληνικά and more', '“Quotes” — & signs'])
      expect(itemizePlain(text, 'sans', brand) ?? []).toEqual(
        itemizePlain(text, 'sans', brand) === undefined
          ? []
          : [...itemize({ text, family: 'sans', lang: undefined, direction: 'ltr', brand }).items],
      )
  })

  test.each(['Πώς და', 'Привет 漢字'])(
    'the short way finds the same fonts whatever text came first: %s',
    async (first) => {
      const brand = brandFaceOf(await readFont(await fontFile('arabic')))
      itemizePlain(first, 'serif', brand)
      const text = 'Πώς × мир'
      const general = itemize({ text, family: 'serif', lang: undefined, direction: 'ltr', brand })
      expect(itemizePlain(text, 'serif', brand)).toEqual([...general.items])
    },
  )
})

describe("A text in a brand's font", () => {
  test('is other outlines than in ours, and ours again without it', async () => {
    const text = 'How we cut cold starts'
    const before = pathsOf(await line(text))
    const branded = pathsOf(await line(text, { style: styled(condensed) }))
    expect(branded).not.toEqual(before)
    expect(pathsOf(await line(text))).toEqual(before)
  })

  test('is bolder where the font is variable, and as it is where it is not', async () => {
    const [regular, bold] = await Promise.all(
      [400, 700].map(async (weight) => pathsOf(await line('Hag', { style: styled(newsreader, weight) }))),
    )
    expect(bold).not.toEqual(regular)
    const [still, same] = await Promise.all(
      [400, 700].map(async (weight) => pathsOf(await line('Hag', { style: styled(condensed, weight) }))),
    )
    expect(same).toEqual(still)
  })

  test('keeps its ligatures and its own spacing, whatever the tracking of the theme', async () => {
    const tracked = await line('office fi', { style: { ...styled(condensed), trackingUnits: -30 } })
    const plain = await line('office fi', { style: styled(condensed) })
    expect(pathsOf(tracked)).toEqual(pathsOf(plain))
  })

  slowTest('never leaves its box, in fonts with wild measures too', async () => {
    const wild = await readFont(
      withTables(await plainFont('mono'), {
        hhea: (table) => {
          table.setInt16(4, 32_767)
          table.setInt16(6, -32_768)
        },
        head: (table) => table.setUint16(18, 300),
      }),
    )
    for (const font of [mono, condensed, newsreader, wild]) {
      const request = { style: styled(font), maxWidthPx: 700, maxHeightPx: 260 }
      const fitted = await fit('Ship it: “Ångström” jumps over मूर्ख lazy dogs, quickly', request)
      expect(fitted.lines.length).toBeGreaterThan(0)
      expect(fitted.widthPx).toBeLessThanOrEqual(700)
      for (const { ink, baselinePx } of fitted.lines) {
        expect(baselinePx + ink.bottom).toBeLessThanOrEqual(260 + 1e-6)
        expect(ink.right).toBeLessThanOrEqual(700 + 1e-6)
      }
    }
  })

  slowTest('is set in ours when its outlines would take more than a card may have', async () => {
    const style = styled(condensed)
    const long = 'Quaestionibus '.repeat(4000).trim()
    const room = { maxWidthPx: 1e9, maxHeightPx: 1e9, maxLines: 1 }
    const fitted = await fit(long, { style, ...room, sizesPx: [20] })
    const ours = await fit(long, { ...room, sizesPx: [20] })
    expect(fitted.widthPx).toBe(ours.widthPx)
  })

  slowTest('is drawn again from the bytes that the brand has, when its font was thrown out', async () => {
    const style = styled(condensed)
    const before = pathsOf(await line('Thrown out', { style }))
    const copies = await Promise.all(
      Array.from({ length: 60 }, async (_, index) => {
        const bytes = Uint8Array.from(condensed.bytes)
        return { key: `${index}`.padStart(64, '0'), bytes }
      }),
    )
    for (const font of copies) await line('Fill the cache', { style: styled(font) })
    expect(engine.cachedBytes().fonts).toBeLessThanOrEqual(32 * 2 ** 20)
    expect(pathsOf(await line('Thrown out now', { style })).length).toBe(before.length + 1)
  })
})

/** The font without one character of its map, in all formats that fonts of ours have: 4 and 12. */
function withoutCharacter(font: Uint8Array, point: number): Uint8Array {
  return withTables(font, {
    cmap: (cmap) => {
      const groups: [number, number, number][] = []
      const start = subtableOf(cmap)
      const doubled = cmap.getUint16(start + 6)
      for (let at = 0; at < doubled; at += 2) {
        const [end, first] = [cmap.getUint16(start + 14 + at), cmap.getUint16(start + 16 + doubled + at)]
        const delta = cmap.getUint16(start + 16 + 2 * doubled + at)
        const rangeAt = start + 16 + 3 * doubled + at
        const range = cmap.getUint16(rangeAt)
        for (let one = first; one <= end && one !== 0xffff; one++) {
          const glyph = range === 0 ? one : cmap.getUint16(rangeAt + range + (one - first) * 2)
          if (one !== point && glyph !== 0) groups.push([one, one, (glyph + delta) & 0xffff])
        }
      }
      const table = new DataView(new ArrayBuffer(12 + 16 + groups.length * 12))
      table.setUint16(2, 1)
      table.setUint16(4, 3)
      table.setUint16(6, 10)
      table.setUint32(8, 12)
      table.setUint16(12, 12)
      table.setUint32(16, 16 + groups.length * 12)
      table.setUint32(24, groups.length)
      for (const [index, group] of groups.entries())
        for (const [at, value] of group.entries()) table.setUint32(28 + index * 12 + at * 4, value)
      return table
    },
  })
}

function subtableOf(cmap: DataView): number {
  for (let index = 0; index < cmap.getUint16(2); index++) {
    const start = cmap.getUint32(4 + 8 * index + 4)
    if (cmap.getUint16(start) === 4) return start
  }
  throw new Error('The font has no map of format 4')
}
