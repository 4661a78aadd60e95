import { edgeBytes, edges, edgesEnd, lower, upper } from './outline'
import { takeBlock } from './memory'
import { shadeOf } from './paint-shades'

/** Sample lines in a pixel row. Along a line, coverage is exact. */
const samples: i32 = 16

/** For each row from the top the address of the first edge in it, 0 if none, as u32. */
let firsts: usize = 0
/** For each edge the address of the next one that starts in the same row, as u32. */
let nexts: usize = 0
/** The edges that cross the current row: left end, right end and lower end as f64, and the address of the edge as u32. */
let active: usize = 0
let activeEnd: usize = 0
const activeBytes: usize = 32
/** The edges of a stretch: where each begins, how far it goes, its upper and its lower end, as f64. */
let lines: usize = 0
const lineBytes: usize = 48
/** Crossings of one sample line: the edge's address in `lines` as u32, and the position as f64. */
let order: usize = 0
let crossings: usize = 0
/** The f32 of a row of pixels: how much of each is covered, 0 to 1. */
let coverage: usize = 0
let topRow: i32 = 0
let row: i32 = 0

/** Prepares a walk down the edges, once for all rows. Edges that start above `top` count as starting in it. */
export function startSweep(top: i32, bottom: i32, right: i32): void {
  const count = (edgesEnd - edges) / edgeBytes
  const rowBytes = (<usize>(bottom - top)) << 2
  firsts = takeBlock(rowBytes)
  memory.fill(firsts, 0, rowBytes)
  nexts = takeBlock(count << 2)
  active = takeBlock(count * activeBytes)
  activeEnd = active
  lines = takeBlock(count * lineBytes)
  order = takeBlock(count << 2)
  crossings = takeBlock(count << 3)
  coverage = takeBlock((<usize>right) << 2)
  topRow = top
  row = top - 1
  for (let edge = edges, next = nexts; edge < edgesEnd; edge += edgeBytes, next += 4) {
    const y = max(<f64>top, Math.floor(upper(edge)))
    if (!(y < <f64>bottom)) continue
    const first = firsts + ((<usize>(<i32>y - top)) << 2)
    store<u32>(next, load<u32>(first))
    store<u32>(first, <u32>edge)
  }
}

/** Moves down to pixel row `y`, once for all stretches of the row. */
export function sweepTo(y: i32): void {
  if (row === y) return
  let kept = active
  for (let at = active; at < activeEnd; at += activeBytes) {
    if (!(load<f64>(at, 16) > <f64>y)) continue
    v128.store(kept, v128.load(at))
    v128.store(kept, v128.load(at, 16), 16)
    kept += activeBytes
  }
  while (row < y) {
    row++
    let edge = <usize>load<u32>(firsts + ((<usize>(row - topRow)) << 2))
    while (edge !== 0) {
      if (lower(edge) > <f64>y) {
        store<f64>(kept, min(load<f64>(edge), load<f64>(edge, 16)))
        store<f64>(kept, max(load<f64>(edge), load<f64>(edge, 16)), 8)
        store<f64>(kept, lower(edge), 16)
        store<u32>(kept, <u32>edge, 24)
        kept += activeBytes
      }
      edge = load<u32>(nexts + (((edge - edges) / edgeBytes) << 2))
    }
  }
  activeEnd = kept
}

/**
 * Fills the bytes `from` to `to - 1` at `shades` with the shades of pixel row `y` by non-zero coverage, overlaps counted once.
 * No shape may reach from outside into this range; edges beyond the picture's left side count as the side.
 */
export function sampleRow(y: i32, shades: usize, from: i32, to: i32): void {
  const left = <f64>from
  const right = <f64>to
  let count = 0
  for (let at = active; at < activeEnd; at += activeBytes) {
    // Most edges are far away, which shows without a division.
    if (load<f64>(at) >= right || (load<f64>(at, 8) < left && from > 0)) continue
    const edge = load<u32>(at, 24)
    if (touches(edge, y, from, to)) addLine(edge, count++)
  }
  const start = coverage + ((<usize>from) << 2)
  const end = coverage + ((<usize>to) << 2)
  memory.fill(start, 0, end - start)
  for (let i = 0; i < samples; i++) {
    sortCrossings(count, <f64>y + (<f64>i + 0.5) / <f64>samples)
    addSpans(count, from, to)
  }
  let covered: f32 = 0
  for (let x = from; x < to; x++) {
    covered += load<f32>(coverage + ((<usize>x) << 2))
    store<u8>(shades + <usize>x, shadeOf(covered))
  }
}

function touches(edge: usize, y: i32, from: i32, to: i32): boolean {
  const a = crossing(edge, max(<f64>y, upper(edge)))
  const b = crossing(edge, min(<f64>(y + 1), lower(edge)))
  return (max(a, b) >= <f64>from || from === 0) && min(a, b) < <f64>to
}

function crossing(edge: usize, y: f64): f64 {
  const x0 = load<f64>(edge)
  const y0 = load<f64>(edge, 8)
  return x0 + ((y - y0) / (load<f64>(edge, 24) - y0)) * (load<f64>(edge, 16) - x0)
}

function addLine(edge: usize, index: usize): void {
  const line = lines + index * lineBytes
  const x = load<f64>(edge)
  const y = load<f64>(edge, 8)
  store<f64>(line, x)
  store<f64>(line, y, 8)
  store<f64>(line, load<f64>(edge, 16) - x, 16)
  store<f64>(line, load<f64>(edge, 24) - y, 24)
  store<f64>(line, upper(edge), 32)
  store<f64>(line, lower(edge), 40)
  store<u32>(order + (index << 2), <u32>line)
}

/** Orders edges by where they cross the line; the order hardly changes from line to line. Others go last, at infinity. */
function sortCrossings(count: i32, y: f64): void {
  const end = crossings + ((<usize>count) << 3)
  let line = order
  let latest = -Infinity
  for (let at = crossings; at < end; at += 8, line += 4) {
    const x = crossingAt(load<u32>(line), y)
    if (x < latest) insert(at, line, x)
    else store<f64>(at, (latest = x))
  }
}

function crossingAt(line: usize, y: f64): f64 {
  if (load<f64>(line, 32) > y || load<f64>(line, 40) <= y) return Infinity
  return load<f64>(line) + ((y - load<f64>(line, 8)) / load<f64>(line, 24)) * load<f64>(line, 16)
}

/** Moves the line up to its place among those before it, all of which are in order. */
function insert(crossing: usize, place: usize, x: f64): void {
  const line = load<u32>(place)
  let at = crossing
  let to = place
  for (; at > crossings && load<f64>(at - 8) > x; at -= 8, to -= 4) {
    store<f64>(at, load<f64>(at - 8))
    store<u32>(to, load<u32>(to - 4))
  }
  store<f64>(at, x)
  store<u32>(to, line)
}

/** Adds the differences that make the running sum rise where a filled span starts and fall where it ends. */
function addSpans(count: i32, from: i32, to: i32): void {
  const height: f64 = 1.0 / <f64>samples
  let winding = 0
  for (let i: usize = 0; i < <usize>count; i++) {
    const x = load<f64>(crossings + (i << 3))
    if (x === Infinity) return
    const before = winding
    winding += load<f64>(load<u32>(order + (i << 2)), 24) > 0 ? 1 : -1
    if (before === 0) addStep(x, height, from, to)
    else if (winding === 0) addStep(x, -height, from, to)
  }
}

function addStep(x: f64, height: f64, from: i32, to: i32): void {
  const inside = max(x, <f64>from)
  const column = Math.floor(inside)
  // Not a number is nowhere.
  if (!(column < <f64>to)) return
  const outside = inside - column
  const at = coverage + ((<usize>(<i32>column)) << 2)
  store<f32>(at, <f32>(<f64>load<f32>(at) + height * (1 - outside)))
  if (<i32>column + 1 < to) store<f32>(at, <f32>(<f64>load<f32>(at, 4) + height * outside), 4)
}
