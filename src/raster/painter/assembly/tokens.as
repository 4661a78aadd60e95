import { takeBlock } from './memory'

/**
 * A picture's bytes as literals and repeats. Most of a card repeats the pixel on the left or the row above, so these are
 * looked at first; a table of earlier places finds the rest.
 */

/** A token is a u32: a repeat has its length from bit 16 on, and below it the distance minus 1; a literal is its byte. */
export let tokens: usize = 0
/** For each band of rows a u32, the address where its tokens end. */
let bandEnds: usize = 0
export let bandCount: u32 = 0

const distanceMax: usize = 32768
const lengthMax: usize = 4096
/** Shorter repeats cost more than their literals. */
const lengthMin: usize = 4
/** A repeat so long is taken without a look at the next byte, and the places inside it are not remembered. */
const lazyLengthMax: usize = 32
/** A repeat of the pixel on the left or of the row above so long is not searched for elsewhere. */
const goodLength: usize = 32

const tableBits: u64 = 14
/** For each hash of eight bytes the four latest places with it, each the lowest 16 bits of its offset, the latest lowest. */
const table = memory.data(131072, 16)
const tableBytes: usize = 131072

let first: usize = 0
let end: usize = 0
let stride: usize = 0
/** The repeat that was found last; length 0 when there is none. */
let length: usize = 0
let distance: usize = 0
let to: usize = 0
let currentBandEnd: usize = 0

/** Finds the tokens of rows of one byte a pixel, by bands in which they begin. Sixteen bytes behind the rows must be readable. */
export function findTokens(from: usize, bytes: usize, rowBytes: usize, bandBytes: usize): void {
  first = from
  end = from + bytes
  stride = rowBytes
  memory.fill(table, 0, tableBytes)
  bandEnds = takeBlock((bytes / bandBytes + 1) << 2)
  bandCount = 0
  tokens = takeBlock(bytes << 2)
  to = tokens
  let next = from
  for (currentBandEnd = from; currentBandEnd < end; bandCount++) {
    currentBandEnd = min(end, currentBandEnd + bandBytes)
    while (next < currentBandEnd) next = addTokens(next)
    store<u32>(bandEnds + (<usize>bandCount << 2), <u32>to)
  }
}

/** The address where the tokens of a band end. */
export function bandEnd(band: u32): usize {
  return <usize>load<u32>(bandEnds + (<usize>band << 2))
}

/** Adds a repeat, behind a literal where a longer one begins after it, or a literal. Returns the address behind them. */
function addTokens(at: usize): usize {
  findRepeat(at)
  if (length !== 0 && length < lazyLengthMax && at + 1 < currentBandEnd) {
    const foundLength = length
    const foundDistance = distance
    findRepeat(at + 1)
    if (length > foundLength) addToken(load<u8>(at++))
    else {
      length = foundLength
      distance = foundDistance
    }
  }
  if (length === 0) {
    addToken(load<u8>(at))
    return at + 1
  }
  addToken((<u32>length << 16) | <u32>(distance - 1))
  const behind = at + length
  if (length < lazyLengthMax) for (at += 2; at < behind; at++) remember(at)
  return behind
}

// @ts-ignore: decorator
@inline
function addToken(token: u32): void {
  store<u32>(to, token)
  to += 4
}

function findRepeat(at: usize): void {
  const most = min(lengthMax, end - at)
  length = 0
  if (at > first) tryDistance(at, 1, most)
  if (at >= first + stride) tryDistance(at, stride, most)
  // Bytes behind the rows must not decide.
  if (length >= goodLength || at + 8 > end) return
  const bytes = load<u64>(at)
  const place = placeOf(bytes)
  const offset = at - first
  const found = load<u64>(place)
  store<u64>(place, (found << 16) | <u64>(offset & 0xffff))
  for (let candidates = found, i = 0; i < 4; i++, candidates >>= 16) {
    const by = (offset - <usize>candidates) & 0xffff
    if (by === 0 || by > distanceMax || by > offset) break
    if (load<u64>(at - by) === bytes) tryDistance(at, by, most)
  }
}

function remember(at: usize): void {
  const place = placeOf(load<u64>(at))
  store<u64>(place, (load<u64>(place) << 16) | <u64>((at - first) & 0xffff))
}

// @ts-ignore: decorator
@inline
function placeOf(bytes: u64): usize {
  return table + <usize>(((bytes * 0x9e3779b97f4a7c15) >> (64 - tableBits)) << 3)
}

/** Takes a repeat that is longer than the one before, at whose end it must go on. */
// @ts-ignore: decorator
@inline
function tryDistance(at: usize, by: usize, most: usize): void {
  if (load<u32>(at) !== load<u32>(at - by) || load<u8>(at + length) !== load<u8>(at + length - by)) return
  const found = min(most, equalBytes(at, at - by, most))
  if (found < lengthMin || found <= length) return
  length = found
  distance = by
}

/** How many bytes are equal from two addresses on; may exceed `most` by less than sixteen. */
function equalBytes(a: usize, b: usize, most: usize): usize {
  let count: usize = 0
  while (count < most) {
    const unequal = i8x16.bitmask(i8x16.ne(v128.load(a + count), v128.load(b + count)))
    if (unequal !== 0) return count + <usize>ctz(unequal)
    count += 16
  }
  return count
}
