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
/** Two bytes for each pixel. */
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
  const slotsBytes = aligned(pixels << 1)
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

/** Writes the background's pixels from column `from` to column `to` into a row, where it has none yet. */
export function uncover(y: i32, from: i32, to: i32): void {
  if (!hasBackdrop) return
  const number = numbers + <usize>(y * (widthPx + 1) + 1)
  const pixel = rows + <usize>(y * (widthPx * 3 + 1) + 1)
  for (let x = from; x < to; x++) {
    while (x < to && load<u8>(number + <usize>x) === painted) x++
    const start = x
    for (; x < to; x++) {
      const index = load<u8>(number + <usize>x)
      if (index === painted) break
      const color = load<u32>(colors + ((<usize>index) << 2))
      const at = pixel + <usize>(x * 3)
      store<u8>(at, <u8>(color >>> 16))
      store<u8>(at, <u8>(color >>> 8), 1)
      store<u8>(at, <u8>color, 2)
    }
    if (x > start) endRun(number, start, x, y)
  }
}

function endRun(number: usize, from: i32, to: i32, y: i32): void {
  memory.fill(number + <usize>from, painted, <usize>(to - from))
  store<u16>(runsEnd, <u16>from)
  store<u16>(runsEnd, <u16>y, 2)
  store<i32>(runsEnd, to - from, 4)
  runsEnd += runBytes
}
