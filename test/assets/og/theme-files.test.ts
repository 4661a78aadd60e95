import { describe, expect, test } from 'bun:test'
import { Value } from '@sinclair/typebox/value'
import { load } from 'js-yaml'
import { createCardRenderer } from '../../../src/assets/og/card-renderer.ts'
import { cardSizes, sizeNames } from '../../../src/assets/og/card-sizes.ts'
import { layoutOf } from '../../../src/assets/og/engine/compile-layout.ts'
import { readTheme, type ThemeMistake, themeFileText } from '../../../src/assets/og/engine/read-theme.ts'
import { layoutSchema, type ThemeFile, themeSchema } from '../../../src/assets/og/engine/theme-file.ts'
import { type ThemeSource, themeJson, themeNames } from '../../../src/assets/og/themes.ts'
import { contrastRatio, parseHex } from '../../../src/lib/color.ts'
import { createTextEngine } from '../../../src/text/text-engine.ts'
import { randomFrom } from '../../support/random.ts'

const renderer = createCardRenderer(createTextEngine())

function themeIn(text: string): ThemeSource {
  const read = readTheme(text)
  if (!('theme' in read)) throw new Error(JSON.stringify(read.mistakes))
  return read.theme
}

function mistakesIn(text: string): readonly ThemeMistake[] {
  const read = readTheme(text)
  return 'mistakes' in read ? read.mistakes : []
}

for (const name of themeNames)
  test(`the file of ${name} follows the format, and its layouts are complete with every variant`, async () => {
    const file = (await themeJson(name)) as ThemeFile
    expect([...Value.Errors(themeSchema, file)]).toEqual([])
    const faults: string[] = []
    for (const sizeName of sizeNames)
      for (const share of [1, 0.6])
        for (const align of [undefined, 'start', 'center'] as const) {
          const size = cardSizes[sizeName]
          const part = { ...size, heightPx: Math.round(size.heightPx * share) }
          const [mistake] = Value.Errors(layoutSchema, layoutOf(file, part, { align }))
          if (mistake !== undefined) faults.push(`${sizeName} ${align}: ${mistake.path} ${mistake.message}`)
        }
    expect(faults).toEqual([])
  })

test('each theme as YAML says what its file says, has no mistake, and draws the same card', async () => {
  for (const name of themeNames) {
    const text = await themeFileText(name)
    expect(load(text)).toEqual(await themeJson(name))
    expect(readTheme(text)).toMatchObject({ warnings: [] })
    for (const size of sizeNames)
      for (const scheme of ['light', 'dark'] as const) {
        const params = { title: 'A card of a file', author: 'Ada', url: 'example.com', size, scheme }
        const ours = await renderer.svgPieces({ params: { ...params, theme: name } })
        const theirs = await renderer.svgPieces({ params, brand: { key: 'a@1', themeFile: themeIn(text) } })
        expect(theirs.join('')).toBe(ours.join(''))
      }
  }
})

describe('mistakes', () => {
  const cases: readonly (readonly [
    text: string,
    line: number,
    column: number,
    field: string,
    message: RegExp,
  ])[] = [
    ['', 1, 1, '', /members/],
    ['mintmark: 2\nfuture: 1', 1, 1, 'mintmark', /version 1/],
    ['mintmark: 1\nabout: [', 2, 9, '', /YAML/],
    ['mintmark: 1\nabout: &a x', 2, 1, 'about', /anchor/],
    ['mintmark: 1\nabout: !!str x', 2, 1, 'about', /tag/],
    ['mintmark: 1\nabout: x\nabout: y', 3, 1, '', /duplicated/],
    ['mintmark: 1\n---\nmintmark: 1', 1, 1, '', /several/],
    ['{\n  "mintmark": 1,\n  "scheme": "dim"\n}', 3, 3, 'scheme', /light or dark/],
    [
      'mintmark: 1\nfonts:\n  title: { family: comic }',
      3,
      12,
      'fonts.title.family',
      /sans, serif, mono or brand/,
    ],
    [
      'mintmark: 1\nlayouts:\n  wide:\n    title: { lines: 40 }',
      4,
      14,
      'layouts.wide.title.lines',
      /from 1 to 12/,
    ],
    ['mintmark: 1\nlayouts:\n  wide: { titel: 1 }', 3, 11, 'layouts.wide.titel', /title/],
    ['mintmark: 1\nlayouts:\n  wide: { margin: 590 }', 3, 3, 'layouts.wide.text', /at least 264/],
    [
      'mintmark: 1\nlayouts:\n  wide: { like: tall }\n  tall: { like: wide }',
      3,
      11,
      'layouts.wide.like',
      /back/,
    ],
    ['mintmark: 1\ncolors:\n  light: { ink: inky }', 3, 12, 'colors.light.ink', /CSS colour/],
    ['mintmark: 1\ncolors:\n  light: { ink: "#0008" }', 3, 12, 'colors.light.ink', /opaque/],
    ['mintmark: 1\ncolors:\n  both: { one: two, two: one }', 3, 11, 'colors.both.one', /itself/],
    [
      'mintmark: 1\nbackground:\n  - { rect: [0, 0, 9, 9], circle: [0, 0, 9] }',
      3,
      27,
      'background.0.circle',
      /one thing/,
    ],
    ['mintmark: 1\nbackground:\n  - { path: "0 0 L" }', 3, 7, 'background.0.path', /path data/],
    ['mintmark: 1\nbackground:\n  - { pattern: grid, at: [0, 0] }', 3, 22, 'background.0.at', /grid/],
    [`mintmark: 1\nbackground:\n${'  - { fill: white }\n'.repeat(40)}`, 2, 1, 'background', /40 times/],
    [`mintmark: 1\nabout: ${'x'.repeat(70_000)}`, 1, 1, '', /64 KiB/],
    [`mintmark: 1\nbackground: ${'['.repeat(30_000)}`, 2, 36, '', /maxDepth|nesting/],
  ]
  for (const [text, line, column, field, message] of cases)
    test(`of ${field || 'the file'} is told at ${line}:${column}: ${message.source}`, () => {
      expect(mistakesIn(text)[0]).toMatchObject({
        line,
        column,
        field,
        message: expect.stringMatching(message),
      })
    })

  test('are told all at once, in the order of the file, and at most a hundred', () => {
    const text =
      'mintmark: 1\nscheme: dim\nfonts: { title: { family: comic, weight: 1 } }\nlayouts: { wide: { margin: a } }\nbackground: [{ fill: nope }, { fill: 3 }]'
    expect(mistakesIn(text).map(({ field }) => field)).toEqual([
      'scheme',
      'fonts.title.family',
      'fonts.title.weight',
      'layouts.wide.margin',
      'background.0.fill',
      'background.1.fill',
    ])
    expect(
      mistakesIn(`mintmark: 1\n${Array.from({ length: 6000 }, (_, at) => `a${at}: 1\n`).join('')}`),
    ).toHaveLength(100)
  })
})

test('whatever a file says of its colours, each text can be read on all that is below it', async () => {
  const grounds = ['#ffffff', '#777777', '#000000', '#ffcc00', '#0044ff']
  for (const ground of grounds)
    for (const over of ['#ffffff', '#888888', '#000000'])
      for (const opacity of [0.2, 1]) {
        const items = `[{ rect: [0, 0, 2000, 2000], color: "${over}", opacity: ${opacity}, shapes: [wide] }]`
        const colors = `{ background: "${ground}", ink: "#888", pale: "#999", eyebrow: "#777", author: "#888", domain: "#777" }`
        const themeFile = themeIn(`mintmark: 1\ncolors: { light: ${colors} }\nbackground: ${items}`)
        const params = {
          title: 'Title',
          subtitle: 'Subtitle',
          eyebrow: 'Eyebrow',
          author: 'Ada',
          url: 'example.com',
        }
        const card = await renderer.composed({ params, brand: { key: 'a@1', themeFile } })
        const [, fill = '', alpha = '1'] =
          /<path fill="(#\w+)"(?: fill-opacity="([\d.]+)")? d="M0 0h2000/.exec(card.scene.background.body) ??
          []
        const [, base = ''] = /^<path fill="(#\w+)"/.exec(card.scene.background.body) ?? []
        const [low, high] = [parseHex(base), parseHex(fill)]
        if (low === undefined || high === undefined) throw new Error(card.scene.background.body.slice(0, 200))
        const share = Number(alpha)
        const below = {
          r: low.r + (high.r - low.r) * share,
          g: low.g + (high.g - low.g) * share,
          b: low.b + (high.b - low.b) * share,
        }
        for (const { role, fill } of card.texts)
          expect(contrastRatio(parseHex(fill) ?? below, below)).toBeGreaterThanOrEqual(
            role === 'title' ? 7 : 4.5,
          )
      }
})

test('layers of every kind that nothing can be read on fade, and a file of as many as may be is drawn', async () => {
  const kinds = [
    '{ pattern: grid, cell: 8, colors: [black, white] }',
    '{ pattern: tiles, place: end, cells: 3, depth: 12 }',
    '{ pattern: desktop }',
    '{ gradient: [black, white] }',
    '{ pattern: glows, lights: [{ at: [600, 300], radii: [900, 900], color: white, peak: 1 }] }',
  ]
  for (const kind of kinds)
    for (const layers of [1, 16]) {
      const themeFile = themeIn(
        `mintmark: 1\ncolors: { light: { background: "#777" } }\nbackground:\n${`  - ${kind}\n`.repeat(layers)}`,
      )
      const params = { title: 'Title', subtitle: 'Subtitle', author: 'Ada' }
      const { scene, texts } = await renderer.composed({ params, brand: { key: 'a@1', themeFile } })
      const ground = parseHex(scene.background.color) ?? { r: 0, g: 0, b: 0 }
      // The others hide the ground.
      if (/desktop|gradient|glows/.test(kind)) continue
      for (const { role, fill } of texts)
        expect(contrastRatio(parseHex(fill) ?? ground, ground)).toBeGreaterThanOrEqual(
          role === 'title' ? 7 : 4.5,
        )
    }
})

test('a text as ornament is drawn below the others, and is no text of the layout', async () => {
  const themeFile = themeIn(
    'mintmark: 1\nbackground: [{ text: title, at: [middle, 300], size: 400, color: ink, opacity: 0.08 }]',
  )
  const card = { params: { title: 'Wide' }, brand: { key: 'a@1', themeFile } }
  const { scene, texts } = await renderer.composed(card)
  expect(texts.map(({ role }) => role)).toEqual(['title'])
  expect(scene.layers[0]).toMatchObject({ kind: 'path', opacity: 0.08 })
  expect(JSON.parse(await renderer.layoutJson(card))).toMatchObject({ theme: 'file' })
})

test('mangled files have a card, or a mistake with its line', async () => {
  const { below, pick } = randomFrom(20_261_128)
  const texts = await Promise.all(themeNames.map((name) => themeFileText(name)))
  let cards = 0
  for (let run = 0; run < 400; run++) {
    const lines = pick(texts).split('\n')
    for (let changes = 1 + below(3); changes > 0; changes--) {
      const at = below(lines.length)
      const line = lines[at] ?? ''
      const mangled = [
        () =>
          line.replace(/-?\d+(\.\d+)?/, () => pick(['0', '-1', '1e9', '.nan', '99999', '3.5', '""', 'null'])),
        () => line.replace(/\w+/, (word) => pick([`${word}x`, '', '[', 'y', '~'])),
        () => `${line}${pick([' }', ' ]', ': x', ' #', '"', ', 1'])}`,
        () => pick(lines),
        () => line.slice(below(line.length + 1)),
        () => line.replace(/#\w{6}/, () => pick(['#12', 'red', 'accent', 'ink', 'url(x)'])),
      ]
      lines[at] = pick(mangled)()
    }
    const text = lines.join('\n')
    const read = readTheme(text)
    if ('mistakes' in read) {
      expect(read.mistakes.length).toBeGreaterThan(0)
      for (const { line, column, message } of read.mistakes) {
        expect(line).toBeWithin(1, text.split('\n').length + 1)
        expect(column).toBeGreaterThan(0)
        expect(message).not.toBe('')
      }
      continue
    }
    cards += 1
    const params = {
      title: 'Mangled',
      subtitle: 'A file',
      author: 'Ada',
      url: 'example.com',
      size: pick(sizeNames),
    }
    const brand = { key: 'a@1', themeFile: read.theme }
    expect((await renderer.svgPieces({ params, brand })).join('')).toStartWith('<svg')
  }
  expect(cards).toBeGreaterThan(20)
})
