import { describe, expect, test } from 'bun:test'
import type { CardLogo } from '../../../../src/assets/og/brand/card-logo.ts'
import { logoOutline } from '../../../../src/assets/og/logo/logo-outline.ts'
import { logoPaint } from '../../../../src/assets/og/logo/logo-paint.ts'
import { white } from '../../../../src/lib/color.ts'
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
