import { describe, expect, test } from 'bun:test'
import { accentOf, chooseAccent, readable } from '../../../src/assets/og/accent.ts'
import { contrastRatio, parseHex, type Rgb, toHex, toOklch } from '../../../src/lib/color.ts'
import { randomFrom } from '../../support/random.ts'

function hex(text: string): Rgb {
  return parseHex(text) ?? { r: 0, g: 0, b: 0 }
}

describe('the accent', () => {
  test('is the same for the same words and spreads over all schemes for others', () => {
    const keys = Array.from({ length: 400 }, (_, index) => chooseAccent(`site-${index}.example.com`).key)
    expect(new Set(keys).size).toBe(10)
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
