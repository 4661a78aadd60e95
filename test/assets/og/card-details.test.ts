import { describe, expect, spyOn, test } from 'bun:test'
import { bylineOf } from '../../../src/assets/card/card-facts.ts'
import { accentOf, chooseAccent, readable } from '../../../src/assets/og/accent.ts'
import { backgroundColors } from '../../../src/assets/og/background/background-colors.ts'
import { shownDomain } from '../../../src/assets/og/shown-domain.ts'
import { sizeNames } from '../../../src/assets/og/theme.ts'
import { themeNames } from '../../../src/assets/og/themes.ts'
import { contrastRatio, parseHex, type Rgb, toHex, toOklch } from '../../../src/lib/color.ts'
import { randomFrom } from '../../support/random.ts'
import tables from './card-details.json' with { type: 'json' }
import { cards, inkBoxes } from './corpus.ts'
import { extremeColors } from './random-text.ts'

const people = 'Ada Lovelace, Grace Hopper, Alan Turing, Margaret Hamilton, Katherine Johnson'
const lengths = [
  people,
  'Ada Lovelace, Grace Hopper, Alan Turing und 2 weitere',
  'Ada Lovelace, Grace Hopper und 3 weitere',
  'Ada Lovelace und 4 weitere',
].map((text) => text.length)

test('several authors are whole, or as many as fit and the number of the others, in the language of the card', async () => {
  for (const theme of themeNames)
    for (const size of sizeNames)
      for (const footer of [undefined, 'Harbour Ltd. · Since 1949']) {
        const params = { title: 'Hallo', author: people, url: 'harbour.dev', lang: 'de', theme, size }
        const brand = footer === undefined ? undefined : { key: 'harbour@1', footer }
        const { texts } = await cards.composed({ params, ...(brand && { brand }) })
        const author = texts.find(({ role }) => role === 'author')
        expect(author?.fitted.truncated, `${theme} ${size}`).toBeFalse()
        // The text that was set is known by its length.
        expect(lengths, `${theme} ${size}`).toContain(author?.fitted.lines.at(-1)?.end ?? 0)
      }
})

test('keeps few formatters of dates, however many languages pages name', async () => {
  const made: WeakRef<Intl.DateTimeFormat>[] = []
  const usual = Intl.DateTimeFormat
  const spy = spyOn(Intl, 'DateTimeFormat').mockImplementation(((...args: []) => {
    const formatter = new usual(...args)
    made.push(new WeakRef(formatter))
    return formatter
  }) as never)
  Object.assign(Intl.DateTimeFormat, { supportedLocalesOf: usual.supportedLocalesOf })
  try {
    const facts = { authors: ['Ada'], published: '2026-05-03', words: {} }
    for (let index = 0; index < 500; index += 1)
      expect(bylineOf(facts, undefined, `de-x-a${index}`)).toBe('Ada · 3. Mai 2026')
  } finally {
    spy.mockRestore()
  }
  expect(made).toHaveLength(500)
  await Bun.sleep(1)
  Bun.gc(true)
  expect(made.filter((one) => one.deref() !== undefined).length).toBeLessThan(150)
})

describe('the shown domain', () => {
  const cases = tables.cards as [string, string][]
  for (const [url, shown] of cases) {
    test(`of ${url} is ${shown}`, () => expect(shownDomain(url)).toBe(shown))
  }

  test('shows no credentials, whatever they contain', () => {
    expect(shownDomain('https://a:b@c@example.com/')).toBe('example.com')
  })
})

const subtitles = [
  'Notes on caching, signed URLs and share cards that never go stale',
  'تقرير ميداني عن التخزين المؤقت وقياس السرعة في الخوادم الصغيرة',
]

test('each line of a subtitle in the terminal is a comment, with its sign before it', async () => {
  for (const size of sizeNames)
    for (const subtitle of subtitles) {
      const params = { theme: 'terminal', size, title: subtitle.slice(0, 12), subtitle } as const
      const { texts } = await cards.composed({ params })
      const text = texts.find(({ role }) => role === 'subtitle')
      const signs = texts.filter(({ role }) => role === 'sign')
      const isLeft = text?.fitted.direction === 'ltr'
      const lines = text === undefined ? [] : inkBoxes(text)
      expect(signs.length, size).toBe(lines.length)
      for (const [at, sign] of signs.flatMap(inkBoxes).entries()) {
        const [line, below] = [lines[at], lines[at + 1]]
        expect(isLeft ? sign.right : line?.right, size).toBeLessThan((isLeft ? line?.left : sign.left) ?? 0)
        expect(sign.bottom, size).toBeGreaterThan(line?.top ?? Infinity)
        expect(sign.top, size).toBeLessThan(below?.top ?? Infinity)
      }
    }
})

async function backgroundKey(params: { title: string; author?: string; url?: string }) {
  const { scene } = await cards.composed({ params: { theme: 'poster', ...params } })
  return { accent: scene.background.color, body: scene.background.body }
}

describe('cards of one site look like one family', () => {
  test('its pages and subdomains have one colour, whatever the title and the author', async () => {
    const urls = [
      'harbour.dev',
      'https://www.harbour.dev/blog/post',
      'docs.harbour.dev',
      'a.b.harbour.dev/x?y=1',
    ]
    const looks = await Promise.all(
      urls.map((url, index) => backgroundKey({ title: `Page ${index}`, author: `Author ${index}`, url })),
    )
    expect(new Set(looks.map(({ accent }) => accent)).size).toBe(1)
  })

  test('sites below a suffix that many share are told apart', async () => {
    const looks = await Promise.all(
      Array.from({ length: 24 }, (_, index) =>
        backgroundKey({ title: 'Page', url: `site${index}.github.io` }),
      ),
    )
    expect(new Set(looks.map(({ accent }) => accent)).size).toBeGreaterThan(5)
  })

  test('without an address the author chooses the colour, without an author the title', async () => {
    const one = await backgroundKey({ title: 'One', author: 'Ada Lovelace' })
    const other = await backgroundKey({ title: 'Another', author: 'Ada Lovelace' })
    expect(other.accent).toBe(one.accent)
    const titles = Array.from({ length: 24 }, (_, index) => backgroundKey({ title: `Title ${index}` }))
    expect(new Set((await Promise.all(titles)).map(({ accent }) => accent)).size).toBeGreaterThan(5)
  })

  test('titles share colours but not a wall of tiles', async () => {
    const looks = await Promise.all(
      Array.from({ length: 64 }, (_, index) => backgroundKey({ title: `Page ${index}`, url: 'harbour.dev' })),
    )
    expect(new Set(looks.map(({ body }) => body)).size).toBeGreaterThanOrEqual(16)
    const fills = looks.map(({ body }) => [...new Set(body.match(/fill="#[0-9a-f]+"/g))].sort().join(' '))
    expect(new Set(fills).size).toBe(1)
  })
})

function hex(text: string): Rgb {
  return parseHex(text) ?? { r: 0, g: 0, b: 0 }
}

describe('the accent', () => {
  test('is the same for the same words and spreads over all schemes for others', () => {
    const keys = Array.from({ length: 400 }, (_, index) => chooseAccent(`site-${index}.example.com`).key)
    expect(new Set(keys).size).toBe(24)
    expect(chooseAccent('example.com')).toBe(chooseAccent('example.com'))
  })

  test('is the caller’s colour when there is one, however it is written', () => {
    expect(chooseAccent('words', '#1AF')).toEqual(chooseAccent('others', '11aaff'))
    expect(chooseAccent('words', '#1af').key).toBe('#11aaff')
  })

  test('gives grey companions to grey, so a grey card stays grey', () => {
    const { main, second, third } = accentOf(hex('#808080'))
    for (const { c } of [main, second, third]) expect(c).toBeLessThan(0.01)
  })
})

describe('a readable shade', () => {
  test('reaches the contrast on any background and keeps the hue as far as there is one', () => {
    const random = randomFrom(5)
    for (let index = 0; index < 3000; index++) {
      const color = hex(random.below(0x1000000).toString(16).padStart(6, '0'))
      const background = hex(random.pick(['#ffffff', '#f6f1e6', '#0e1116', '#fbfbfd', '#000000']))
      const found = readable(toOklch(color), background, 4.5)
      expect(contrastRatio(found, background)).toBeGreaterThanOrEqual(4.5)
    }
  })

  test('is the colour itself when that is readable already', () => {
    expect(toHex(readable(toOklch(hex('#7a1f3d')), hex('#ffffff'), 4.5))).toBe('#7a1f3d')
  })
})

const random = randomFrom(7)
const backgrounds = [
  ...extremeColors,
  ...Array.from({ length: 400 }, () => `#${random.below(0x1000000).toString(16).padStart(6, '0')}`),
]

test('every background gets inks that can be read on it, in the scheme that is asked for', () => {
  for (const hex of backgrounds) {
    for (const scheme of [undefined, 'light', 'dark'] as const) {
      const color = parseHex(hex) ?? { r: 0, g: 0, b: 0 }
      const { background, ink, paleInk, scheme: own } = backgroundColors(color, scheme)
      expect(contrastRatio(background, ink)).toBeGreaterThanOrEqual(7)
      expect(contrastRatio(background, paleInk)).toBeGreaterThanOrEqual(4.5)
      expect(own).toBe(scheme ?? own)
      expect(toOklch(background).l > 0.55).toBe(own === 'light')
    }
  }
})

test('a background on which a title can be read stays exactly as it is', () => {
  for (const hex of ['#0b3d2e', '#ffd166', '#f4efe6', '#1d3557', '#ffffff', '#000000'])
    expect(toHex(backgroundColors(parseHex(hex) ?? { r: 1, g: 1, b: 1 }, undefined).background)).toBe(hex)
})
