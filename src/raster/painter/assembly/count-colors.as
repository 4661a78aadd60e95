import { numbers, rows, runBytes, runs, runsEnd, slots, widthPx } from './canvas'

/** A picture with more colours is a photograph. */
const slotsMax: u32 = 4096
const tableSize: u32 = slotsMax * 4
const free: u16 = 0xffff

/** Open-addressing table: hash of a colour to its slot as u16, `free` when there is none. */
const table = memory.data(32768, 16)
/** The colours of the slots (0xAARRGGBB), and how many pixels have each, as u32. */
export const values = memory.data(16384, 16)
export const counts = memory.data(16384, 16)
let used: u32 = 0

/** Counts the colours of what has been painted over a backdrop. Returns how many there are, -1 for too many. */
export function countUncovered(): i32 {
  startCounting()
  let slot: u32 = free
  let latest: u32 = 0
  let to = slots
  for (let run = runs; run < runsEnd; run += runBytes) {
    const y = <i32>load<u16>(run, 2)
    let at = rows + <usize>(y * (widthPx * 3 + 1) + <i32>load<u16>(run) * 3 + 1)
    const end = at + (<usize>load<u32>(run, 4)) * 3
    for (; at < end; at += 3) {
      const color = colorAt(at)
      if (color !== latest || slot === free) slot = slotOf(color)
      if (slot === free) return -1
      latest = color
      store<u16>(to, <u16>slot)
      to += 2
      const count = counts + ((<usize>slot) << 2)
      store<u32>(count, load<u32>(count) + 1)
    }
  }
  return used
}

/** Writes the numbers of what has been painted over a backdrop, by the number of each slot at `numberOf`. */
export function numberUncovered(numberOf: usize): void {
  let from = slots
  for (let run = runs; run < runsEnd; run += runBytes) {
    let at = numbers + <usize>(<i32>load<u16>(run, 2) * (widthPx + 1) + <i32>load<u16>(run) + 1)
    const end = at + <usize>load<u32>(run, 4)
    for (; at < end; at++) {
      store<u8>(at, load<u8>(numberOf + <usize>load<u16>(from)))
      from += 2
    }
  }
}

/** A pixel of three bytes as 0xFFRRGGBB. */
function colorAt(at: usize): u32 {
  return 0xff000000 | (<u32>load<u8>(at) << 16) | (<u32>load<u8>(at, 1) << 8) | <u32>load<u8>(at, 2)
}

function startCounting(): void {
  memory.fill(table, 255, tableSize << 1)
  memory.fill(counts, 0, (<usize>used) << 2)
  used = 0
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
