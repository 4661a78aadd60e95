import { describe, expect, test } from 'bun:test'
import { Value } from '@sinclair/typebox/value'
import { load } from 'js-yaml'
import { type ComposedCard, createCardRenderer } from '../../../src/assets/og/card-renderer.ts'
import { layoutOf } from '../../../src/assets/og/engine/compile-layout.ts'
import { readTheme, type ThemeMistake, themeFileText } from '../../../src/assets/og/engine/read-theme.ts'
import { layoutSchema, type ThemeFile, themeSchema } from '../../../src/assets/og/engine/theme-file.ts'
import { cardSizes, sizeNames } from '../../../src/assets/og/theme.ts'
import { type ThemeSource, themeJson, themeNames } from '../../../src/assets/og/themes.ts'
import { contrastRatio, mix, parseHex, type Rgb } from '../../../src/lib/color.ts'
import { createTextEngine } from '../../../src/text/text-engine.ts'
import { randomFrom } from '../../support/random.ts'

import tables from './theme-files.json' with { type: 'json' }

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
  const cases = [
    ...tables.mistakes,
    ['mintmark: 1\nbackground: [{ fill: core }]', 2, 16, 'background.0.fill', 'core'],
    ['mintmark: 1\nbackground: [{ gradient: [core, background] }]', 2, 27, 'background.0.gradient.0', 'core'],
    [`mintmark: 1\nbackground:\n${'  - { fill: white }\n'.repeat(40)}`, 2, 1, 'background', '40 times'],
    [`mintmark: 1\nabout: ${'x'.repeat(70_000)}`, 1, 1, '', '64 KiB'],
    [`mintmark: 1\nbackground: ${'['.repeat(30_000)}`, 2, 36, '', 'maxDepth|nesting'],
  ] as [text: string, line: number, column: number, field: string, message: string][]
  for (const [text, line, column, field, message] of cases)
    test(`of ${field || 'the file'} is told at ${line}:${column}: ${message}`, () => {
      expect(mistakesIn(text)[0]).toMatchObject({
        line,
        column,
        field,
        message: expect.stringMatching(new RegExp(message)),
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

test('a light whose colour has the name of a member of all objects is drawn in its own colour', async () => {
  const background =
    '[{ pattern: glows, lights: [{ at: [600, 300], radii: [500, 300], color: NAME, peak: 0.5 }] }]'
  async function drawn(name: string): Promise<string> {
    const text = `mintmark: 1\ncolors: { both: { ${name}: "#336699" } }\nbackground: ${background.replace('NAME', name)}`
    expect(mistakesIn(text)).toEqual([])
    const card = { params: { title: 'A light' }, brand: { key: name, themeFile: themeIn(text) } }
    return (await renderer.svgPieces(card)).join('')
  }
  expect(await drawn('constructor')).toBe(await drawn('lamp'))
})

const words = { title: 'Title', subtitle: 'Subtitle', author: 'Ada', url: 'example.com' }

function expectReadable(texts: ComposedCard['texts'], below: Rgb): void {
  for (const { role, fill } of texts)
    expect(contrastRatio(parseHex(fill) ?? below, below)).toBeGreaterThanOrEqual(role === 'title' ? 7 : 4.5)
}

test('whatever a file says of its colours, each text can be read on all that is below it', async () => {
  const grounds = ['#ffffff', '#777777', '#000000', '#ffcc00', '#0044ff']
  for (const ground of grounds)
    for (const over of ['#ffffff', '#888888', '#000000'])
      for (const opacity of [0.2, 1]) {
        const items = `[{ rect: [0, 0, 2000, 2000], color: "${over}", opacity: ${opacity}, shapes: [wide] }]`
        const colors = `{ background: "${ground}", ink: "#888", pale: "#999", eyebrow: "#777", author: "#888", domain: "#777" }`
        const themeFile = themeIn(`mintmark: 1\ncolors: { light: ${colors} }\nbackground: ${items}`)
        const card = await renderer.composed({
          params: { ...words, eyebrow: 'Eyebrow' },
          brand: { key: 'a@1', themeFile },
        })
        const [, fill = '', alpha = '1'] =
          /<path fill="(#\w+)"(?: fill-opacity="([\d.]+)")? d="M0 0h2000/.exec(card.scene.background.body) ??
          []
        const [, base = ''] = /^<path fill="(#\w+)"/.exec(card.scene.background.body) ?? []
        const [low, high] = [parseHex(base), parseHex(fill)]
        if (low === undefined || high === undefined) throw new Error(card.scene.background.body.slice(0, 200))
        expectReadable(card.texts, mix(low, high, Number(alpha)))
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
      const { scene, texts } = await renderer.composed({ params: words, brand: { key: 'a@1', themeFile } })
      const ground = parseHex(scene.background.color) ?? { r: 0, g: 0, b: 0 }
      // The others hide the ground.
      if (/desktop|gradient|glows/.test(kind)) continue
      expectReadable(texts, ground)
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

test('a label has the letter spacing of its own theme, whichever card was drawn before', async () => {
  const widths: (number | undefined)[] = []
  for (const spacing of [0, 0.3]) {
    const themeFile = themeIn(`mintmark: 1\nfonts: { domain: { family: mono, spacing: ${spacing} } }`)
    const { texts } = await renderer.composed({ params: words, brand: { key: 'a@1', themeFile } })
    widths.push(texts.find(({ role }) => role === 'domain')?.fitted.widthPx)
  }
  expect(widths[1]).toBeGreaterThan((widths[0] ?? 0) * 1.2)
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
    const brand = { key: 'a@1', themeFile: read.theme }
    const svg = await renderer.svgPieces({ params: { ...words, size: pick(sizeNames) }, brand })
    expect(svg.join('')).toStartWith('<svg')
  }
  expect(cards).toBeGreaterThan(20)
})
