import { adler32, adlerOfNothing } from './adler'
import { endBits, endOfBits, putBits, putBytes, startBits } from './bits'
import {
  buildCode,
  count,
  describeLengths,
  extraBits,
  lengthCodeCount,
  numberSymbol,
  putExtra,
  putLengthCode,
  putLengths,
  putSymbol,
} from './codes'
import { filterRow } from './filter-row'
import { reach, takeBlock } from './memory'
import { addBand, isEnd, startTokens } from './tokens'

/** Deflate's longest repeat. */
const repeatMax: usize = 258
/** Bytes that share their codes: some rows of a picture. */
const bandBytes: usize = 1 << 16

const literals: u32 = 286
const distances: u32 = 30
const endOfBlock: u32 = 256
const counts = memory.data(1152, 16)
const distanceCounts = memory.data(128, 16)
/** Lengths of both codes, one behind the other. */
const lengths = memory.data(320, 16)
let distanceLengths: usize = 0
const codes = memory.data(1152, 16)
const distanceCodes = memory.data(128, 16)
/** In which order the code of lengths is told. */
const places = memory.data<u8>([16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15])

/** The latest stream. */
export let deflated: usize = 0
export let deflatedEnd: usize = 0

/** Compresses rows of pixels of so many bytes as a zlib stream. Sixteen bytes behind them must be readable. */
export function deflate(from: usize, bytes: usize, pixelBytes: usize, stride: usize): void {
  startTokens(from, bytes, pixelBytes, stride, repeatMax)
  const tokens = takeBlock(bandBytes << 2)
  startStream()
  for (let isLast = false; !isLast; ) {
    const end = addBand(tokens, bandBytes)
    isLast = isEnd()
    countSymbols(tokens, end)
    startBlock((end - tokens) << 1, isLast)
    for (let at = tokens; at < end; at += 4) putToken(load<u32>(at))
    putSymbol(endOfBlock, codes, lengths)
  }
  endStream(adler32(adlerOfNothing, from, bytes))
}

/**
 * Compresses the rows of a photograph, whose bytes hardly repeat: as what pixels differ from what their neighbours promise, by
 * frequency alone. Returns whether the stream has at most `bytesMax`. Sixteen bytes behind the rows must be readable.
 */
export function deflatePhotograph(rows: usize, stride: usize, height: usize, bytesMax: usize): bool {
  const above = takeBlock(stride + 16)
  memory.fill(above, 0, stride)
  const bandRows = max(1, bandBytes / stride)
  const filtered = takeBlock(bandRows * stride + 16)
  const end = rows + height * stride
  let sum = adlerOfNothing
  startStream()
  for (let row = rows; row < end; ) {
    let to = filtered
    for (let i: usize = 0; i < bandRows && row < end; i++, row += stride, to += stride)
      filterRow(row, row === rows ? above : row - stride, stride, to)
    sum = adler32(sum, filtered, to - filtered)
    clearCounts()
    for (let at = filtered; at < to; at++) count(counts, <u32>load<u8>(at))
    count(counts, endOfBlock)
    startBlock((to - filtered) << 1, row === end)
    putBytes(filtered, to, codes, lengths)
    putSymbol(endOfBlock, codes, lengths)
    if (endOfBits() - deflated > bytesMax) return false
  }
  endStream(sum)
  return deflatedEnd - deflated <= bytesMax
}

function startStream(): void {
  deflated = takeBlock(0)
  // zlib's header: a window of 32 KB.
  store<u16>(deflated, 0x5e78)
  startBits(deflated + 2)
}

function endStream(checksum: u32): void {
  const out = endBits()
  reach(out + 16)
  store<u32>(out, bswap(checksum))
  deflatedEnd = out + 4
}

/** Finds the codes of the symbols that were counted, and tells them. The block's symbols may take so many bytes. */
function startBlock(bytesMax: usize, isLast: bool): void {
  reach(endOfBits() + bytesMax + 2048)
  buildCode(counts, literals, 15, lengths, codes)
  const literalsUsed = usedOf(lengths, literals, 257)
  distanceLengths = lengths + <usize>literalsUsed
  buildCode(distanceCounts, distances, 15, distanceLengths, distanceCodes)
  const distancesUsed = usedOf(distanceLengths, distances, 1)
  describeLengths(lengths, literalsUsed + distancesUsed)
  const told = lengthCodeCount(places)
  putBits(isLast ? 5 : 4, 3)
  putBits(literalsUsed - 257, 5)
  putBits(distancesUsed - 1, 5)
  putBits(told - 4, 4)
  putLengthCode(places, told)
  putLengths()
}

function clearCounts(): void {
  memory.fill(counts, 0, 1152)
  memory.fill(distanceCounts, 0, 128)
}

function countSymbols(from: usize, end: usize): void {
  clearCounts()
  for (let at = from; at < end; at += 4) {
    const token = load<u32>(at)
    const length = token >>> 16
    if (length === 0) count(counts, token)
    else {
      count(counts, lengthSymbol(length))
      count(distanceCounts, numberSymbol(token & 0xffff))
    }
  }
  count(counts, endOfBlock)
}

function usedOf(lengths: usize, symbols: u32, least: u32): u32 {
  let used = symbols
  while (used > least && load<u8>(lengths + <usize>(used - 1)) === 0) used--
  return used
}

// @ts-ignore: decorator
@inline
function putToken(token: u32): void {
  const length = token >>> 16
  if (length === 0) {
    putSymbol(token, codes, lengths)
    return
  }
  putSymbol(lengthSymbol(length), codes, lengths)
  if (length !== repeatMax) putExtra(length - 3, 2)
  const further = token & 0xffff
  putSymbol(numberSymbol(further), distanceCodes, distanceLengths)
  putExtra(further, 1)
}

// @ts-ignore: decorator
@inline
function lengthSymbol(length: u32): u32 {
  const bits = extraBits(length - 3, 2)
  return length === repeatMax ? 285 : 257 + (bits << 2) + ((length - 3) >>> bits)
}
