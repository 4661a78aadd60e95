import { heightPx, widthPx } from './canvas'
import { takeBlock } from './memory'
import { edgeBytes, edges, edgesEnd, endEdges, inkBottom, inkLeft, inkRight, inkTop } from './outline'
import { boxes, boxesEnd, findOverlaps } from './overlap-boxes'
import { paintShades, repeatShade, setColor, shadeOf, startShades } from './paint-shades'
import { sampleRow, startSweep, sweepTo } from './sample-row'

/** Rounding of the running sum; far below one step of 255. */
const epsilon: f64 = 1.0 / 1024.0

/** Whether contours overlap in the latest stretch. */
let windsTwice = false

/** Steps from one colour to another: more would not show, and make PNGs larger. */
const colorSteps: i32 = 16

/**
 * Fills the edges (non-zero winding, antialiased) with a colour 0xRRGGBB, which passes into `foot` at their lower end.
 *
 * Two methods: signed areas, summed along the row, are exact and fast where contours lie apart. Where
 * they overlap (variable fonts, Arabic joins, the headline of Devanagari) an edge inside another shape
 * would be counted twice: such stretches of a row are sampled instead. A stretch is a part of a row with nothing
 * filled beside it. Known error: the pixel in which opposite windings of one contour touch, which no font draws.
 */
export function fillEdges(color: u32, foot: u32, opacity: f64): void {
  endEdges()
  const top = <i32>max<f64>(0, Math.floor(inkTop))
  const bottom = <i32>min(<f64>heightPx, Math.ceil(inkBottom))
  const left = <i32>min(<f64>widthPx, max<f64>(0, Math.floor(inkLeft)))
  const right = <i32>max<f64>(0, min(<f64>widthPx, Math.ceil(inkRight)))
  if (bottom <= top || right <= left) return

  // Three cells more than pixels, because an edge on the right side spills into the next, and four are read at once.
  const stride = right - left + 3
  const areaBytes = (<usize>(stride * (bottom - top))) << 2
  const areas = takeBlock(areaBytes)
  memory.fill(areas, 0, areaBytes)
  addAreas(areas, stride, left, right, top, bottom)
  let step = 0
  setColor(color, opacity)
  const shades = startShades(right)
  findOverlaps()
  let isSweeping = false
  for (let y = top; y < bottom; y++) {
    const wanted = <i32>((<f64>(y - top) / <f64>(bottom - top)) * <f64>colorSteps)
    if (wanted !== step && color !== foot) setColor(mixed(color, foot, wanted), opacity)
    step = wanted
    const row = areas + ((<usize>((y - top) * stride)) << 2)
    const last = row + ((<usize>(right - left)) << 2)
    let box = boxes
    // Right end of the boxes that begin before the end of the stretch.
    let reach = -Infinity
    for (let at = nextArea(row, last); at < last; at = nextArea(at, last)) {
      const start = columnOf(at, row, left)
      at = sumStretch(at, last, shades + <usize>start)
      const end = columnOf(at, row, left)
      for (; box < boxesEnd && load<f64>(box) < <f64>end; box += 32)
        if (load<f64>(box, 8) < <f64>(y + 1) && load<f64>(box, 24) > <f64>y) reach = max(reach, load<f64>(box, 16))
      if (reach > <f64>start || windsTwice) {
        if (!isSweeping) startSweep(top, bottom, right)
        isSweeping = true
        sweepTo(y)
        sampleRow(y, shades, start, end)
      }
      paintShades(y, start, end)
    }
  }
}

/** The colour at a step between two, the last of which is the second one. */
function mixed(color: u32, foot: u32, step: i32): u32 {
  let all: u32 = 0
  for (let shift = 0; shift < 24; shift += 8) {
    const from = <i32>((color >>> shift) & 255)
    const to = <i32>((foot >>> shift) & 255)
    all |= <u32>(from + ((to - from) * step) / (colorSteps - 1)) << shift
  }
  return all
}

function columnOf(at: usize, row: usize, left: i32): i32 {
  return <i32>((at - row) >>> 2) + left
}

/** Sums the areas of a stretch, from its first on, into shades. Returns where the areas of the stretch end. */
function sumStretch(first: usize, last: usize, shades: usize): usize {
  let at = first
  let to = shades
  let sum: f64 = 0
  let least: f64 = 0
  let most: f64 = 0
  while (at < last) {
    const area = <f64>load<f32>(at)
    if (area === 0) {
      if (sum < epsilon && sum > -epsilon) break
      const next = nextArea(at, last)
      to = repeatShade(to, shadeOf(<f32>Math.abs(sum)), (next - at) >>> 2)
      at = next
      continue
    }
    sum += area
    store<u8>(to++, shadeOf(<f32>Math.abs(sum)))
    if (sum < least) least = sum
    else if (sum > most) most = sum
    at += 4
  }
  windsTwice = most - least > 1 + epsilon || (least < -epsilon && most > epsilon)
  return at
}

/** The first f32 from `at` on that is not zero, `end` where there is none. Reads up to three f32 behind the end. */
function nextArea(at: usize, end: usize): usize {
  for (let next = at; next < end; next += 16) {
    const found = i32x4.bitmask(f32x4.ne(v128.load(next), f32x4.splat(0)))
    if (found !== 0) return min(end, next + ((<usize>ctz(found)) << 2))
  }
  return end
}

/**
 * Adds, for every edge and pixel row, the signed share of pixels to the right of the edge, as the differences between
 * neighbours: a running sum along a row then gives each pixel's winding, averaged over its area. The f32 of row `y`, column
 * `x` is number `(y - top) * stride + x - left`. Edges beyond the left or right side count as lying on it.
 */
function addAreas(areas: usize, stride: i32, left: i32, right: i32, top: i32, bottom: i32): void {
  for (let edge = edges; edge < edgesEnd; edge += edgeBytes) {
    const isDown = load<f64>(edge, 8) < load<f64>(edge, 24)
    const first = isDown ? edge : edge + 16
    const last = isDown ? edge + 16 : edge
    const x0 = load<f64>(first)
    const y0 = load<f64>(first, 8)
    const y1 = load<f64>(last, 8)
    const slope = (load<f64>(last) - x0) / (y1 - y0)
    const winding: f64 = isDown ? 1 : -1
    const end = min(y1, <f64>bottom)
    let y = max(y0, <f64>top)
    let x = clamp(x0 + (y - y0) * slope, left, right)
    let row = Math.floor(y)
    let base = areas + ((<usize>((<i32>row - top) * stride)) << 2)
    const rowBytes = (<usize>stride) << 2
    for (; y < end; base += rowBytes) {
      row += 1
      const nextY = row < end ? row : end
      const nextX = clamp(x0 + (nextY - y0) * slope, left, right)
      addRowAreas(base, left, x, nextX, (nextY - y) * winding)
      y = nextY
      x = nextX
    }
  }
}

function clamp(value: f64, low: i32, high: i32): f64 {
  return value > <f64>low ? (value < <f64>high ? value : <f64>high) : <f64>low
}

/** One edge within one row: every pixel that it crosses takes its share of `height`, split at the mean x. */
function addRowAreas(base: usize, left: i32, x0: f64, x1: f64, height: f64): void {
  const isRight = x0 < x1
  const low = isRight ? x0 : x1
  const high = isRight ? x1 : x0
  let column = Math.floor(low)
  let at = base + ((<usize>(<i32>column - left)) << 2)
  if (high <= column + 1) {
    addShare(at, height, (low + high) / 2 - column)
    return
  }
  const heightPerPx = height / (high - low)
  for (let x = low; x < high; column++, at += 4) {
    const next = min(column + 1, high)
    addShare(at, (next - x) * heightPerPx, (x + next) / 2 - column)
    x = next
  }
}

function addShare(at: usize, height: f64, outside: f64): void {
  const share = f64x2.mul(f64x2.splat(height), f64x2.replace_lane(f64x2.splat(1 - outside), 1, outside))
  const sum = f64x2.add(f64x2.promote_low_f32x4(v128.load_zero<u64>(at)), share)
  v128.store_lane<u64>(at, f32x4.demote_f64x2_zero(sum), 0)
}
