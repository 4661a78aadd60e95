import { describe, expect, test } from 'bun:test'
import { createRequire } from 'node:module'
import createHyphenator from 'hyphen'
import { loadTheme, themeNames } from '../../src/assets/og/themes.ts'
import { cleanText, countCodePoints } from '../../src/text/clean-text.ts'
import { fontFileFor, fontFilesFor } from '../../src/text/coverage/lookup.ts'
import { harfbuzzFile, hyphenationFiles, readFontFileSync } from '../../src/text/font-files.ts'
import { createHarfBuzz } from '../../src/text/harfbuzz.ts'
import { syllableStarts } from '../../src/text/hyphenation.ts'
import { itemize } from '../../src/text/itemize.ts'
import { shorterAuthors } from '../../src/text/names/byline.ts'
import { measureStem } from '../../src/text/stems/build.ts'
import { hasOpticalSizes, matchedWeight } from '../../src/text/style-fonts.ts'
import type { Family, TextStyle } from '../../src/text/types.ts'
import { unpackFont, woff2Ready } from '../../src/text/woff2.ts'
import cleanedWords from './cleaned-words.json' with { type: 'json' }
import { hostileTexts } from './texts.ts'
import tables from './words.json' with { type: 'json' }

describe('A cleaned text is safe to draw and to write into XML', () => {
  const cases = cleanedWords as unknown as readonly [what: string, raw: string, clean: string][]
  for (const [what, raw, clean] of cases) {
    test(what, () => expect(cleanText(raw)).toBe(clean))
  }

  test('does not change when it is cleaned again', () => {
    for (const { text } of hostileTexts()) expect(cleanText(text)).toBe(text)
  })

  test('counts code points, not UTF-16 units', () => expect(countCodePoints('a😀é')).toBe(3))
})

describe('Several authors that do not fit are the first of them and how many others there are', () => {
  const cases: readonly (readonly [author: string, lang: string | undefined, shorter: string])[] = [
    ...(tables.authors as [author: string, lang: string | undefined, shorter: string][]),
    ['王小明，李小红，张三丰', undefined, '王小明和另外2人'],
    ['김철수, 이영희, 박민수, 최지우', undefined, '김철수, 이영희 외 2명'],
    ['Ana Ruiz, Eva Gil, Luis Paz', undefined, 'Ana Ruiz +2'],
  ]
  for (const [author, lang, shorter] of cases) {
    test(author, () => expect(shorterAuthors(author, lang, author)[0]).toBe(shorter))
  }

  test('in the language of an English title where nobody says one', () => {
    const authors = 'Ada Lovelace, Grace Hopper, Alan Turing'
    expect(shorterAuthors(authors, undefined, 'How we cut cold starts')).toEqual(['Ada Lovelace and 2 more'])
  })

  const others = tables.others
  for (const author of others) {
    test(`${author} is no list`, () => expect(shorterAuthors(author, 'en', '')).toEqual([]))
  }
})

await woff2Ready

const harfbuzz = createHarfBuzz(readFontFileSync(harfbuzzFile))

/** A letter with an upright stroke, of each script that stands beside Latin, and the groups of its faces by family. */
const letters = tables.letters as [letter: string, groups: string[]][]

/** Groups that a family may take a letter from. */
function isOf(family: Family, group: string): boolean {
  if (family === 'mono') return !group.includes('serif')
  return (
    group.includes('serif') &&
    group.includes('italic') === (family === 'serif-italic' && !/-(?:ja|sc|tc|ko|scripts)$/.test(group))
  )
}

const styles = new Map<string, TextStyle>()
for (const theme of themeNames)
  for (const style of Object.values((await loadTheme(theme)).styles))
    styles.set(`${style.family} ${style.weight}`, style)

function stemsOf({ family, weight }: TextStyle, isDisplay: boolean): Readonly<Record<string, number>> {
  const own = fontFileFor(family, 0x20)
  const found: Record<string, number> = {}
  for (const [letter, groups] of letters) {
    for (const group of groups.filter((name) => isOf(family, name))) {
      for (const file of fontFilesFor(group, letter.codePointAt(0) ?? 0)) {
        if (own === undefined) continue
        const face = harfbuzz.createFace(unpackFont(readFontFileSync(file)))
        const opsz = hasOpticalSizes(file) && isDisplay && family !== 'mono' ? 72 : 14
        const wght = matchedWeight(file, own, weight, isDisplay)
        found[`${letter} ${file.packageName}`] = measureStem(face.font({ wght, opsz }), letter) ?? 0
        face.free()
      }
    }
  }
  return found
}

describe('Letters of a text in several scripts are equally thick, in every pair of faces', () => {
  for (const [name, style] of styles) {
    if (style.family === 'sans') continue
    for (const isDisplay of style.family === 'mono' ? [false] : [true, false]) {
      test(`${name}, ${isDisplay ? 'display' : 'text'}`, () => {
        const stems = stemsOf(style, isDisplay)
        const widths = Object.values(stems)
        expect(widths.length).toBeGreaterThan(5)
        const apart = Object.entries(stems).filter(
          ([, width]) => width * 1.1 < Math.max(...widths) || width > Math.min(...widths) * 1.1,
        )
        expect(apart).toEqual([])
      })
    }
  }
})

describe('The faces of a serif card', () => {
  function facesOf(text: string, family: Family = 'serif'): string[] {
    const { items } = itemize({ text, family, lang: undefined, direction: 'ltr' })
    const faces = items.flatMap((item) => (item.kind === 'word' ? [item.file.packageName] : []))
    return [...new Set(faces)].map((face) => face.replace(/^.*\//, ''))
  }
  const cases = tables.faces as [text: string, faces: string[]][]
  for (const [text, faces] of cases) test(text, () => expect(facesOf(text)).toEqual([...faces]))

  test('Kazakh words of a monospaced text are monospaced', () =>
    expect(facesOf('Жазба: ғылым және бағбандық', 'mono')).toEqual(['jetbrains-mono', 'noto-sans-mono']))
})

const words = tables.words as Readonly<Record<string, string>>

test.each(Object.keys(hyphenationFiles))(
  'syllables in %s start where the patterns’ own program says',
  async (lang) => {
    const { default: patterns } = await import(`hyphen/${hyphenationFiles[lang]?.file}`)
    const hyphenate = createHyphenator(patterns, { hyphenChar: '|', html: false })
    for (const word of (words[lang] ?? '').split(' ')) {
      const parts = hyphenate(word).split('|')
      const starts = parts.slice(0, -1).map((_, index) => parts.slice(0, index + 1).join('').length)
      const inside = starts.filter((at) => at >= 3 && at <= word.length - 3)
      expect([word, syllableStarts(word, `${lang}-XX`)]).toEqual([word, inside])
    }
  },
)

test('other languages have none', () => {
  expect(syllableStarts('Donaudampfschifffahrt', 'en')).toEqual([])
  expect(syllableStarts('Donaudampfschifffahrt', undefined)).toEqual([])
})

test('no word is kept, however many there are', () => {
  const patterns = createRequire(import.meta.url)('hyphen/patterns/nl.js')
  const known = Object.keys(patterns[2]).length
  for (let n = 0; n < 100; n++) syllableStarts(`verantwoordelijkheid${'e'.repeat(n)}`, 'nl')
  expect(Object.keys(patterns[2]).length).toBe(known)
})
