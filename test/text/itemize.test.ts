import { edenGC, fullGC, heapStats } from 'bun:jsc'
import { describe, expect, test } from 'bun:test'
import emojiNames from '@iconify-json/twemoji/chars.json' with { type: 'json' }
import { contrastRatio, parseHex } from '../../src/lib/color.ts'
import { words } from '../../src/lib/words.ts'
import { allBreaksOf, breaksOf } from '../../src/text/breaks.ts'
import { textCacheBytes } from '../../src/text/cache-bytes.ts'
import { fontFilesFor } from '../../src/text/coverage/lookup.ts'
import { baseDirection } from '../../src/text/direction.ts'
import { emojiBeside, emojiBody, joinedPartsMax, matchEmoji } from '../../src/text/emoji.ts'
import { harfbuzzFile, readFontFileSync } from '../../src/text/font-files.ts'
import { createHarfBuzz } from '../../src/text/harfbuzz.ts'
import { createItemizer, itemize, itemizePlain } from '../../src/text/itemize.ts'
import type { Family, FittedText } from '../../src/text/types.ts'
import { unpackFont, woff2Ready } from '../../src/text/woff2.ts'
import cases from './itemize.json' with { type: 'json' }
import { line, outlines } from './support.ts'
import { cardTexts, generator, hostileTexts } from './texts.ts'

const textCount = 4000

test('the items of texts that are no longer kept are gone after a small garbage collection', () => {
  const itemizer = createItemizer(textCacheBytes.items)
  function itemizeAll() {
    for (let index = 0; index < textCount; index++)
      itemizer({ text: `ten plain words ${index}`, family: 'sans', lang: undefined, direction: 'ltr' })
  }
  itemizeAll()
  fullGC()
  const before = objectCount()
  itemizeAll()
  edenGC()
  // Each text has seven items.
  expect(objectCount() - before).toBeLessThan(textCount)
})

function objectCount(): number {
  return heapStats().objectTypeCounts['Object'] ?? 0
}

const families: readonly Family[] = ['sans', 'serif', 'serif-italic', 'mono']
const random = generator(11)
const signs = [...'.,:;!?()"\'%&-/+*#@$_“”‘’–—…\u00A0\u00AD×©®\u02C6']
const letters = [...'aeinorstABCXYZ0189éßøłğıѴждЩΑωώẞǅ']

/** Words of a few letters with signs around and in them: everything that plain prose has, and what it has not. */
function mixedText(): string {
  function word() {
    const characters = Array.from({ length: 1 + random(6) }, () =>
      random(5) === 0 ? signs[random(signs.length)] : letters[random(letters.length)],
    )
    return characters.join('')
  }
  return Array.from({ length: 1 + random(9) }, word).join(' ')
}

const texts = [
  ...[...cardTexts(), ...hostileTexts()].map(({ text }) => text),
  ...Array.from({ length: 4000 }, mixedText),
]

describe('The short ways for plain texts change nothing', () => {
  test('items are those of the general way', () => {
    let plain = 0
    for (const [at, text] of texts.entries()) {
      const family = families[at % families.length] ?? 'sans'
      if (baseDirection(text) !== 'ltr') continue
      const items = itemizePlain(text, family)
      if (items === undefined) continue
      plain++
      const general = itemize({ text, family, lang: undefined, direction: 'ltr' })
      expect({ text, items }).toEqual({ text, items: [...general.items] })
      expect(general.graphemeEnds).toEqual(Array.from({ length: text.length }, (_, end) => end + 1))
    }
    expect(plain).toBeGreaterThan(texts.length / 4)
  })

  test('breaks are those of the general way', () => {
    for (const text of texts)
      expect({ text, breaks: breaksOf(text) }).toEqual({ text, breaks: allBreaksOf(text) })
  })

  test('prose in Latin, Greek and Cyrillic letters takes the short way', () => {
    const prose = ['How we cut (cold) starts, “in half”: by 83%!', 'Πώς μειώσαμε τον χρόνο;', 'Что нового?']
    for (const text of prose) expect(itemizePlain(text, 'sans')).toBeDefined()
  })
})

await woff2Ready

/** The package of the font of each word item. */
function facesOf(text: string, family: Family): string[] {
  const { items } = itemize({ text, family, lang: undefined, direction: 'ltr' })
  return items.map((item) => (item.kind === 'word' ? item.file.packageName : item.kind))
}

describe('A word is set in one face', () => {
  const faced = (
    'За́мок до́рого Ẹ̀kọ́ Ọ̀ṣun Hawaiʻi ἐν ἀρχῇ λόγος Ελλάδα Łódź Dvořák Nguyễn об’єкт µm ⱥ ɓàtá ŋgɔ́ˈ ʃɪp ńgbà ń̩kọ́ x̅y ' +
    'ʊ̯a ꙗзык ѹмъ ṩa ǅep Бӣ ӡ Ƹi Δx αβTest Pандора d’Ẹ̀kọ́ со\u00ADба́ка 2024г'
  ).split(' ')
  for (const family of families) {
    test(`whatever its letters and marks are, in ${family}`, () => {
      for (const word of faced)
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
  for (const [cluster, base] of cases.clusters as [string, string][]) {
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

describe('An emoji cluster is one picture, text is text', () => {
  const pictures = words(`
    🚀=rocket ❤️=red-heart ☎️=telephone 1️⃣=keycap-1 👍🏽=thumbs-up-medium-skin-tone
    👨‍👩‍👧‍👦=family-man-woman-girl-boy 👩🏽‍💻=woman-technologist-medium-skin-tone
    🏳️‍🌈=rainbow-flag 🇩🇪=flag-germany 🏴󠁧󠁢󠁥󠁮󠁧󠁿=flag-england
  `)
  test.each(pictures.map((row) => row.split('=') as [string, string]))(
    '%s is %s, and used up',
    (cluster, name) => expect(matchEmoji(cluster)).toEqual({ name, length: cluster.length }),
  )
  test.each(words('❤ ❤\uFE0E 🚀\uFE0E ☎ © ©\uFE0F ®\uFE0F ™\uFE0F 1 漢'))('%s is text', (cluster) =>
    expect(matchEmoji(cluster)).toBeUndefined(),
  )

  test('an unknown sequence falls apart into known pictures', () => {
    expect(matchEmoji('🚀\u200D🎉')).toEqual({ name: 'rocket', length: 3 })
    expect(matchEmoji('🚀🏽')).toEqual({ name: 'rocket', length: 4 })
    expect(matchEmoji('🇽🇽')).toEqual({ name: 'letter-x', length: 2 })
    expect(matchEmoji('🏴\u{E0078}\u{E007F}')).toEqual({ name: 'black-flag', length: 6 })
  })
})

describe('A picture whose first character is a digit', () => {
  const itemsOf = (text: string) =>
    itemize({ text, family: 'sans', lang: undefined, direction: 'ltr' }).items.map((item) =>
      item.kind === 'emoji' ? item.name : item.kind,
    )
  test('stands between the words around it', () =>
    expect(itemsOf('Step 1️⃣ of 3️⃣: mix').join(' ')).toBe(
      'word space keycap-1 space word space keycap-3 word space word',
    ))
  test('touches the word or number before it', () =>
    expect(itemsOf('v1️⃣0️⃣ a1')).toEqual(['word', 'keycap-1', 'keycap-0', 'space', 'word']))
  test('is each of the ten digits', () =>
    expect(Array.from('0123456789', (digit) => itemsOf(`${digit}️⃣`)).flat()).toEqual(
      Array.from('0123456789', (digit) => `keycap-${digit}`),
    ))
})

describe('A chain of joined emoji', () => {
  test('has no more parts in any picture of the pack than are looked up', () => {
    const parts = Object.keys(emojiNames).map((key) => key.split('-200d-').length)
    expect(Math.max(...parts)).toBe(joinedPartsMax)
  })

  // Looking up every beginning of every rest would take this many parts cubed: hours.
  test('is read however long a caller makes it', () => {
    const text = Array.from({ length: 1_500 }, () => '👨').join('\u200D')
    const { items } = itemize({ text, family: 'sans', lang: undefined, direction: 'ltr' })
    expect(items.filter(({ kind }) => kind === 'emoji')).toHaveLength(1_500)
  })
})

describe('A picture is an SVG fragment on a square', () => {
  test('of the pack', () =>
    expect(emojiBody('rocket')).toMatchObject({ viewBoxPx: 36, body: expect.stringContaining('<path') }))
  test('centred when it is not square', () =>
    expect(emojiBody('watermelon').body).toStartWith('<g transform="translate(0 5.39)">'))
  test('whose ids and references start with the given prefix', () => {
    const { body } = emojiBody('maracas', 'card-')
    const ids = [...body.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
    const uses = [...body.matchAll(/url\(#([^)]+)\)|href="#([^"]+)"/g)].map(([, url, href]) => url ?? href)
    expect(ids.length).toBeGreaterThan(0)
    expect(uses.length).toBeGreaterThan(0)
    expect([...ids, ...uses].filter((id) => !id?.startsWith('card-'))).toEqual([])
    expect(uses.filter((use) => !ids.includes(use))).toEqual([])
  })
  test('and an unknown name is an error', () => expect(() => emojiBody('no-such-thing')).toThrow())
})

describe('A picture of one dark colour shows on a dark ground', () => {
  const grounds = ['#080a0f', '#0d1117'].map((color) => parseHex(color) ?? { r: 0, g: 0, b: 0 })
  function clearest(name: string, letters: string): number {
    const colors = emojiBody(emojiBeside(name, letters)).body.match(/#[0-9a-f]{3,6}/gi) ?? ['#fff']
    const ratios = colors.map((color) => {
      const fill = parseHex(color) ?? { r: 0, g: 0, b: 0 }
      return Math.min(...grounds.map((ground) => contrastRatio(fill, ground)))
    })
    return Math.max(...ratios)
  }
  const names = new Set(Object.values(emojiNames))

  test('every picture of the pack has a contrast of at least 2 beside white letters', () => {
    expect([...names].filter((name) => clearest(name, '#ffffff') < 2)).toEqual([])
    expect([...names].filter((name) => clearest(name, '#111111') < 2)).toHaveLength(33)
  })
  test('a colourful one is as it is', () => expect(emojiBeside('rocket', '#ffffff')).toBe('rocket'))
})
