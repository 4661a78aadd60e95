import { Buffer } from 'node:buffer'
import { type Bitmap, rowBytes } from './bitmap.ts'

/** A picture with more colours is a photograph. */
const slotsMax = 4096
const tableSize = slotsMax * 4
const free = 0xffff

/** Colours (0xAARRGGBB, signed) and how many pixels have each. */
export interface ColorCounts {
  readonly values: Int32Array
  readonly counts: Int32Array
}

export interface CountedBitmap extends ColorCounts {
  /** Each pixel's place in the colours, row by row; without those of a row that equals the one above it. */
  readonly slots: Uint16Array
  /** 1 for each row that equals the one above it. */
  readonly repeats: Uint8Array
}

/** Counts the colours of a bitmap. The slots are valid until the next call. Undefined when there are more than 4096 colours. */
export function countColors({ widthPx, heightPx, channels, rows }: Bitmap): CountedBitmap | undefined {
  const slots = slotsFor(widthPx * heightPx)
  const view = new DataView(rows.buffer, rows.byteOffset, rows.byteLength)
  const bytes = Buffer.from(rows.buffer, rows.byteOffset, rows.byteLength)
  const stride = rowBytes(widthPx, channels)
  const hasAlpha = channels === 4
  const repeats = new Uint8Array(heightPx)
  startCounting()
  let pixel = 0
  for (let y = 0, times = 1; y < heightPx; y += times) {
    times = 1
    while (y + times < heightPx && isRowAbove(bytes, stride, y + times)) repeats[y + times++] = 1
    const rowEnd = pixel + widthPx
    let at = y * stride + (hasAlpha ? 1 : 0)
    for (let color = colorAt(view, at, hasAlpha); pixel < rowEnd; ) {
      const slot = slotOf(color)
      if (slot === free) return undefined
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
  return { ...counted(), slots, repeats }
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
const values = new Int32Array(slotsMax)
const counts = new Int32Array(slotsMax)
let used = 0

function slotsFor(pixels: number): Uint16Array {
  if (pixelSlots.length < pixels) pixelSlots = new Uint16Array(pixels)
  return pixelSlots
}

function startCounting(): void {
  table.fill(free)
  counts.fill(0, 0, used)
  used = 0
}

/** The slot of a colour, `free` when there is none left. */
function slotOf(color: number): number {
  let place = Math.imul(color, 0x9e3779b1) >>> 18
  let slot = table[place] as number
  for (; slot !== free && values[slot] !== color; slot = table[place] as number)
    place = (place + 1) % tableSize
  if (slot !== free || used === slotsMax) return slot
  table[place] = used
  values[used] = color
  return used++
}

function counted(): ColorCounts {
  return { values: values.slice(0, used), counts: counts.slice(0, used) }
}
