import { expect, test } from 'bun:test'
import { backgroundColors } from '../../../../src/assets/og/background/background-colors.ts'
import { contrastRatio, parseHex, toHex, toOklch } from '../../../../src/lib/color.ts'
import { randomFrom } from '../../../support/random.ts'
import { extremeColors } from '../random-text.ts'

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
