import { type Bitmap, rowBytes } from './bitmap.ts'

/** A picture with more colours is no flat art. */
const slotsMax = 1024
const tableSize = slotsMax * 4
const free = 0xffff

/**
 * Counts the colours of a bitmap: the `values` (0xAARRGGBB) and `counts` of each slot, and each pixel's slot, row by row,
 * in `slots`, which are valid until the next call. Undefined when there are more than 1024 colours.
 */
export function countColors({ widthPx, heightPx, channels, rows }: Bitmap) {
  if (pixelSlots.length < widthPx * heightPx) pixelSlots = new Uint16Array(widthPx * heightPx)
  const slots = pixelSlots
  const values = new Uint32Array(slotsMax)
  const counts = new Uint32Array(slotsMax)
  table.fill(free)
  let used = 0
  let pixel = 0
  let lastColor = -1
  let slot = free
  for (let y = 0; y < heightPx; y++) {
    let at = y * rowBytes(widthPx, channels) + 1
    for (let x = 0; x < widthPx; x++, at += channels, pixel++) {
      const alpha = channels === 4 ? (rows[at + 3] as number) : 255
      const rgb = ((rows[at] as number) << 16) | ((rows[at + 1] as number) << 8) | (rows[at + 2] as number)
      const color = (alpha << 24) | rgb
      if (color !== lastColor || slot === free) {
        lastColor = color
        let place = Math.imul(color, 0x9e3779b1) >>> 20
        for (slot = table[place] as number; slot !== free; slot = table[place] as number) {
          if (values[slot] === color >>> 0) break
          place = (place + 1) % tableSize
        }
        if (slot === free) {
          if (used === slotsMax) return undefined
          slot = used++
          table[place] = slot
          values[slot] = color >>> 0
        }
      }
      counts[slot] = (counts[slot] as number) + 1
      slots[pixel] = slot
    }
  }
  return { values: values.slice(0, used), counts: counts.slice(0, used), slots }
}

/** Kept between calls: fresh memory costs more than the counting. */
let pixelSlots = new Uint16Array(0)
const table = new Uint16Array(tableSize)
