import { expect, test } from 'bun:test'
import { makeBadge } from 'badge-maker'
import { renderBadge } from '../../../src/assets/badge/render-badge.ts'
import { randomFrom } from '../../support/random.ts'
import { parseXml, type XmlElement } from '../../support/xml-tree.ts'
import cases from './badge-maker-geometry.json' with { type: 'json' }
import { plainBadge } from './plain-badge.ts'

const alphabets = cases.alphabets
const random = randomFrom(4)

function phrase(lengthMax: number): string {
  const letters = Array.from(random.pick(alphabets))
  const text = Array.from({ length: 1 + random.below(lengthMax) }, () => random.pick(letters)).join('')
  return text.replace(/\s+/g, ' ').trim() || 'a'
}

/**
 * The parts that must not differ: names, order, geometry and text. It leaves out our own colours, the accessible
 * names and the id of the blur.
 */
function structure(node: XmlElement): unknown {
  const { fill: _fill, role: _role, 'aria-label': _label, id, filter, ...rest } = node.attributes
  const ours = node.name === 'title' || node.name === 'style' || node.name === 'image'
  return {
    name: node.name,
    attributes: { x: '0', ...rest, ...(id?.startsWith('blur') ? {} : { id }), filter: filter !== undefined },
    children: ours
      ? []
      : node.children.map((child) => (typeof child === 'string' ? child : structure(child))),
  }
}

const pairs = Array.from({ length: 240 }, () => ({
  label: random.below(8) === 0 ? '' : phrase(24),
  message: phrase(40),
}))
const image = 'data:image/png;base64,iVBORw0KGgo='

/** Styles that badge-maker has too. */
const sharedStyles = ['flat', 'flat-square', 'plastic', 'for-the-badge', 'social'] as const

for (const style of sharedStyles) {
  test(`${style}: the structure, widths and text positions of badge-maker, over 240 pairs`, () => {
    for (const { label, message } of pairs) {
      const labelColor = random.below(4) === 0 ? '#222244' : undefined
      const withLogo = random.below(3) === 0
      const links = ['https://example.com/a?b=1&c=2', 'https://example.org/'].slice(0, random.below(3))
      const own = renderBadge({
        ...plainBadge,
        style,
        label,
        message,
        links,
        idSuffix: 'z9',
        ...(labelColor && { labelColor }),
        ...(withLogo && { logo: { kind: 'image', href: image, widthPx: 14 } }),
      })
      const theirs = makeBadge({
        style,
        label,
        message,
        links,
        color: '#298605',
        idSuffix: 'z9',
        ...(labelColor && { labelColor }),
        ...(withLogo && { logoBase64: image }),
      })
      const mine = parseXml(own)
      const peer = parseXml(theirs)
      // badge-maker leaves out the title when there are two links.
      const peerChildren =
        links.length > 1 ? [{ name: 'title', attributes: {}, children: [] }, ...peer.children] : peer.children
      expect(structure(mine)).toEqual(structure({ ...peer, children: peerChildren }))
    }
  })
}
