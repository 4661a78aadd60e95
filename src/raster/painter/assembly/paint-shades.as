import { colorAt, cover, pixelAt } from './canvas'
import { takeBlock } from './memory'

/**
 * Edges have 15 shades between nothing and full, each at most 8 of 255 from the exact one. That does not show
 * (resvg strays further), and makes PNGs of text a fifth to a half smaller: shades are what compresses worst.
 */
const shadesMax: i32 = 15
const eightShades: usize = 8
const eachByte: u64 = 0x0101010101010101

/** The shades of a row of pixels, a byte each. */
let shades: usize = 0
/** For each shade two u64: what it multiplies the channels below by, and what it adds to them. */
const shares = memory.data(256, 16)
/** Eight pixels of full shade, 0 where that lets something through. */
let fullShades: u64 = 0
/** The colour in the order of its bytes: red, green, blue, as often as u64 has room for. */
let pattern0: u64 = 0
let pattern1: u64 = 0
let pattern2: u64 = 0

/** Returns the address of the shades of a row that ends at column `right`. */
export function startShades(right: i32): usize {
  shades = takeBlock(<usize>right + eightShades)
  return shades
}

/** The shade of a pixel that is covered from 0 to 1. */
export function shadeOf(covered: f32): u8 {
  return <u8>min(shadesMax, <i32>(<f64>covered * <f64>shadesMax + 0.5))
}

/** Writes one shade so many times, and up to seven times more. Returns where it ends. */
export function repeatShade(start: usize, shade: u8, times: usize): usize {
  const end = start + times
  for (let at = start; at < end; at += eightShades) store<u64>(at, <u64>shade * eachByte)
  return end
}

/** Sets what the next pixels are painted with: 0xRRGGBB, opacity from 0 to 1. */
export function setColor(color: u32, opacity: f64): void {
  const alphaPerShade = (255 * opacity) / <f64>shadesMax
  let alpha = 0
  for (let shade = 0; shade <= shadesMax; shade++) {
    alpha = <i32>(<f64>shade * alphaPerShade + 0.5)
    const share = shares + ((<usize>shade) << 4)
    store<u64>(share, 255 - alpha)
    store<u64>(share, channelsOf(color) * <u64>alpha + 0x0080_0080_0080, 8)
  }
  fullShades = alpha === 255 ? <u64>shadesMax * eachByte : 0
  const bytes = <u64>(bswap<u32>(color) >>> 8)
  pattern0 = bytes | (bytes << 24) | (bytes << 48)
  pattern1 = (bytes >>> 16) | (bytes << 8) | (bytes << 32) | (bytes << 56)
  pattern2 = (bytes >>> 8) | (bytes << 16) | (bytes << 40)
}

/** The channels of 0xRRGGBB with 16 bits each, so that all three are multiplied at once. */
function channelsOf(color: u32): u64 {
  return ((<u64>color & 0xff0000) << 16) | ((<u64>color & 0xff00) << 8) | (<u64>color & 0xff)
}

/** Paints the pixels of a row from column `from` to column `to` by their shades. */
export function paintShades(y: i32, from: i32, to: i32): void {
  let pixel = pixelAt(from, y)
  for (let x = from; x < to; ) {
    const shade = shades + <usize>x
    if (x + <i32>eightShades <= to && load<u64>(shade) === fullShades && fullShades !== 0) {
      store<u64>(pixel, pattern0)
      store<u64>(pixel, pattern1, 8)
      store<u64>(pixel, pattern2, 16)
      pixel += 3 * eightShades
      x += <i32>eightShades
      continue
    }
    const share = shares + ((<usize>load<u8>(shade)) << 4)
    storeChannels(pixel, blended(channelsOf(colorAt(x, y)), load<u64>(share), load<u64>(share, 8)))
    pixel += 3
    x++
  }
  cover(y, from, to)
}

/** Channels below a shade, rounded: the shifts divide by 255. */
function blended(below: u64, factor: u64, addend: u64): u64 {
  const sum = below * factor + addend
  return ((sum + ((sum >>> 8) & 0x00ff_00ff_00ff)) >>> 8) & 0x00ff_00ff_00ff
}

function storeChannels(pixel: usize, channels: u64): void {
  store<u8>(pixel, <u8>(channels >>> 32))
  store<u8>(pixel, <u8>(channels >>> 16), 1)
  store<u8>(pixel, <u8>channels, 2)
}
