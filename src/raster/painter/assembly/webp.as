import {
  buildCode,
  count,
  endBits,
  endOfBits,
  numberSymbol,
  putBits,
  putExtra,
  putLengths,
  putSymbol,
  startBits,
} from './codes'
import { reach, takeBlock } from './memory'
import { bandCount, bandEnd, findTokens, tokens } from './tokens'

/** WebP without loss, by numbers of colours. Pixels have four channels, of which only green says something here. */

/** Pixels that share their codes at least: the rows of some tiles. */
const bandPixelsMin: u32 = 1 << 16
/** With fewer colours, decoders expect several pixels in a byte. */
const colorsMin: u32 = 17

/** Literals, and then the symbols of lengths. */
const literals: u32 = 280
const distances: u32 = 40
/** A distance is told with this added; the numbers below tell a pixel nearby. */
const nearbyCount: u32 = 120
/** The codes of a band: u32 codes of literals and distances, and u8 lengths of both. */
const distanceCodesAt: usize = 1120
const lengthsAt: usize = 1280
const distanceLengthsAt: usize = 1560
const bandCodesBytes: usize = 1600

const counts = memory.data(1120, 16)
const distanceCounts = memory.data(160, 16)
/** The codes of green, red, blue and alpha in a list of colours, each as those of a band. */
const channelCodes = memory.data(6400, 16)

/** The latest file. */
export let webp: usize = 0

/**
 * Writes a file of rows of a filter byte and a number of a colour a pixel. There are 1 to 256 colours of three bytes. Returns
 * how many bytes it has.
 */
export function writeWebp(rows: usize, width: u32, height: u32, colors: usize, colorCount: u32): usize {
  const pixels = takeBlock(<usize>(width * height) + 16)
  for (let y: u32 = 0; y < height; y++)
    memory.copy(pixels + <usize>(y * width), rows + <usize>(y * (width + 1) + 1), <usize>width)
  const tileBits = tileBitsFor(width, height)
  const columns = tilesOf(width, tileBits)
  const bands = tilesOf(height, tileBits)
  const tiles = takeBlock(<usize>(columns * bands) + 16)
  for (let band: u32 = 0; band < bands; band++)
    memory.fill(tiles + <usize>(band * columns), <u8>band, <usize>columns)
  findTokens(tiles, columns * bands, columns, columns * bands)
  const tileTokens = tokens
  const tileTokensEnd = bandEnd(0)
  findTokens(pixels, width * height, width, width << tileBits)
  const codes = takeBlock((<usize>bandCount + 1) * bandCodesBytes)
  webp = takeBlock(0)
  reach(webp + 16384 + ((tileTokensEnd - tileTokens) << 1))
  startFile(width, height)
  putColors(colors, colorCount)
  // No further transform, no cache of colours; codes differ by tile.
  putBits(4, 3)
  putBits(tileBits - 2, 3)
  putBits(0, 1)
  putCodes(tileTokens, tileTokensEnd, columns, codes)
  putTokens(tileTokens, tileTokensEnd, columns, codes)
  let bandCodes = codes + bandCodesBytes
  let at = tokens
  for (let band: u32 = 0; band < bandCount; band++, bandCodes += bandCodesBytes) {
    reach(endOfBits() + 2048)
    putCodes(at, bandEnd(band), width, bandCodes)
    at = bandEnd(band)
  }
  at = tokens
  bandCodes = codes + bandCodesBytes
  for (let band: u32 = 0; band < bandCount; band++, bandCodes += bandCodesBytes) {
    reach(endOfBits() + ((bandEnd(band) - at) << 1) + 64)
    putTokens(at, bandEnd(band), width, bandCodes)
    at = bandEnd(band)
  }
  return endFile()
}

/** Tiles are squares of 4 to 512 pixels; the number of a band is a byte. */
function tileBitsFor(width: u32, height: u32): u32 {
  let bits: u32 = 2
  while (bits < 9 && (width << bits < bandPixelsMin || tilesOf(height, bits) > 256)) bits++
  return bits
}

function tilesOf(pixels: u32, tileBits: u32): u32 {
  return (pixels + (1 << tileBits) - 1) >>> tileBits
}

/** "RIFF", the bytes behind it, "WEBP", "VP8L", the bytes behind it: two lengths are known at the end. */
function startFile(width: u32, height: u32): void {
  store<u32>(webp, 0x46464952)
  store<u32>(webp, 0x50424557, 8)
  store<u32>(webp, 0x4c385056, 12)
  startBits(webp + 20)
  putBits(0x2f, 8)
  putBits(width - 1, 14)
  putBits(height - 1, 14)
  // No alpha, version 0.
  putBits(0, 4)
}

function endFile(): usize {
  const end = endBits()
  const bytes = <u32>(end - webp) - 20
  store<u8>(end, 0)
  const fileBytes = <u32>(end - webp) + (bytes & 1)
  store<u32>(webp, bytes, 16)
  store<u32>(webp, fileBytes - 8, 4)
  return fileBytes
}

/** Says that pixels are numbers of colours, and which. Each colour is told as its steps from the one before, by channel. */
function putColors(colors: usize, colorCount: u32): void {
  const told = max(colorCount, colorsMin)
  putBits(7, 3)
  putBits(told - 1, 8)
  putBits(0, 1)
  for (let channel: u32 = 0; channel < 4; channel++) {
    memory.fill(counts, 0, 1120)
    for (let color: u32 = 0; color < told; color++) count(counts, stepOf(colors, colorCount, color, channel))
    const codes = channelCodes + <usize>channel * bandCodesBytes
    // Green comes first, whose alphabet has lengths too.
    putCode(counts, channel === 0 ? literals : 256, codes, codes + lengthsAt)
  }
  putOneSymbol()
  for (let color: u32 = 0; color < told; color++)
    for (let channel: u32 = 0; channel < 4; channel++) {
      const codes = channelCodes + <usize>channel * bandCodesBytes
      putSymbol(stepOf(colors, colorCount, color, channel), codes, codes + lengthsAt)
    }
}

/** Channels are green, red, blue and alpha, colours bytes of red, green and blue. The last colour is repeated. */
function stepOf(colors: usize, colorCount: u32, color: u32, channel: u32): u32 {
  if (color >= colorCount) return 0
  if (channel === 3) return color === 0 ? 255 : 0
  const at = colors + <usize>(color * 3 + (channel === 2 ? 2 : 1 - channel))
  const before: u32 = color === 0 ? 0 : load<u8>(at - 3)
  return (<u32>load<u8>(at) - before) & 255
}

/** Finds and writes the codes of some tokens. */
function putCodes(from: usize, end: usize, stride: u32, codes: usize): void {
  memory.fill(counts, 0, 1120)
  memory.fill(distanceCounts, 0, 160)
  for (let at = from; at < end; at += 4) {
    const token = load<u32>(at)
    const length = token >>> 16
    if (length === 0) count(counts, token)
    else {
      count(counts, 256 + numberSymbol(length - 1))
      count(distanceCounts, numberSymbol(distanceOf(token, stride)))
    }
  }
  putCode(counts, literals, codes, codes + lengthsAt)
  for (let channel = 0; channel < 3; channel++) putOneSymbol()
  putCode(distanceCounts, distances, codes + distanceCodesAt, codes + distanceLengthsAt)
}

function putCode(counts: usize, symbols: u32, codes: usize, lengths: usize): void {
  buildCode(counts, symbols, 15, lengths, codes)
  putLengths(lengths, symbols)
}

/** The code of an alphabet of which one symbol is used, 0, in no bits at all. */
function putOneSymbol(): void {
  putBits(1, 4)
}

function putTokens(from: usize, end: usize, stride: u32, codes: usize): void {
  const lengths = codes + lengthsAt
  const distanceCodes = codes + distanceCodesAt
  const distanceLengths = codes + distanceLengthsAt
  for (let at = from; at < end; at += 4) {
    const token = load<u32>(at)
    const length = token >>> 16
    if (length === 0) {
      putSymbol(token, codes, lengths)
      continue
    }
    putSymbol(256 + numberSymbol(length - 1), codes, lengths)
    putExtra(length - 1)
    const distance = distanceOf(token, stride)
    putSymbol(numberSymbol(distance), distanceCodes, distanceLengths)
    putExtra(distance)
  }
}

/** A token's distance as it is told: the pixel above is 0, the one on the left 1. */
// @ts-ignore: decorator
@inline
function distanceOf(token: u32, stride: u32): u32 {
  const further = token & 0xffff
  return further + 1 === stride ? 0 : further === 0 ? 1 : further + nearbyCount
}
