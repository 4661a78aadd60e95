import { describe, expect, test } from 'bun:test'
import { areaAverage, type Bitmap, rowBytes } from '../../src/raster/bitmap.ts'
import { svgToPng } from '../../src/raster/draw-svg.ts'
import { drawPicture, logoPixels } from '../../src/raster/paint-scene.ts'

function blank(widthPx: number, heightPx: number): Bitmap {
  return { widthPx, heightPx, channels: 3, rows: new Uint8Array(rowBytes(widthPx, 3) * heightPx).fill(255) }
}

function pixel({ rows, widthPx }: Bitmap, x: number, y: number): number[] {
  const at = y * rowBytes(widthPx, 3) + 1 + x * 3
  return [...rows.subarray(at, at + 3)]
}

describe('a picture on a card', () => {
  test('fills its rectangle, and lets the card show where it is transparent', () => {
    const png = svgToPng(
      '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><rect width="4" height="8" fill="#f00"/></svg>',
    )
    const bitmap = blank(12, 12)
    const layer = { kind: 'picture', key: 'half', png, x: 2, y: 3, widthPx: 8, heightPx: 8 } as const
    drawPicture(bitmap, logoPixels(layer, 8, 8), 2, 3)
    expect(pixel(bitmap, 2, 3)).toEqual([255, 0, 0])
    expect(pixel(bitmap, 5, 10)).toEqual([255, 0, 0])
    expect(pixel(bitmap, 6, 3)).toEqual([255, 255, 255])
    expect(pixel(bitmap, 1, 3)).toEqual([255, 255, 255])
  })

  test('is cut off at the edge of the card', () => {
    const png = svgToPng(
      '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><rect width="8" height="8" fill="#00f"/></svg>',
    )
    const bitmap = blank(4, 4)
    const layer = { kind: 'picture', key: 'blue', png, x: -4, y: -4, widthPx: 6, heightPx: 20 } as const
    drawPicture(bitmap, logoPixels(layer, 6, 20), -4, -4)
    expect(pixel(bitmap, 1, 3)).toEqual([0, 0, 255])
    expect(pixel(bitmap, 2, 3)).toEqual([255, 255, 255])
  })

  test('takes every one of its pixels into account where it is made smaller', () => {
    const stripes = Uint8Array.from({ length: 12 * 12 * 4 }, (_, index) =>
      index % 4 === 3 || Math.floor(index / 4) % 2 === 0 ? 255 : 0,
    )
    const { rgba } = areaAverage({ widthPx: 12, heightPx: 12, rgba: stripes }, { widthPx: 3, heightPx: 4 })
    for (let at = 0; at < rgba.length; at += 4)
      expect([...rgba.subarray(at, at + 4)]).toEqual([128, 128, 128, 255])
  })
})
