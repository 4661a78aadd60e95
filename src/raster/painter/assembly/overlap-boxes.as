import { contourCount, contourEnds, edgeBytes, edges } from './outline'
import { takeBlock } from './memory'

/** A contour is five f64: the box around it, and its area, which is positive or negative by direction. */
const contourBytes: usize = 40
const boxBytes: usize = 32

/** Boxes of four f64: left, top, right, bottom, by their left edges. The latest block of memory. */
export let boxes: usize = 0
export let boxesEnd: usize = 0

/**
 * Finds where contours that wind the same way (shapes wind one way, their holes the other) may overlap: the common parts of
 * their boxes. Generous (boxes cross where outlines need not), never too small, save for a contour that crosses itself.
 */
export function findOverlaps(): void {
  const count = <usize>contourCount
  const contours = takeBlock(count * contourBytes)
  const open = takeBlock(count << 2)
  measureContours(contours)
  const order = sortedByLeft(contours)
  boxes = takeBlock(0)
  boxesEnd = boxes
  let openCount: usize = 0
  for (let i: usize = 0; i < count; i++) {
    const contour = <usize>load<u32>(order + (i << 2))
    let kept: usize = 0
    for (let j: usize = 0; j < openCount; j++) {
      const other = load<u32>(open + (j << 2))
      if (load<f64>(other, 16) < load<f64>(contour)) continue
      store<u32>(open + (kept << 2), other)
      kept++
      addOverlap(other, contour)
    }
    store<u32>(open + (kept << 2), <u32>contour)
    openCount = kept + 1
  }
}

function addOverlap(other: usize, contour: usize): void {
  const isApart = load<f64>(other, 8) > load<f64>(contour, 24) || load<f64>(other, 24) < load<f64>(contour, 8)
  if (isApart || load<f64>(other, 32) * load<f64>(contour, 32) < 0) return
  takeBlock(boxBytes)
  store<f64>(boxesEnd, load<f64>(contour))
  store<f64>(boxesEnd, max(load<f64>(other, 8), load<f64>(contour, 8)), 8)
  store<f64>(boxesEnd, min(load<f64>(other, 16), load<f64>(contour, 16)), 16)
  store<f64>(boxesEnd, min(load<f64>(other, 24), load<f64>(contour, 24)), 24)
  boxesEnd += boxBytes
}

function measureContours(contours: usize): void {
  let edge = edges
  for (let i: usize = 0; i < <usize>contourCount; i++) {
    const end = <usize>load<u32>(contourEnds + (i << 2))
    let left = Infinity
    let top = Infinity
    let right = -Infinity
    let bottom = -Infinity
    let area: f64 = 0
    for (; edge < end; edge += edgeBytes) {
      const x0 = load<f64>(edge)
      const y0 = load<f64>(edge, 8)
      const x1 = load<f64>(edge, 16)
      const y1 = load<f64>(edge, 24)
      // A contour's edges join, but horizontal ones are left out: both ends count.
      left = min(left, min(x0, x1))
      top = min(top, min(y0, y1))
      right = max(right, max(x0, x1))
      bottom = max(bottom, max(y0, y1))
      area += (x0 + x1) * (y1 - y0)
    }
    const at = contours + i * contourBytes
    store<f64>(at, left)
    store<f64>(at, top, 8)
    store<f64>(at, right, 16)
    store<f64>(at, bottom, 24)
    store<f64>(at, area, 32)
  }
}

/** Returns the addresses of the contours, a u32 each, in the order of their left edges: merges runs of twice the length each time. */
function sortedByLeft(contours: usize): usize {
  const count = <usize>contourCount
  let from = takeBlock(count << 2)
  let to = takeBlock(count << 2)
  for (let i: usize = 0; i < count; i++) store<u32>(from + (i << 2), <u32>(contours + i * contourBytes))
  const end = count << 2
  for (let run: usize = 4; run < end; run <<= 1) {
    for (let at: usize = 0; at < end; at += run << 1)
      merge(from, to, at, min(at + run, end), min(at + (run << 1), end))
    const swapped = from
    from = to
    to = swapped
  }
  return from
}

/** Merges the sorted runs from `first` and from `second` on; of equal ones the first comes first. */
function merge(from: usize, to: usize, first: usize, second: usize, end: usize): void {
  let left = first
  let right = second
  for (let at = first; at < end; at += 4) {
    const isLeft =
      left < second &&
      (right >= end || load<f64>(load<u32>(from + left)) <= load<f64>(load<u32>(from + right)))
    store<u32>(to + at, load<u32>(from + (isLeft ? left : right)))
    if (isLeft) left += 4
    else right += 4
  }
}
