import { expect, test } from 'bun:test'
import { svgToPng } from '../../src/raster/draw-svg.ts'
import { decodePng } from '../support/png-decode.ts'

const circle = `<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64"><circle cx="32" cy="32" r="32" fill="#c00"/></svg>`

test('corners of a round avatar stay transparent, its colour exact', () => {
  const { widthPx, rgba } = decodePng(svgToPng(circle))
  expect(widthPx).toBe(64)
  expect(rgba[3]).toBe(0)
  expect([...rgba.subarray((32 * 64 + 32) * 4, (32 * 64 + 32) * 4 + 4)]).toEqual([204, 0, 0, 255])
})

test('zoom multiplies the size', () => {
  const { widthPx, heightPx } = decodePng(svgToPng(circle, { zoom: 2.5 }))
  expect([widthPx, heightPx]).toEqual([160, 160])
})

test('the fonts of the machine are never used, so a picture is the same everywhere', () => {
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" width="50" height="20"><text y="15" font-family="sans-serif">Ag</text></svg>'
  expect(decodePng(svgToPng(svg)).rgba.every((value) => value === 0)).toBe(true)
})
