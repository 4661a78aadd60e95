import { describe, expect, test } from 'bun:test'
import { logoRule as createLogoRule } from '../../../../src/assets/logo-rule.ts'
import {
  type CardLogo,
  iconLogo,
  type PixelsLogo,
  type ShapesLogo,
} from '../../../../src/assets/og/brand/brand-images.ts'
import {
  logoColors,
  logoOutline,
  logoPaint,
  outlineShare,
  tintedPixels,
} from '../../../../src/assets/og/logo/logo-paint.ts'
import { placeLogo } from '../../../../src/assets/og/logo/place-logo.ts'
import { logoDataMistake } from '../../../../src/assets/og/own-pictures.ts'
import { sizeNames } from '../../../../src/assets/og/theme.ts'
import { themeNames } from '../../../../src/assets/og/themes.ts'
import { toOklch, white } from '../../../../src/lib/color.ts'
import { decodePng, drawSvg } from '../../../../src/raster/draw-svg.ts'
import { encodePng } from '../../../../src/raster/encode-png.ts'
import { cards } from '../corpus.ts'

const logoRule = createLogoRule(logoDataMistake)

describe('the parameter logo', () => {
  test('takes icons by slug and by name', () => {
    expect(logoRule({ logo: 'github' })).toBeUndefined()
    expect(logoRule({ logo: 'Node.js' })).toBeUndefined()
    expect(logoRule({})).toBeUndefined()
  })

  test('names an icon of a similar name where there is none of this name', () => {
    expect(logoRule({ logo: 'githubb' })).toEqual({
      parameter: 'logo',
      message: 'is not the name of an icon; did you mean github?',
    })
    expect(logoRule({ logo: 'x'.repeat(100) })?.message).toContain('simpleicons.org')
  })

  test('puts the icon on cards of every theme and size, and mirrors its place and not its shape', async () => {
    for (const theme of themeNames) {
      for (const size of sizeNames) {
        const ltr = { theme, size, logo: 'github', title: 'Design tokens' }
        const rtl = { ...ltr, title: 'كيف خفضنا' }
        const { logo, scene } = await cards.composed({ params: ltr })
        const mirrored = (await cards.composed({ params: rtl })).logo
        const { x = 0, width = 0 } = logo?.area ?? {}
        expect(width).toBeGreaterThan(24)
        expect(mirrored?.area.x).toBeCloseTo(scene.widthPx - x - width, 3)
        const [mark, other] = [logo?.layers.at(-1), mirrored?.layers.at(-1)]
        expect(mark?.kind === 'path' && other?.kind === 'path' && mark.d === other.d).toBe(true)
      }
    }
  })

  test('leaves the background of a card as it is: it is drawn once for all logos', async () => {
    const params = { theme: 'aurora', title: 'Hello' } as const
    const background = (await cards.composed({ params: { ...params, logo: 'bun' } })).scene.background
    expect((await cards.composed({ params: { ...params, logo: 'github' } })).scene.background).toBe(
      background,
    )
  })
})

describe('a logo in its place', () => {
  const place = {
    area: { x: 0, y: 0, width: 1000, height: 1000 },
    sidePx: 100,
    align: 'start',
    backgrounds: [white],
    ink: { r: 0, g: 0, b: 0 },
  } as const

  function sizeOf(width: number, height: number) {
    const shapes = [{ d: `M0 0h${width}v${height}h${-width}z`, fill: '#000000' }]
    const logo = { kind: 'shapes', key: 'box', width, height, shapes, singleColor: '#000000' } as const
    return placeLogo(logo, place, (x) => x).area
  }

  test('has about the same area whatever its proportions', () => {
    for (const [width, height] of [
      [10, 10],
      [40, 10],
      [10, 30],
      [80, 10],
    ] as const) {
      const { width: widthPx, height: heightPx } = sizeOf(width, height)
      expect(widthPx / heightPx).toBeCloseTo(width / height, 3)
      expect(widthPx * heightPx).toBeGreaterThan(9_000)
      expect(widthPx * heightPx).toBeLessThan(14_000)
    }
  })

  test('keeps its own colour where that is readable, else takes the ink', () => {
    const yellow = iconLogo('snapchat')
    const black = iconLogo('github')
    if (!yellow || !black) throw new Error('icons are missing')
    const [onWhite, own] = [yellow, black].map((logo) => placeLogo(logo, place, (x) => x).layers[0])
    expect(onWhite).toMatchObject({ fill: '#000000' })
    expect(own).toMatchObject({ fill: '#181717' })
  })
})

function shapesLogo(shapes: ShapesLogo['shapes']): ShapesLogo {
  return { kind: 'shapes', key: JSON.stringify(shapes), width: 100, height: 100, shapes }
}

const square = 'M0 0H100V100H0Z'

test('the colours of a logo of shapes are its fills, the largest area first, without blends at edges', () => {
  const logo = shapesLogo([
    { d: square, fill: '#0b5c8a' },
    { d: 'M50 20C66 20 80 34 80 50C80 66 66 80 50 80C34 80 20 66 20 50C20 34 34 20 50 20Z', fill: '#ffd166' },
  ])
  expect(logoColors(logo, 5)).toEqual(['#0b5c8a', '#ffd166'])
})

test('a colour that is painted over is none of them, and two that look alike are one', () => {
  const logo = shapesLogo([
    { d: square, fill: '#d7263d' },
    { d: square, fill: '#0b5c8a' },
    { d: 'M0 0H40V40H0Z', fill: '#0b5d8b' },
  ])
  expect(logoColors(logo, 5)).toEqual(['#0b5c8a'])
})

test('a translucent logo has the colour that is seen on nothing, and no more colours than were asked for', () => {
  expect(logoColors(shapesLogo([{ d: square, fill: '#ff0000', opacity: 0.9 }]), 5)).toHaveLength(1)
  const stripes = ['#d7263d', '#0b5c8a', '#ffd166', '#17855c'].map((fill, index) => ({
    d: `M0 ${index * 25}H100V${index * 25 + 25}H0Z`,
    fill,
  }))
  expect(logoColors(shapesLogo(stripes), 3)).toHaveLength(3)
})

test('the colours of a logo of pixels are those of its opaque pixels', async () => {
  const [widthPx, heightPx] = [64, 32]
  const rows = new Uint8Array((widthPx * 4 + 1) * heightPx)
  for (let y = 0; y < heightPx; y++)
    for (let x = 0; x < widthPx; x++)
      rows.set(
        x < 16 ? [0, 0, 0, 0] : x < 48 ? [11, 92, 138, 255] : [255, 209, 102, 255],
        y * (widthPx * 4 + 1) + 1 + x * 4,
      )
  const png = await encodePng({ widthPx, heightPx, channels: 4, rows })
  const logo: PixelsLogo = { kind: 'pixels', key: 'stripes', widthPx, heightPx, png }
  expect(logoColors(logo, 5)).toEqual(['#0b5c8a', '#ffd166'])
})

test('a logo that shows nothing has no colours', () => {
  expect(logoColors(shapesLogo([{ d: square, fill: '#000000', opacity: 0.01 }]), 5)).toEqual([])
})

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
    expect(logoPaint(logo, [black], white, 120)).toEqual({})
    expect(logoPaint(logo, [white], black, 120).plate).toBeDefined()
  })

  test('is nothing where the logo fills its box: it is a plate by itself', () => {
    expect(logoPaint(pixels(photo), [white], black, 120)).toEqual({})
    expect(logoPaint(pixels(photo), [black], white, 120)).toEqual({})
  })
})

describe('a logo of several colours', () => {
  const quarters = ['#4285f4', '#ea4335', '#34a853', '#fbbc05'].map((fill, index) => ({
    d: `M${10 + 22 * index} 10h14v80h-14z`,
    fill,
  }))
  const navy = { r: 12, g: 18, b: 60 }

  test('has no plate where at least six tenths of its outline stand out', () => {
    for (const background of [white, { r: 246, g: 240, b: 226 }])
      expect(logoPaint(shapesLogo(quarters), [background], black, 120)).toEqual({})
    expect(logoPaint(shapesLogo(quarters), [{ r: 16, g: 18, b: 22 }], white, 120)).toEqual({})
  })

  test('has a plate in the tone of the card elsewhere, never a black one on white', () => {
    const pale = shapesLogo([
      { d: 'M10 10h30v80h-30z', fill: '#ffe08a' },
      { d: 'M60 10h30v80h-30z', fill: '#ffc2d9' },
    ])
    for (const background of [white, navy]) {
      const { plate } = logoPaint(pale, [background], black, 120)
      if (background === navy) expect(plate).toBeUndefined()
      else expect(toOklch(plate ?? black).l).toBeGreaterThan(0.4)
    }
    const deep = shapesLogo(quarters.map((part) => ({ ...part, fill: `#0a0a${part.fill.slice(5)}` })))
    const { plate = black } = logoPaint(deep, [navy], white, 120)
    expect(Math.abs(toOklch(plate).h - toOklch(navy).h)).toBeLessThan(8)
  })
})

test('a logo of one colour of less than 60 px needs the contrast of text, else takes the ink', () => {
  const dim = { ...shapesLogo([{ d: square, fill: '#0f8a80' }]), singleColor: '#0f8a80' }
  const night = { r: 18, g: 20, b: 24 }
  expect(logoPaint(dim, [night], white, 120)).toEqual({})
  expect(logoPaint(dim, [night], white, 40)).toEqual({ color: white })
})

describe('a wordmark of pixels in one colour', () => {
  const word = pixels('<path d="M8 8H24V56H8ZM40 8H56V56H40ZM72 8H88V56H72Z" fill="#112244"/>')

  test('is drawn in the ink where its own colour cannot be read, without a plate', () => {
    expect(logoPaint(word, [white], black, 120)).toEqual({})
    expect(logoPaint(word, [black], white, 120)).toEqual({ color: white })
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
    expect(logoPaint(two, [black], white, 120).color).toBeUndefined()
    const { plate = black } = logoPaint(two, [black], white, 120)
    expect(outlineShare(two, plate)).toBeGreaterThanOrEqual(0.9)
  })
})
