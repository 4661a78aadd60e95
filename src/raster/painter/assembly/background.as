import { colors, heightPx, numberAt, pixelAt, rows, slots, widthPx } from './canvas'
import { addPixels, free, repeatSlot, slotOf, startCounting, used, values } from './count-colors'

/** Stands for the first slot of a row that equals the one above it. */
const repeated: u16 = 0xffff

/** Steps of 255 that a pixel may move to be as the one above: more than neighbours of a gradient, less than an edge of a shape. */
const joinedSteps: i32 = 6

/** The number of each slot's colour. */
const numberOf = memory.data(4096)

/** Makes rows of colours of an opaque RGBA picture, in its place: each pixel is read before its place is written to. */
export function packRgba(): void {
  let from = rows
  for (let y = 0; y < heightPx; y++) {
    const end = pixelAt(widthPx, y)
    for (let to = pixelAt(0, y); to < end; to += 3, from += 4) {
      const pixel = load<u32>(from)
      store<u16>(to, <u16>pixel)
      store<u8>(to, <u8>(pixel >>> 16), 2)
    }
    store<u8>(pixelAt(0, y) - 1, 0)
  }
}

/** Counts the colours of an opaque RGBA picture in the place of the rows. Returns how many there are, -1 for too many. */
export function countRgba(): i32 {
  startCounting()
  const rowBytes = (<usize>widthPx) << 2
  for (let y = 0, times = 1; y < heightPx; y += times) {
    let at = rows + rowBytes * <usize>y
    const end = at + rowBytes
    times = 1
    while (y + times < heightPx && memory.compare(at, at + rowBytes * <usize>times, rowBytes) === 0) times++
    let to = slotsAt(y)
    while (at < end) {
      const first = at
      const pixel = load<u32>(first)
      do at += 4
      while (at < end && load<u32>(at) === pixel)
      const slot = slotOf(0xff000000 | bswap<u32>(pixel << 8))
      if (slot === free) return -1
      const pixels = (at - first) >>> 2
      to = repeatSlot(to, slot, pixels)
      addPixels(slot, pixels * <usize>times)
    }
    for (let row = y + 1; row < y + times; row++) store<u16>(slotsAt(row), repeated)
  }
  return used
}

function slotsAt(y: i32): usize {
  return slots + ((<usize>(y * widthPx)) << 1)
}

/** Writes for each pixel that was counted the number of the nearest of so many colours. */
export function numberRgba(colorCount: i32): void {
  for (let slot: usize = 0; slot < <usize>used; slot++)
    store<u8>(numberOf + slot, nearestOf(load<u32>(values + (slot << 2)), colorCount))
  for (let y = 0; y < heightPx; y++) {
    const row = numberAt(0, y)
    const end = row + <usize>widthPx
    let from = slotsAt(y)
    store<u8>(row - 1, 0)
    if (load<u16>(from) === repeated) memory.copy(row, numberAt(0, y - 1), <usize>widthPx)
    else for (let at = row; at < end; at++, from += 2) store<u8>(at, load<u8>(numberOf + <usize>load<u16>(from)))
  }
}

/** Lets the lower row of a pair follow the upper one in gradients, whose bands then end in steps of two rows: files are a tenth smaller. */
export function joinPairsOfRows(): void {
  const stride = <usize>widthPx + 1
  for (let y = 1; y < heightPx; y += 2) {
    let slot = slotsAt(y)
    if (load<u16>(slot) === repeated) continue
    const end = numberAt(widthPx, y)
    for (let at = numberAt(0, y); at < end; at++, slot += 2) {
      const above = load<u8>(at - stride)
      if (above === load<u8>(at)) continue
      const color = load<u32>(values + ((<usize>load<u16>(slot)) << 2))
      if (squaredSteps(color, load<u32>(colors + ((<usize>above) << 2))) <= joinedSteps * joinedSteps) store<u8>(at, above)
    }
  }
}

/** The place of the nearest colour. */
function nearestOf(color: u32, colorCount: i32): u8 {
  let nearest = 0
  let least = i32.MAX_VALUE
  for (let place = 0; place < colorCount; place++) {
    const steps = squaredSteps(color, load<u32>(colors + ((<usize>place) << 2)))
    if (steps >= least) continue
    least = steps
    nearest = place
  }
  return <u8>nearest
}

/** The square of the distance of two opaque colours, in steps of 255. */
function squaredSteps(color: u32, other: u32): i32 {
  const red = <i32>((color >>> 16) & 255) - <i32>((other >>> 16) & 255)
  const green = <i32>((color >>> 8) & 255) - <i32>((other >>> 8) & 255)
  const blue = <i32>(color & 255) - <i32>(other & 255)
  return red * red + green * green + blue * blue
}
