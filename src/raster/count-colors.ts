import { Buffer } from 'node:buffer'
import { type Bitmap, rowBytes } from './bitmap.ts'

/** A picture with more colours is a photograph. */
const slotsMax = 4096
const tableSize = slotsMax * 4
const free = 0xffff

/**
 * Counts the colours of a bitmap: the `values` (0xAARRGGBB) and `counts` of each slot, and each pixel's slot, row by row,
 * in `slots`, which are valid until the next call; those of a row that equals the one above it, where `repeats` is 1, are
 * left out. Undefined when there are more than 4096 colours.
 */
export function countColors({ widthPx, heightPx, channels, rows }: Bitmap) {
  if (pixelSlots.length < widthPx * heightPx) pixelSlots = new Uint16Array(widthPx * heightPx)
  const slots = pixelSlots
  const values = new Uint32Array(slotsMax)
  const counts = new Uint32Array(slotsMax)
  const view = new DataView(rows.buffer, rows.byteOffset, rows.byteLength)
  const bytes = Buffer.from(rows.buffer, rows.byteOffset, rows.byteLength)
  const stride = rowBytes(widthPx, channels)
  const hasAlpha = channels === 4
  const repeats = new Uint8Array(heightPx)
  table.fill(free)
  let used = 0
  let pixel = 0
  for (let y = 0, times = 1; y < heightPx; y += times) {
    times = 1
    while (y + times < heightPx && isRowAbove(bytes, stride, y + times)) repeats[y + times++] = 1
    const rowEnd = pixel + widthPx
    let at = y * stride + (hasAlpha ? 1 : 0)
    for (let color = colorAt(view, at, hasAlpha); pixel < rowEnd; ) {
      let place = Math.imul(color, 0x9e3779b1) >>> 18
      let slot = table[place] as number
      for (; slot !== free && values[slot] !== color >>> 0; slot = table[place] as number)
        place = (place + 1) % tableSize
      if (slot === free) {
        if (used === slotsMax) return undefined
        slot = used++
        table[place] = slot
        values[slot] = color >>> 0
      }
      const runStart = pixel
      const runColor = color
      do {
        slots[pixel++] = slot
        at += channels
        if (pixel < rowEnd) color = colorAt(view, at, hasAlpha)
      } while (pixel < rowEnd && color === runColor)
      counts[slot] = (counts[slot] as number) + (pixel - runStart) * times
    }
    pixel += (times - 1) * widthPx
  }
  return { values: values.slice(0, used), counts: counts.slice(0, used), slots, repeats }
}

/** A pixel as 0xAARRGGBB, signed. One of three bytes is read with the byte before it. */
function colorAt(view: DataView, at: number, hasAlpha: boolean): number {
  const read = view.getInt32(at)
  return hasAlpha ? (read >>> 8) | (read << 24) : read | opaque
}

function isRowAbove(bytes: Buffer, stride: number, y: number): boolean {
  const start = y * stride
  return bytes.compare(bytes, start, start + stride, start - stride, start) === 0
}

/** The alpha of an opaque pixel, in 0xAARRGGBB. */
const opaque = 0xff000000 | 0

/** Kept between calls: fresh memory costs more than the counting. */
let pixelSlots = new Uint16Array(0)
const table = new Uint16Array(tableSize)
