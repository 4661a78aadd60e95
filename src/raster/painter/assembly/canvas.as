import { takeCanvas } from './memory'

/** In rows of colours and in rows of numbers, for a pixel that something has been painted over. */
const painted: u8 = 255

export let widthPx: i32 = 0
export let heightPx: i32 = 0
/** 3 where all pixels are opaque, else 4. Paths are filled into opaque ones only. */
export let channels: i32 = 3
/** Rows of a filter byte and the bytes of each pixel. */
export let rows: usize = 0
/** The background's rows of a filter byte and a number of a colour a pixel. */
export let numbers: usize = 0
/** The colours that the numbers mean, 0xAARRGGBB. */
export let colors: usize = 0
/** Two bytes for each pixel, and room for three pixels more. */
export let slots: usize = 0
/** Where pixels side by side have been uncovered: u16 column, u16 row, u32 count. */
export let runs: usize = 0
export let runsEnd: usize = 0
export const runBytes: usize = 8

let hasBackdrop = false

export function startCanvas(width: i32, height: i32, pixelBytes: i32): void {
  widthPx = width
  heightPx = height
  channels = pixelBytes
  const pixels = (<usize>width) * (<usize>height)
  const colorBytes: usize = 1024
  const rowsBytes = aligned(pixels * <usize>pixelBytes + <usize>height)
  const numbersBytes = aligned(pixels + <usize>height)
  const slotsBytes = aligned((pixels + 3) << 1)
  colors = takeCanvas(colorBytes + rowsBytes + numbersBytes + slotsBytes + pixels * runBytes)
  rows = colors + colorBytes
  numbers = rows + rowsBytes
  slots = numbers + numbersBytes
  runs = slots + slotsBytes
  runsEnd = runs
  hasBackdrop = false
}

function aligned(bytes: usize): usize {
  return (bytes + 15) & ~15
}

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

/** From now on the rows have only pixels that are uncovered; all others are the background's numbers. */
export function startBackdrop(): void {
  runsEnd = runs
  hasBackdrop = true
}

/** The address of a pixel in the rows of colours. */
export function pixelAt(x: i32, y: i32): usize {
  return rows + <usize>(y * (widthPx * channels + 1) + x * channels + 1)
}

/** The address of a pixel in the rows of numbers. */
export function numberAt(x: i32, y: i32): usize {
  return numbers + <usize>(y * (widthPx + 1) + x + 1)
}

/** A pixel as 0xRRGGBB or 0xFFRRGGBB, the background's where nothing has been painted. */
export function colorAt(x: i32, y: i32): u32 {
  const number = hasBackdrop ? load<u8>(numberAt(x, y)) : painted
  if (number !== painted) return load<u32>(colors + ((<usize>number) << 2))
  const at = pixelAt(x, y)
  return (<u32>load<u8>(at) << 16) | (<u32>load<u8>(at, 1) << 8) | <u32>load<u8>(at, 2)
}

/** Writes the background's pixels from column `from` to column `to` into a row, where it has none yet. */
export function uncover(y: i32, from: i32, to: i32): void {
  if (!hasBackdrop) return
  let pixel = pixelAt(from, y)
  for (let x = from; x < to; x++, pixel += 3) {
    const number = load<u8>(numberAt(x, y))
    if (number === painted) continue
    const color = load<u32>(colors + ((<usize>number) << 2))
    store<u8>(pixel, <u8>(color >>> 16))
    store<u8>(pixel, <u8>(color >>> 8), 1)
    store<u8>(pixel, <u8>color, 2)
  }
  cover(y, from, to)
}

/** Uncovers the whole background: from now on the rows have all pixels. */
export function endBackdrop(): void {
  for (let y = 0; y < heightPx; y++) {
    uncover(y, 0, widthPx)
    store<u8>(pixelAt(0, y) - 1, 0)
  }
  hasBackdrop = false
}

/** Notes that rows without a backdrop have all pixels of their own, so that their colours can be counted and numbered. */
export function coverAll(): void {
  runsEnd = runs
  for (let y = 0; y < heightPx; y++) {
    store<u8>(numberAt(0, y) - 1, 0)
    addRun(0, y, <usize>widthPx)
  }
}

/** Notes that a row has pixels of its own from column `from` to column `to`. */
export function cover(y: i32, from: i32, to: i32): void {
  if (!hasBackdrop) return
  const start = numberAt(from, y)
  const end = numberAt(to, y)
  const allPainted = i8x16.splat(painted)
  for (let at = start; at < end; ) {
    while (at < end && load<u8>(at) === painted) at++
    const first = at
    for (; at + 16 <= end && !v128.any_true(i8x16.eq(v128.load(at), allPainted)); at += 16) v128.store(at, allPainted)
    for (; at < end && load<u8>(at) !== painted; at++) store<u8>(at, painted)
    if (at > first) addRun(from + <i32>(first - start), y, at - first)
  }
}

function addRun(x: i32, y: i32, count: usize): void {
  store<u16>(runsEnd, <u16>x)
  store<u16>(runsEnd, <u16>y, 2)
  store<u32>(runsEnd, <u32>count, 4)
  runsEnd += runBytes
}
