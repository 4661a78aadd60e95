import { describe, expect, test } from 'bun:test'
import { fontFilesFor } from '../../src/text/coverage/lookup.ts'
import { harfbuzzFile, readFontFileSync } from '../../src/text/font-files.ts'
import { createHarfBuzz } from '../../src/text/harfbuzz.ts'
import { itemize } from '../../src/text/itemize.ts'
import type { Family, FittedText } from '../../src/text/types.ts'
import { unpackFont, woff2Ready } from '../../src/text/woff2.ts'
import { line, outlines } from './support.ts'
import { generator } from './texts.ts'

await woff2Ready

const families: readonly Family[] = ['sans', 'serif', 'serif-italic', 'mono']

/** The package of the font of each word item. */
function facesOf(text: string, family: Family): string[] {
  const { items } = itemize({ text, family, lang: undefined, direction: 'ltr' })
  return items.map((item) => (item.kind === 'word' ? item.file.packageName : item.kind))
}

describe('A word is set in one face', () => {
  const words = (
    'За́мок до́рого Ẹ̀kọ́ Ọ̀ṣun Hawaiʻi ἐν ἀρχῇ λόγος Ελλάδα Łódź Dvořák Nguyễn об’єкт µm ⱥ ɓàtá ŋgɔ́ˈ ʃɪp ńgbà ń̩kọ́ x̅y ' +
    'ʊ̯a ꙗзык ѹмъ ṩa ǅep Бӣ ӡ Ƹi Δx αβTest Pандора d’Ẹ̀kọ́ со\u00ADба́ка 2024г'
  ).split(' ')
  for (const family of families) {
    test(`whatever its letters and marks are, in ${family}`, () => {
      for (const word of words)
        expect({ word, faces: new Set(facesOf(word, family)).size }).toEqual({ word, faces: 1 })
    })
  }

  test('which is serif or monospaced where a font of that kind has the word', () => {
    expect(facesOf('За́мок', 'serif')).toEqual(['@fontsource-variable/source-serif-4'])
    expect(facesOf('За́мок', 'mono')).toEqual(['@fontsource-variable/jetbrains-mono'])
    for (const word of ['ἀρχῇ', 'Ẹ̀kọ́'])
      for (const family of families) expect(facesOf(word, family)).not.toContain('missing')
  })

  test('and the words beside it keep theirs', () => {
    const faces = facesOf('The x̅ of “Hawaiʻi”', 'serif').filter((face) => face !== 'space')
    expect(faces[0]).toBe('@fontsource-variable/newsreader')
    expect(faces[1]).toBe('@fontsource-variable/noto-serif')
    expect(faces[2]).toBe('@fontsource-variable/newsreader')
    expect(faces).toContain('@fontsource-variable/source-serif-4')
  })

  test('also when it is any row of letters and marks (2,000 rows)', () => {
    const random = generator(5)
    const letters = [...'aezÀłřǆʊɔʃαωἀῇЖыѣӡꙗⱥ']
    const marks = [...'\u0301\u0300\u0323\u0329\u032F\u0305\u0361']
    for (let count = 0; count < 2000; count++) {
      const word = Array.from({ length: 1 + random(5) }, () => {
        const mark = random(3) === 0 ? (marks[random(marks.length)] ?? '') : ''
        return (letters[random(letters.length)] ?? '') + mark
      })
        .join('')
        .normalize('NFC')
      const faces = new Set(facesOf(word, families[count % families.length] ?? 'sans'))
      expect({ word, faces: faces.size }).toEqual({ word, faces: 1 })
    }
  })
})

function inkHeightPx({ lines }: FittedText): number {
  return (lines[0]?.ink.bottom ?? 0) - (lines[0]?.ink.top ?? 0)
}

describe('A mark is drawn', () => {
  for (const [cluster, base] of [
    ['ń̩', 'ń'],
    ['x̅', 'x'],
    ['ʊ̯', 'ʊ'],
    ['a͡o', 'ao'],
    ['я̄̀', 'я'],
  ] as const) {
    test(`${cluster} is taller than ${base}`, async () => {
      for (const family of families) {
        for (const weight of [400, 700]) {
          const style = { family, weight }
          const [whole, plain] = [await line(cluster, { style }), await line(base, { style })]
          expect(inkHeightPx(whole)).toBeGreaterThan(inkHeightPx(plain) + 5)
        }
      }
    })
  }

  test('a face that is not variable has a bold one for titles', async () => {
    const [regular, bold] = await Promise.all(
      [400, 700].map(async (weight) => (await line('x̅', { style: { family: 'sans', weight } })).widthPx),
    )
    expect(bold).toBeGreaterThan(regular ?? 0)
    expect(await outlines('x̅')).toHaveLength(1)
  })
})

test('the table of fonts knows every font of a character', async () => {
  const harfbuzz = createHarfBuzz(readFontFileSync(harfbuzzFile))
  const probes = [...'aжΩęạ‐ﬁ\u0301']
  const groups = ['serif', 'mono', 'wide-sans']
  for (const group of groups) {
    for (const file of new Set(probes.flatMap((probe) => fontFilesFor(group, pointOf(probe))))) {
      const face = harfbuzz.createFace(unpackFont(readFontFileSync(file)))
      const points = new Set(face.codePoints())
      face.free()
      for (const probe of probes)
        expect(fontFilesFor(group, pointOf(probe)).includes(file)).toBe(points.has(pointOf(probe)))
    }
  }
})

function pointOf(character: string): number {
  return character.codePointAt(0) ?? 0
}
