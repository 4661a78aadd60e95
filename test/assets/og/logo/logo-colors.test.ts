import { expect, test } from 'bun:test'
import type { PixelsLogo, ShapesLogo } from '../../../../src/assets/og/brand/brand-images.ts'
import { logoColors } from '../../../../src/assets/og/logo/logo-colors.ts'
import { encodePng } from '../../../../src/raster/encode-png.ts'

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
