import { expect, test } from 'bun:test'
import { type Badge, badgeStyles } from '../../../src/assets/badge/badge.ts'
import { renderBadge } from '../../../src/assets/badge/render-badge.ts'
import { cleanText } from '../../../src/text/clean-text.ts'
import { randomFrom } from '../../support/random.ts'
import { parseXml, textOf, walk } from '../../support/xml-tree.ts'
import hostileTexts from './hostile-texts.json' with { type: 'json' }
import { plainBadge } from './plain-badge.ts'

const hostile = hostileTexts

test('no text makes ill-formed XML, over 2,000 seeded mixtures of hostile pieces', () => {
  const random = randomFrom(7)
  function mixture() {
    return Array.from({ length: 1 + random.below(6) }, () => random.pick(hostile)).join('')
  }
  for (let count = 0; count < 2000; count++) {
    const badge: Badge = {
      ...plainBadge,
      style: random.pick(badgeStyles),
      label: mixture(),
      message: mixture(),
      title: mixture(),
      links: ['https://example.com/?a=<b>&"c"', 'mailto:a@b.c'].slice(0, random.below(3)),
    }
    const names = [...walk(parseXml(renderBadge(badge)))].map(({ name }) => name)
    expect(names).not.toContain('script')
  }
})

test('the title says exactly what the caller wrote', () => {
  const message = cleanText('"x" & \'y\' <z>')
  const root = parseXml(renderBadge({ ...plainBadge, label: 'a', message }))
  expect(root.attributes['aria-label']).toBe('a: "x" & \'y\' <z>')
  expect(textOf([...walk(root)].find(({ name }) => name === 'title') ?? root)).toBe('a: "x" & \'y\' <z>')
})

test('every id, and every reference to one, ends with the suffix', () => {
  for (const style of badgeStyles) {
    const svg = renderBadge({ ...plainBadge, style, label: 'a', idSuffix: 'q7' })
    for (const [, id] of svg.matchAll(/(?:id="|url\(#)([^")]+)/g)) expect(id).toEndWith('q7')
  }
})

test('a flat badge has at most 1,400 bytes, a flat-square one at most 650', () => {
  const words = { label: 'build', message: 'passing' }
  expect(renderBadge({ ...plainBadge, ...words }).length).toBeLessThanOrEqual(1400)
  expect(renderBadge({ ...plainBadge, ...words, style: 'flat-square' }).length).toBeLessThanOrEqual(650)
})

test('equal badges give equal bytes', () => {
  const badge: Badge = { ...plainBadge, label: 'a', message: 'b' }
  expect(renderBadge(badge)).toBe(renderBadge({ ...badge }))
})
