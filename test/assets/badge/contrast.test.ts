import { expect, test } from 'bun:test'
import { type Badge, badgeStyles } from '../../../src/assets/badge/badge.ts'
import { palette } from '../../../src/assets/badge/color-names.ts'
import { renderBadge } from '../../../src/assets/badge/render-badge.ts'
import { hexContrast } from '../../../src/assets/text-color.ts'
import { randomFrom } from '../../support/random.ts'
import { visibleTexts } from '../../support/visible-texts.ts'
import { parseXml } from '../../support/xml-tree.ts'

const base: Badge = {
  style: 'flat',
  label: 'l',
  message: 'm',
  color: '#298605',
  links: [],
  idSuffix: '',
  scale: 1,
}

function everyTextReads(badge: Badge): void {
  for (const { fill, background } of visibleTexts(parseXml(renderBadge(badge)))) {
    expect(hexContrast(fill, background), `${fill} on ${background}`).toBeGreaterThanOrEqual(4.5)
  }
}

test('text reads on each of the 4,096 short hex colours, left and right', () => {
  for (let value = 0; value < 4096; value++) {
    const color = `#${value.toString(16).padStart(3, '0').replace(/./g, '$&$&')}`
    everyTextReads({ ...base, style: 'flat-square', color, labelColor: color })
  }
})

test('text reads on 10,000 random colours in every style', () => {
  const random = randomFrom(1)
  function color() {
    return `#${random
      .below(2 ** 24)
      .toString(16)
      .padStart(6, '0')}`
  }
  for (let count = 0; count < 10_000; count++) {
    everyTextReads({ ...base, style: random.pick(badgeStyles), color: color(), labelColor: color() })
  }
})

test('white reads on the whole palette but yellow', () => {
  for (const [name, color] of Object.entries(palette)) {
    expect(hexContrast(color, '#ffffff') >= 4.5).toBe(name !== 'yellow')
  }
})
