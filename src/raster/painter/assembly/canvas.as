import { takeCanvas } from './memory'

/** In rows of colours and in rows of numbers, for a pixel that something has been painted over. */
const painted: u8 = 255

export let widthPx: i32 = 0
export let heightPx: i32 = 0
/** Rows of a filter byte and three bytes a pixel. */
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

export function startCanvas(width: i32, height: i32): void {
  widthPx = width
  heightPx = height
  const pixels = (<usize>width) * (<usize>height)
  const colorBytes: usize = 1024
  const rowsBytes = aligned(pixels * 3 + <usize>height)
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

/** From now on the rows have only pixels that are uncovered; all others are the background's numbers. */
export function startBackdrop(): void {
  runsEnd = runs
  hasBackdrop = true
}

/** The address of a pixel in the rows of colours. */
export function pixelAt(x: i32, y: i32): usize {
  return rows + <usize>(y * (widthPx * 3 + 1) + x * 3 + 1)
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
