import { expect, test } from 'bun:test'
import { type Badge, badgeStyles } from '../../../src/assets/badge/badge.ts'
import { createBadgeRenderer } from '../../../src/assets/badge/badge-renderer.ts'
import { createTextEngine } from '../../../src/text/text-engine.ts'
import { parseXml, walk } from '../../support/xml-tree.ts'

const badges = createBadgeRenderer(createTextEngine())
const base: Badge = {
  style: 'flat',
  label: 'build',
  message: 'passing',
  color: '#298605',
  links: [],
  idSuffix: '',
  scale: 1,
}

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
