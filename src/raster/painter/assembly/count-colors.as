import { numberAt, pixelAt, runBytes, runs, runsEnd, slots } from './canvas'

/** A picture with more colours is a photograph. */
const slotsMax: u32 = 4096
const tableSize: u32 = slotsMax * 4
export const free: u16 = 0xffff

/** Open-addressing table: hash of a colour to its slot as u16, `free` when there is none. */
const table = memory.data(32768, 16)
/** The colours of the slots (0xAARRGGBB), and how many pixels have each, as u32. */
export const values = memory.data(16384, 16)
export const counts = memory.data(16384, 16)
/** How many colours were counted. */
export let used: u32 = 0

/** Counts the colours of what has been painted over a backdrop. Returns how many there are, -1 for too many. */
export function countUncovered(): i32 {
  startCounting()
  let to = slots
  for (let run = runs; run < runsEnd; run += runBytes) {
    let at = pixelAt(<i32>load<u16>(run), <i32>load<u16>(run, 2))
    const end = at + <usize>load<u32>(run, 4) * 3
    while (at < end) {
      const first = at
      const bytes = load<u32>(first) << 8
      do at += 3
      while (at < end && load<u32>(at) << 8 === bytes)
      const slot = slotOf(0xff000000 | bswap<u32>(bytes))
      if (slot === free) return -1
      const pixels = (at - first) / 3
      to = repeatSlot(to, slot, pixels)
      addPixels(slot, pixels)
    }
  }
  return used
}

export function addPixels(slot: u32, pixels: usize): void {
  const count = counts + ((<usize>slot) << 2)
  store<u32>(count, load<u32>(count) + <u32>pixels)
}

/** Writes a slot so many times, and up to three times more. Returns where it ends. */
export function repeatSlot(start: usize, slot: u32, times: usize): usize {
  const end = start + (times << 1)
  for (let at = start; at < end; at += 8) store<u64>(at, <u64>slot * 0x0001_0001_0001_0001)
  return end
}

/** Writes the numbers of what has been painted over a backdrop, by the number of each slot at `numberOf`. */
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

export function startCounting(): void {
  memory.fill(table, 255, tableSize << 1)
  memory.fill(counts, 0, (<usize>used) << 2)
  used = 0
}

/** The slot of a colour, `free` when there is none left. */
export function slotOf(color: u32): u32 {
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
