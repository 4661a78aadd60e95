import { describe, expect, test } from 'bun:test'
import {
  contrastRatio,
  fromOklch,
  isCssColor,
  mix,
  parseCssColor,
  parseHex,
  type Rgb,
  relativeLuminance,
  toHex,
  toOklch,
} from '../../src/lib/color.ts'
import cases from './color.json' with { type: 'json' }

function hex(text: string): Rgb {
  const color = parseHex(text)
  if (color === undefined) throw new Error(`not a colour: ${text}`)
  return color
}

describe('hex colours', () => {
  test('three digits mean the same as six, with or without the sign, in any case', () => {
    for (const text of ['#1af', '1AF', '#11aaff', '11AAff']) expect(toHex(hex(text))).toBe('#11aaff')
  })

  test('anything else is not a colour', () => {
    for (const text of ['', '#', '#12', '#1234', '#12345', '#1234567', 'red', '#12345g', ' #123', '#123\n']) {
      expect(parseHex(text)).toBeUndefined()
    }
  })
})

describe('contrast', () => {
  test('agrees with the figures published by WCAG tools', () => {
    expect(contrastRatio(hex('#fff'), hex('#000'))).toBeCloseTo(21, 6)
    expect(contrastRatio(hex('#767676'), hex('#fff'))).toBeCloseTo(4.54, 2)
    expect(contrastRatio(hex('#fff'), hex('#fdd835'))).toBeCloseTo(1.4, 2)
    expect(relativeLuminance(hex('#f00'))).toBeCloseTo(0.2126, 4)
  })

  test('a translucent colour blends as renderers do', () => {
    expect(toHex(mix(hex('#000'), hex('#fff'), 0.5))).toBe('#808080')
  })
})

describe('oklch', () => {
  test('knows the primaries', () => {
    const red = toOklch(hex('#f00'))
    expect(red.l).toBeCloseTo(0.628, 3)
    expect(red.c).toBeCloseTo(0.2577, 3)
    expect(red.h).toBeCloseTo(29.23, 1)
  })

  test('every colour survives the round trip', () => {
    for (let value = 0; value < 0x1000000; value += 40_507) {
      const text = `#${value.toString(16).padStart(6, '0')}`
      expect(toHex(fromOklch(toOklch(hex(text))))).toBe(text)
    }
  })

  test('a colour out of gamut keeps its lightness and hue', () => {
    const mapped = toOklch(fromOklch({ l: 0.7, c: 0.4, h: 150 }))
    expect(mapped.l).toBeCloseTo(0.7, 2)
    expect(mapped.h).toBeCloseTo(150, 0)
    expect(mapped.c).toBeLessThan(0.4)
  })
})

function hexOf(text: string): string | undefined {
  const color = parseCssColor(text)
  return color && toHex(color)
}

describe('a colour is read in every form that CSS writes it in', () => {
  test.each(cases.css)('%s is %s', (text, hex) => expect(hexOf(text)).toBe(hex))

  test.each(cases.wrong)('%j is none', (text) => {
    expect(hexOf(text)).toBeUndefined()
    expect(isCssColor(text)).toBe(false)
  })

  test('colours of other spaces are colours, which have no hex digits', () => {
    for (const text of cases.spaces) {
      expect(isCssColor(text)).toBe(true)
      expect(hexOf(text)).toBeUndefined()
    }
  })
})
