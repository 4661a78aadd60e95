import { expect } from 'bun:test'
import { type Bitmap, rowBytes } from '../../../src/raster/bitmap.ts'
import { decodePng } from '../../support/png-decode.ts'

export function pixel({ rows, widthPx }: Bitmap, x: number, y: number): number[] {
  const at = y * rowBytes(widthPx, 3) + 1 + x * 3
  return [...rows.subarray(at, at + 3)]
}

/** Three bytes a pixel of an opaque bitmap. */
export function rgbOf({ widthPx, rows }: Pick<Bitmap, 'widthPx' | 'rows'>): Buffer {
  return Buffer.from(rows.filter((_, at) => at % rowBytes(widthPx, 3) !== 0))
}

export function rgbOfPng(png: Uint8Array): Buffer {
  return withoutAlpha(decodePng(png).rgba)
}

export function withoutAlpha(rgba: Uint8Array): Buffer {
  return Buffer.from(rgba.filter((_, at) => at % 4 !== 3))
}

/** The mean distance of a channel, in steps of 255. */
export function meanDistance(one: Uint8Array, other: Uint8Array): number {
  expect(one.length).toBe(other.length)
  return one.reduce((sum, value, index) => sum + Math.abs(value - (other[index] ?? 0)), 0) / one.length
}
