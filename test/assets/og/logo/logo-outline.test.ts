import { describe, expect, test } from 'bun:test'
import type { CardLogo } from '../../../../src/assets/og/brand/card-logo.ts'
import { logoOutline } from '../../../../src/assets/og/logo/logo-outline.ts'
import { logoPaint } from '../../../../src/assets/og/logo/logo-paint.ts'
import { tintedPixels } from '../../../../src/assets/og/logo/pixels-mask.ts'
import { white } from '../../../../src/lib/color.ts'
import { decodeOwnPng } from '../../../../src/raster/decode-own-png.ts'
import { drawSvg } from '../../../../src/raster/draw-svg.ts'
import { encodePng } from '../../../../src/raster/encode-png.ts'

const black = { r: 0, g: 0, b: 0 }

function pixels(body: string, palette: boolean): CardLogo {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="96" height="64">${body}</svg>`
  const png = encodePng(drawSvg(svg), { palette })
  return { kind: 'pixels', key: body, widthPx: 96, heightPx: 64, png }
}

const disc = '<circle cx="32" cy="32" r="30" fill="#fff"/><circle cx="32" cy="32" r="16" fill="#123"/>'
const photo =
  '<defs><linearGradient id="a"><stop stop-color="#fff"/><stop offset="1" stop-color="#ddf"/></linearGradient></defs><rect width="96" height="64" fill="url(#a)"/>'

describe('what of a logo meets the background', () => {
  for (const palette of [true, false])
    test(`is read from the pixels of a PNG of ours${palette ? ' with a palette' : ''}`, () => {
      const { luminances, isBox } = logoOutline(pixels(disc, palette))
      expect(isBox).toBe(false)
      expect(luminances.length).toBeGreaterThan(30)
      expect(Math.min(...luminances)).toBeGreaterThan(0.9)
    })

  test('decides on a plate: a white mark needs one on white and none on black', () => {
    const logo = pixels(disc, false)
    expect(logoPaint(logo, [black], white)).toEqual({})
    expect(logoPaint(logo, [white], black).plate).toBeDefined()
  })

  test('is nothing where the logo fills its box: it is a plate by itself', () => {
    expect(logoPaint(pixels(photo, false), [white], black)).toEqual({})
    expect(logoPaint(pixels(photo, false), [black], white)).toEqual({})
  })
})

describe('a wordmark of pixels in one colour', () => {
  const word = pixels('<path d="M8 8H24V56H8ZM40 8H56V56H40ZM72 8H88V56H72Z" fill="#112244"/>', false)

  test('is drawn in the ink where its own colour cannot be read, without a plate', () => {
    expect(logoPaint(word, [white], black)).toEqual({})
    expect(logoPaint(word, [black], white)).toEqual({ color: white })
  })

  test('keeps its own transparency in the ink', () => {
    if (word.kind !== 'pixels') throw new Error('no pixels')
    const tinted = decodeOwnPng(tintedPixels(word, white).png)?.rgba
    const own = decodeOwnPng(word.png)?.rgba
    expect(tinted?.length).toBe(own?.length)
    for (let at = 0; at < (own?.length ?? 0); at += 4) {
      expect(tinted?.[at + 3]).toBe(own?.[at + 3])
      expect(tinted?.[at]).toBe(own?.[at + 3])
    }
  })

  test('that has a second colour, or fills its box, is none', () => {
    const two = pixels(
      '<path d="M8 8H24V56H8Z" fill="#112244"/><path d="M40 8H56V56H40Z" fill="#5577aa"/>',
      false,
    )
    expect(logoPaint(two, [black], white).color).toBeUndefined()
    expect(logoPaint(two, [black], white).plate).toEqual(white)
  })
})
