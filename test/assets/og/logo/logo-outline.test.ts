import { describe, expect, test } from 'bun:test'
import type { CardLogo } from '../../../../src/assets/og/brand/brand-images.ts'
import { logoOutline, tintedPixels } from '../../../../src/assets/og/logo/logo-outline.ts'
import { logoPaint } from '../../../../src/assets/og/logo/logo-paint.ts'
import { white } from '../../../../src/lib/color.ts'
import { decodePng, drawSvg } from '../../../../src/raster/draw-svg.ts'
import { encodePng } from '../../../../src/raster/encode-png.ts'

const black = { r: 0, g: 0, b: 0 }

function pixels(body: string): CardLogo & { readonly kind: 'pixels' } {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="96" height="64">${body}</svg>`
  const png = encodePng(drawSvg(svg))
  return { kind: 'pixels', key: body, widthPx: 96, heightPx: 64, png }
}

const disc = '<circle cx="32" cy="32" r="30" fill="#fff"/><circle cx="32" cy="32" r="16" fill="#123"/>'
const manyColors =
  '<defs><linearGradient id="a"><stop stop-color="#123"/><stop offset="1" stop-color="#f23"/></linearGradient><linearGradient id="b" x2="0" y2="1"><stop stop-color="#0f0"/><stop offset="1" stop-color="#0f0" stop-opacity="0"/></linearGradient></defs><circle cx="32" cy="32" r="30" fill="#fff"/><circle cx="32" cy="32" r="16" fill="url(#a)"/><circle cx="32" cy="32" r="16" fill="url(#b)"/>'
const photo =
  '<defs><linearGradient id="a"><stop stop-color="#fff"/><stop offset="1" stop-color="#ddf"/></linearGradient></defs><rect width="96" height="64" fill="url(#a)"/>'

describe('what of a logo meets the background', () => {
  for (const [kind, body, colorType] of [
    ['with a palette', disc, 3],
    ['of many colours', manyColors, 6],
  ] as const)
    test(`is read from the pixels of a PNG of ours ${kind}`, () => {
      const logo = pixels(body)
      expect(logo.png[25]).toBe(colorType)
      const { luminances, isBox } = logoOutline(logo)
      expect(isBox).toBe(false)
      expect(luminances.length).toBeGreaterThan(30)
      expect(Math.min(...luminances)).toBeGreaterThan(0.9)
    })

  test('decides on a plate: a white mark needs one on white and none on black', () => {
    const logo = pixels(disc)
    expect(logoPaint(logo, [black], white)).toEqual({})
    expect(logoPaint(logo, [white], black).plate).toBeDefined()
  })

  test('is nothing where the logo fills its box: it is a plate by itself', () => {
    expect(logoPaint(pixels(photo), [white], black)).toEqual({})
    expect(logoPaint(pixels(photo), [black], white)).toEqual({})
  })
})

describe('a wordmark of pixels in one colour', () => {
  const word = pixels('<path d="M8 8H24V56H8ZM40 8H56V56H40ZM72 8H88V56H72Z" fill="#112244"/>')

  test('is drawn in the ink where its own colour cannot be read, without a plate', () => {
    expect(logoPaint(word, [white], black)).toEqual({})
    expect(logoPaint(word, [black], white)).toEqual({ color: white })
  })

  test('keeps its own transparency in the ink', () => {
    const tinted = decodePng(tintedPixels(word, white).png).rgba
    const own = decodePng(word.png).rgba
    expect(tinted.length).toBe(own.length)
    for (let at = 0; at < own.length; at += 4) {
      expect(tinted[at + 3]).toBe(own[at + 3])
      expect(tinted[at]).toBe(own[at + 3])
    }
  })

  test('that has a second colour, or fills its box, is none', () => {
    const two = pixels('<path d="M8 8H24V56H8Z" fill="#112244"/><path d="M40 8H56V56H40Z" fill="#5577aa"/>')
    expect(logoPaint(two, [black], white).color).toBeUndefined()
    expect(logoPaint(two, [black], white).plate).toEqual(white)
  })
})
