import { addAreas } from './areas'
import { heightPx, rows, uncover, widthPx } from './canvas'
import { edges, edgesEnd, endEdges, inkBottom, inkLeft, inkRight, inkTop } from './edges'
import { takeBlock } from './memory'
import { boxes, boxesEnd, findOverlaps } from './overlap-boxes'
import { sampleRow, startSweep, sweepTo } from './sample-row'

/** Rounding of the running sum; far below one step of 255. */
const epsilon: f64 = 1.0 / 1024.0

/**
 * Edges have 15 shades between nothing and full, each at most 8 of 255 from the exact one. That does not show
 * (resvg strays further), and makes PNGs of text a fifth to a half smaller: shades are what compresses worst.
 */
const shades: i32 = 15

/** The alpha of each shade. */
const alphas = memory.data(16)
let red: u32 = 0
let green: u32 = 0
let blue: u32 = 0

/** The f32 of a row of pixels: how much of each is covered, 0 to 1. */
let coverage: usize = 0
/** Parts of the row with nothing filled beside them: their ends, and whether contours overlap in them, as i32. */
let stretches: usize = 0
const stretchBytes: usize = 12

/**
 * Fills the edges (non-zero winding, antialiased) with a colour 0xRRGGBB.
 *
 * Two methods: signed areas, summed along the row, are exact and fast where contours lie apart. Where
 * they overlap (variable fonts, Arabic joins, the headline of Devanagari) an edge inside another shape
 * would be counted twice: such stretches of a row are sampled instead. Known error: the pixel
 * in which opposite windings of one contour touch, which no font draws.
 */
export function fillEdges(color: u32, opacity: f64): void {
  endEdges()
  const top = <i32>max<f64>(0, Math.floor(inkTop))
  const bottom = <i32>min(<f64>heightPx, Math.ceil(inkBottom))
  const left = <i32>min(<f64>widthPx, max<f64>(0, Math.floor(inkLeft)))
  const right = <i32>max<f64>(0, min(<f64>widthPx, Math.ceil(inkRight)))
  if (bottom <= top || right <= left) return
  setColor(color, opacity)

  // Two cells more than pixels: an edge on the right side spills into the next. Four at a time are compared.
  const stride = (right - left + 2 + 3) & ~3
  const areaBytes = (<usize>(stride * (bottom - top))) << 2
  const areas = takeBlock(areaBytes)
  memory.fill(areas, 0, areaBytes)
  addAreas(areas, stride, left, right, top, bottom)
  coverage = takeBlock((<usize>right) << 2)
  stretches = takeBlock((<usize>(right - left + 2)) * stretchBytes)
  findOverlaps()
  let isSweeping = false
  for (let y = top; y < bottom; y++) {
    const stretchesEnd = sumRow(areas + ((<usize>((y - top) * stride)) << 2), left, right)
    let box = boxes
    // Right end of the boxes that begin before the end of the stretch.
    let reach = -Infinity
    for (let at = stretches; at < stretchesEnd; at += stretchBytes) {
      const start = load<i32>(at)
      const end = load<i32>(at, 4)
      for (; box < boxesEnd && load<f64>(box) < <f64>end; box += 32)
        if (load<f64>(box, 8) < <f64>(y + 1) && load<f64>(box, 24) > <f64>y) reach = max(reach, load<f64>(box, 16))
      if (reach > <f64>start || load<i32>(at, 8) !== 0) {
        if (!isSweeping) startSweep(top, bottom)
        isSweeping = true
        sweepTo(y)
        sampleRow(y, coverage, start, end)
      }
      paintStretch(y, start, end)
    }
  }
}

/** Sums a row of areas into coverage, and finds its stretches. Returns where they end. */
function sumRow(areas: usize, left: i32, right: i32): usize {
  const last = areas + ((<usize>(right - left)) << 2)
  const toCoverage = coverage + ((<usize>left) << 2) - areas
  let stretch = stretches
  for (let at = nextArea(areas, last); at < last; at = nextArea(at, last)) {
    store<i32>(stretch, columnOf(at, areas, left))
    let sum: f64 = 0
    let least: f64 = 0
    let most: f64 = 0
    while (at < last) {
      const area = <f64>load<f32>(at)
      if (area === 0) {
        if (sum < epsilon && sum > -epsilon) break
        const covered = <f32>Math.abs(sum)
        for (const next = nextArea(at, last); at < next; at += 4) store<f32>(at + toCoverage, covered)
        continue
      }
      sum += area
      store<f32>(at + toCoverage, <f32>Math.abs(sum))
      if (sum < least) least = sum
      else if (sum > most) most = sum
      at += 4
    }
    store<i32>(stretch, columnOf(at, areas, left), 4)
    store<i32>(stretch, windsTwice(least, most) ? 1 : 0, 8)
    stretch += stretchBytes
  }
  return stretch
}

function columnOf(at: usize, areas: usize, left: i32): i32 {
  return <i32>((at - areas) >>> 2) + left
}

/** The first f32 from `at` on that is not zero, `end` where there is none. */
function nextArea(at: usize, end: usize): usize {
  let next = at
  while (next + 16 <= end && !v128.any_true(f32x4.ne(v128.load(next), f32x4.splat(0)))) next += 16
  while (next < end && load<f32>(next) === 0) next += 4
  return next
}

function windsTwice(least: f64, most: f64): boolean {
  return most - least > 1 + epsilon || (least < -epsilon && most > epsilon)
}

function setColor(color: u32, opacity: f64): void {
  red = (color >>> 16) & 255
  green = (color >>> 8) & 255
  blue = color & 255
  const alphaPerShade = (255 * opacity) / <f64>shades
  for (let shade = 0; shade <= shades; shade++)
    store<u8>(alphas + <usize>shade, <u8>(<i32>(<f64>shade * alphaPerShade + 0.5)))
}

function paintStretch(y: i32, from: i32, to: i32): void {
  uncover(y, from, to)
  let at = rows + <usize>(y * (widthPx * 3 + 1) + 1 + from * 3)
  const end = coverage + ((<usize>to) << 2)
  for (let covered = coverage + ((<usize>from) << 2); covered < end; covered += 4, at += 3) {
    const shade = min(shades, <i32>(<f64>load<f32>(covered) * <f64>shades + 0.5))
    const alpha = <u32>load<u8>(alphas + <usize>shade)
    if (alpha === 0) continue
    if (alpha === 255) {
      store<u8>(at, <u8>red)
      store<u8>(at, <u8>green, 1)
      store<u8>(at, <u8>blue, 2)
    } else {
      store<u8>(at, mixed(load<u8>(at), red, alpha))
      store<u8>(at, mixed(load<u8>(at, 1), green, alpha), 1)
      store<u8>(at, mixed(load<u8>(at, 2), blue, alpha), 2)
    }
  }
}

/** `under` seen through `over` at `alpha` of 255, rounded; the shifts divide by 255. */
function mixed(under: u32, over: u32, alpha: u32): u8 {
  const sum = under * (255 - alpha) + over * alpha + 128
  return <u8>((sum + (sum >>> 8)) >>> 8)
}
