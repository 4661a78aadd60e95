import { describe, expect, test } from 'bun:test'
import { contrastRatio, parseHex } from '../../src/lib/color.ts'
import { emojiBeside, emojiBody } from '../../src/text/emoji-body.ts'
import { emojiNamesFile, readFontFileSync } from '../../src/text/font-files.ts'
import { itemize } from '../../src/text/itemize.ts'
import { joinedPartsMax, matchEmoji } from '../../src/text/match-emoji.ts'

describe('An emoji cluster is one picture, text is text', () => {
  const cases: readonly [cluster: string, name: string | undefined, length?: number][] = [
    ['🚀', 'rocket'],
    ['❤️', 'red-heart'],
    ['❤', undefined],
    ['❤\uFE0E', undefined],
    ['🚀\uFE0E', undefined],
    ['☎️', 'telephone'],
    ['☎', undefined],
    ['©', undefined],
    ['1️⃣', 'keycap-1'],
    ['©\uFE0F', undefined],
    ['®\uFE0F', undefined],
    ['™\uFE0F', undefined],
    ['1', undefined],
    ['👍🏽', 'thumbs-up-medium-skin-tone'],
    ['👨‍👩‍👧‍👦', 'family-man-woman-girl-boy'],
    ['👩🏽‍💻', 'woman-technologist-medium-skin-tone'],
    ['🏳️‍🌈', 'rainbow-flag'],
    ['🇩🇪', 'flag-germany'],
    ['🏴󠁧󠁢󠁥󠁮󠁧󠁿', 'flag-england'],
    ['漢', undefined],
  ]
  for (const [cluster, name] of cases) {
    test(`${cluster} is ${name ?? 'text'}`, () => expect(matchEmoji(cluster)?.name).toBe(name))
    if (name !== undefined)
      test(`${cluster} is used up`, () => expect(matchEmoji(cluster)?.length).toBe(cluster.length))
  }

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
    expect(itemsOf('Step 1️⃣ of 3️⃣: mix')).toEqual([
      'word',
      'space',
      'keycap-1',
      'space',
      'word',
      'space',
      'keycap-3',
      'word',
      'space',
      'word',
    ]))
  test('touches the word or number before it', () =>
    expect(itemsOf('v1️⃣0️⃣ a1')).toEqual(['word', 'keycap-1', 'keycap-0', 'space', 'word']))
  test('is each of the ten digits', () =>
    expect(Array.from('0123456789', (digit) => itemsOf(`${digit}️⃣`)).flat()).toEqual(
      Array.from('0123456789', (digit) => `keycap-${digit}`),
    ))
})

describe('A chain of joined emoji', () => {
  test('has no more parts in any picture of the pack than are looked up', () => {
    const keys: string[] = Object.keys(JSON.parse(new TextDecoder().decode(readFontFileSync(emojiNamesFile))))
    const parts = keys.map((key) => key.split('-200d-').length)
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
  const names = new Set<string>(
    Object.values(JSON.parse(new TextDecoder().decode(readFontFileSync(emojiNamesFile)))),
  )

  test('every picture of the pack has a contrast of at least 2 beside white letters', () => {
    expect([...names].filter((name) => clearest(name, '#ffffff') < 2)).toEqual([])
    expect([...names].filter((name) => clearest(name, '#111111') < 2)).toHaveLength(33)
  })
  test('a colourful one is as it is', () => expect(emojiBeside('rocket', '#ffffff')).toBe('rocket'))
})
