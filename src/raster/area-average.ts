import { release } from './release.ts'

/**
 * Scales premultiplied RGBA: each pixel of the result is the average of the area that it covers. A pixel of the source
 * counts by the share of it that lies in the area, so nothing is left out and nothing shimmers.
 */
export function areaAverage(
  rgba: Uint8Array,
  width: number,
  height: number,
  toWidth: number,
  toHeight: number,
): Uint8Array {
  const narrow = new Float32Array(toWidth * height * 4)
  eachShare(width, toWidth, (from, to, share) => {
    for (let y = 0; y < height; y++)
      addPixel(narrow, (y * toWidth + to) * 4, rgba, (y * width + from) * 4, share)
  })
  const result = new Float32Array(toWidth * toHeight * 4)
  eachShare(height, toHeight, (from, to, share) => {
    for (let x = 0; x < toWidth; x++)
      addPixel(result, (to * toWidth + x) * 4, narrow, (from * toWidth + x) * 4, share)
  })
  const rounded = Uint8Array.from(result, Math.round)
  release(narrow)
  release(result)
  return rounded
}

/** Calls for each source cell that lies in a cell of the result, with its share of that cell; shares of one cell add up to 1. */
function eachShare(
  count: number,
  toCount: number,
  add: (from: number, to: number, share: number) => void,
): void {
  const ratio = count / toCount
  for (let to = 0; to < toCount; to++) {
    const [start, end] = [to * ratio, (to + 1) * ratio]
    for (let from = Math.floor(start); from < Math.min(count, Math.ceil(end - 1e-9)); from++)
      add(from, to, (Math.min(end, from + 1) - Math.max(start, from)) / ratio)
  }
}

type Channels = Uint8Array | Float32Array

function addPixel(to: Float32Array, at: number, from: Channels, fromAt: number, share: number): void {
  for (let channel = 0; channel < 4; channel++)
    to[at + channel] = (to[at + channel] as number) + (from[fromAt + channel] as number) * share
}
