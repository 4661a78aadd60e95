import { expect, test } from 'bun:test'
import { type Badge, type BadgeStyle, badgeStyles } from '../../../src/assets/badge/badge.ts'
import { createBadgeRenderer } from '../../../src/assets/badge/badge-renderer.ts'
import { renderBadge } from '../../../src/assets/badge/render-badge.ts'
import { emojiBody } from '../../../src/text/emoji.ts'
import { createTextEngine } from '../../../src/text/text-engine.ts'
import { parseXml, textOf, walk, type XmlElement } from '../../support/xml-tree.ts'
import { badge as badgeOf, plainBadge } from './plain-badge.ts'

function drawn(query: string): XmlElement {
  return parseXml(renderBadge(badgeOf(query)))
}

const widthOf = (element: XmlElement) => Number(element.attributes['width'])
/** The rectangles of the parts, which the first group of the drawing has. */
function partsOf(svg: XmlElement): readonly XmlElement[] {
  return [...walk(svg)].filter(
    ({ name, attributes }) => name === 'rect' && /^#/.test(attributes['fill'] ?? ''),
  )
}

const partStyles = badgeStyles.filter((style): style is Exclude<BadgeStyle, 'social'> => style !== 'social')

test.each(partStyles)('in the style %s, further parts stand side by side and fill the badge', (style) => {
  for (const start of [
    'label=a&value=b',
    'value=b',
    'label=a&value=b&logo=github',
    'value=b&logo=github&link=https://a.example&link=https://b.example',
  ]) {
    const svg = drawn(`${start}&more=c:red|d:blue|e&style=${style}`)
    const parts = partsOf(svg)
    let end = 0
    for (const part of parts) {
      expect(Number(part.attributes['x'] ?? 0)).toBe(end)
      end += widthOf(part)
    }
    expect(end).toBe(widthOf(svg))
    const texts = [...walk(svg)].filter(({ name }) => name === 'text').map(textOf)
    for (const text of ['c', 'd', 'e']) expect(texts.map((each) => each.toLowerCase())).toContain(text)
  }
})

test.each(badgeStyles)(
  'in the style %s a badge is as wide as asked for, but never too narrow for its texts',
  (style) => {
    const usual = widthOf(drawn(`label=a&value=b&style=${style}`))
    for (const more of style === 'social' ? [''] : ['', '&more=c:red']) {
      const wide = drawn(`label=a&value=b&style=${style}&width=300${more}`)
      expect(widthOf(wide)).toBe(300)
      const [, , ...rest] = partsOf(wide)
      if (more !== '') expect(widthOf(rest[0] as XmlElement)).toBeGreaterThan(150)
    }
    expect(widthOf(drawn(`label=a&value=b&style=${style}&width=20`))).toBe(usual)
    expect(widthOf(drawn(`label=a&value=b&style=${style}&width=300&scale=2`))).toBe(600)
    expect(widthOf(drawn(`value=b&style=${style}&width=300`))).toBe(300)
  },
)

test('the accessible name tells all parts', () => {
  expect(drawn('label=node&value=22&more=24:blue|26').attributes['aria-label']).toBe('node: 22, 24, 26')
})

const capitals: readonly [query: string, texts: readonly string[]][] = [
  ['label=άδεια χρήσης&value=ελεύθερη', ['ΑΔΕΙΑ ΧΡΗΣΗΣ', 'ΕΛΕΥΘΕΡΗ']],
  ['label=istanbul&value=iyi&more=izmir&lang=tr', ['İSTANBUL', 'İYİ', 'İZMİR']],
  ['label=istanbul&value=iyi', ['ISTANBUL', 'IYI']],
]
test.each(capitals)('capitals follow the language: %s', (query, texts) => {
  const svg = drawn(`${query}&style=for-the-badge`)
  expect([...walk(svg)].filter(({ name }) => name === 'text').map(textOf)).toEqual([...texts])
})

const badges = createBadgeRenderer(createTextEngine())
const base: Badge = { ...plainBadge, label: 'build', message: 'passing' }

test('a badge for a PNG has no text left and the same size, in every style and script', async () => {
  for (const style of badgeStyles) {
    for (const message of ['passing', 'успешно', '通过', 'ناجح', 'सफल', '🚀 live']) {
      const badge = { ...base, style, message }
      const outlined = parseXml(await badges.outlines(badge))
      const { width, height } = parseXml(await badges.svg(badge)).attributes
      expect([...walk(outlined)].map(({ name }) => name)).not.toContain('text')
      expect([...walk(outlined)].filter(({ name }) => name === 'path').length).toBeGreaterThan(2)
      expect(outlined.attributes).toMatchObject({ width, height })
    }
  }
})

/** Styles with dark letters on a pale background, whatever the colour. */
const paleStyles: readonly BadgeStyle[] = ['social', 'soft']

test('pictures of nothing but dark colours are light beside light letters of a PNG badge, and as they are beside dark ones', async () => {
  const badges = createBadgeRenderer(createTextEngine())
  const dark = colorsOf(emojiBody('black-heart').body)
  const light = colorsOf(emojiBody('black-heart-on-dark').body)
  expect(dark).not.toEqual(light)
  for (const style of badgeStyles)
    for (const color of ['#1a1a2e', '#ffe082']) {
      const badge = { ...base, style, label: '🖤', message: '🖤', color, labelColor: color }
      const isPale = paleStyles.includes(style) || color === '#ffe082'
      const svg = await badges.outlines(badge)
      for (const fill of isPale ? dark : light) expect(svg, `${style} ${color}`).toContain(fill)
      for (const fill of isPale ? light : dark) expect(svg, `${style} ${color}`).not.toContain(fill)
    }
})

function colorsOf(body: string): readonly string[] {
  return [...body.matchAll(/fill="#[\da-f]+"/gi)].map(([fill]) => fill)
}
