import { describe, expect, test } from 'bun:test'
import { toHex, isCssColor, parseCssColor } from '../../src/lib/color.ts'

function hexOf(text: string): string | undefined {
  const color = parseCssColor(text)
  return color && toHex(color)
}

describe('a colour is read in every form that CSS writes it in', () => {
  test.each([
    ['#0a6', '#00aa66'],
    ['#0a6f', '#00aa66'],
    ['#00AA6680', '#00aa66'],
    [' RebeccaPurple ', '#663399'],
    ['rgb(0, 128, 255)', '#0080ff'],
    ['rgb(0 50% 100% / 50%)', '#0080ff'],
    ['rgba(0,128,255,.5)', '#0080ff'],
    ['hsl(120, 100%, 25%)', '#008000'],
    ['hsl(120,100%,25%)', '#008000'],
    ['hsl(120 100% 25%)', '#008000'],
    ['hsl(120 100 25)', '#008000'],
    ['HSL(120DEG 100% 25%)', '#008000'],
    ['hsl(120deg, 100%, 25%)', '#008000'],
    ['hsl(.3333333turn 100% 25%)', '#008000'],
    ['hsl(133.33333grad 100% 25%)', '#008000'],
    ['hsl(2.0943951rad 100% 25%)', '#008000'],
    ['hsl(-240 100% 25%)', '#008000'],
    ['hsl(480 100% 25%)', '#008000'],
    ['hsla(120, 100%, 25%, 0.5)', '#008000'],
    ['hsla(120, 100%, 25%, 50%)', '#008000'],
    ['hsla(120deg 100% 25% / 50%)', '#008000'],
    ['hsl(120deg 100% 25%/.5)', '#008000'],
    ['hsl(none 0% 50%)', '#808080'],
    ['hsl(0 140% 120%)', '#ffffff'],
    ['hwb(120 0% 49.8%)', '#008000'],
  ])('%s is %s', (text, hex) => expect(hexOf(text)).toBe(hex))

  test.each([
    'hsl()',
    'hsl(1,2)',
    'hsl(a, b, c)',
    'hsl(1 2 3 4 5)',
    'hsl(1, 2%, 3%',
    'rgb(red)',
    '#12345',
    'url(x)',
    'var(--brand)',
    'constructor',
    '',
  ])('%j is none', (text) => {
    expect(hexOf(text)).toBeUndefined()
    expect(isCssColor(text)).toBe(false)
  })

  test('colours of other spaces are colours, which have no hex digits', () => {
    for (const text of [
      'oklch(60% 0.15 50)',
      'color(display-p3 1 0.5 0)',
      'lab(50% 40 59.5)',
      'transparent',
    ]) {
      expect(isCssColor(text)).toBe(true)
      expect(hexOf(text)).toBeUndefined()
    }
  })
})
