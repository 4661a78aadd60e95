import { channels, colors, heightPx, numberAt, pixelAt, runBytes, runs, runsEnd, slots, widthPx } from './canvas'

/** Steps of 255 that a pixel may move to be as the one above: more than neighbours of a gradient, less than an edge of a shape. */
const joinedSteps: i32 = 6

/** A picture with more colours is a photograph. */
const slotsMax: u32 = 4096
const tableSize: u32 = slotsMax * 4
const free: u16 = 0xffff

/** Open-addressing table: hash of a colour to its slot as u16, `free` when there is none. */
const table = memory.data(32768, 16)
/** The colours of the slots (0xAARRGGBB), and how many pixels have each, as u32. */
export const values = memory.data(16384, 16)
export const counts = memory.data(16384, 16)
/** How many colours were counted. */
let used: u32 = 0

/** Counts the colours of the pixels that are not the background's. Returns how many there are, -1 for too many. */
export function countUncovered(): i32 {
  memory.fill(table, 255, tableSize << 1)
  memory.fill(counts, 0, (<usize>used) << 2)
  used = 0
  const pixelBytes = <usize>channels
  const alpha: u32 = channels === 3 ? 0xff000000 : 0
  let to = slots
  for (let run = runs; run < runsEnd; run += runBytes) {
    let at = pixelAt(<i32>load<u16>(run), <i32>load<u16>(run, 2))
    const end = at + <usize>load<u32>(run, 4) * pixelBytes
    while (at < end) {
      const first = at
      const rgba = load<u32>(first) | alpha
      do at += pixelBytes
      while (at < end && (load<u32>(at) | alpha) === rgba)
      const slot = slotOf(rotr<u32>(bswap<u32>(rgba), 8))
      if (slot === free) return -1
      const pixels = (at - first) / pixelBytes
      const count = counts + ((<usize>slot) << 2)
      store<u32>(count, load<u32>(count) + <u32>pixels)
      // Up to three slots more, which the next pixels overwrite.
      const behind = to + (pixels << 1)
      for (; to < behind; to += 8) store<u64>(to, <u64>slot * 0x0001_0001_0001_0001)
      to = behind
    }
  }
  return used
}

/** Writes the numbers of the pixels that were counted, by the number of each slot at `numberOf`. */
export function numberUncovered(numberOf: usize): void {
  let from = slots
  for (let run = runs; run < runsEnd; run += runBytes) {
    let at = numberAt(<i32>load<u16>(run), <i32>load<u16>(run, 2))
    const end = at + <usize>load<u32>(run, 4)
    for (; at < end; at++) {
      store<u8>(at, load<u8>(numberOf + <usize>load<u16>(from)))
      from += 2
    }
  }
}

/** The slot of a colour, `free` when there is none left. */
function slotOf(color: u32): u32 {
  let place = (color * 0x9e3779b1) >>> 18
  let slot = <u32>load<u16>(table + (<usize>place << 1))
  while (slot !== free && load<u32>(values + ((<usize>slot) << 2)) !== color) {
    place = (place + 1) % tableSize
    slot = load<u16>(table + (<usize>place << 1))
  }
  if (slot !== free || used === slotsMax) return slot
  store<u16>(table + (<usize>place << 1), <u16>used)
  store<u32>(values + ((<usize>used) << 2), color)
  return used++
}

/**
 * Lets the lower row of a pair follow the upper one in gradients, whose bands then end in steps of two rows: files are a tenth
 * smaller. All pixels were counted and numbered, by the canvas's colours.
 */
export function joinPairsOfRows(): void {
  const stride = <usize>widthPx + 1
  for (let y = 1; y < heightPx; y += 2) {
    let slot = slots + ((<usize>(y * widthPx)) << 1)
    const end = numberAt(widthPx, y)
    for (let at = numberAt(0, y); at < end; at++, slot += 2) {
      for (; at + 16 <= end && i8x16.all_true(i8x16.eq(v128.load(at), v128.load(at - stride))); at += 16) slot += 32
      if (at === end) break
      const above = load<u8>(at - stride)
      if (above === load<u8>(at)) continue
      const color = load<u32>(values + ((<usize>load<u16>(slot)) << 2))
      if (squaredSteps(color, load<u32>(colors + ((<usize>above) << 2))) <= joinedSteps * joinedSteps) store<u8>(at, above)
    }
  }
}

/** The square of the distance of two opaque colours, in steps of 255. */
function squaredSteps(color: u32, other: u32): i32 {
  const red = <i32>((color >>> 16) & 255) - <i32>((other >>> 16) & 255)
  const green = <i32>((color >>> 8) & 255) - <i32>((other >>> 8) & 255)
  const blue = <i32>(color & 255) - <i32>(other & 255)
  return red * red + green * green + blue * blue
}
