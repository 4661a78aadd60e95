/** Bits are written from the lowest one of a byte on. */
let pending: u64 = 0
let pendingBits: u64 = 0
/** Where the next whole bytes go. */
let out: usize = 0

export function startBits(at: usize): void {
  out = at
  pending = 0
  pendingBits = 0
}

/** Writes the lowest `count` bits of a value that has no others; at most 32. */
// @ts-ignore: decorator
@inline
export function putBits(value: u32, count: u32): void {
  pending |= <u64>value << pendingBits
  pendingBits += <u64>count
  if (pendingBits >= 32) {
    store<u32>(out, <u32>pending)
    out += 4
    pending >>= 32
    pendingBits -= 32
  }
}

/** The address behind the bytes that are written so far. */
export function endOfBits(): usize {
  return out
}

/** Completes the last byte. Returns the address behind it. */
export function endBits(): usize {
  while (pendingBits > 0) {
    store<u8>(out, <u8>pending)
    out++
    pending >>= 8
    pendingBits = pendingBits > 8 ? pendingBits - 8 : 0
  }
  return out
}

/** Prefix codes (Huffman) as WebP has them: canonical, with the first bit of a code in the lowest place. */

/** Used symbols by frequency, count and symbol in one u64. */
const order = memory.data(2304, 16)
/** Leaves and then the nodes above them: weights and parents. */
const weights = memory.data(2304 * 2, 16)
const parents = memory.data(1152 * 2, 16)
/** How many codes have each length, and the next code of each. */
const perLength = memory.data(64, 16)
const nextCodes = memory.data(64, 16)

/**
 * Finds the code of each symbol from how often it is used. `counts` are u32; `lengths` u8, 0 for an unused symbol; `codes`
 * u32. At least two symbols get a code, because decoders differ in how they read a code of one.
 */
export function buildCode(counts: usize, symbols: u32, bitsMax: u32, lengths: usize, codes: usize): void {
  memory.fill(lengths, 0, symbols)
  // Rare symbols count as more frequent until no code is too long.
  for (let least: u64 = 1; ; least <<= 1) {
    const used = sortByCount(counts, symbols, least)
    if (findLengths(used, lengths) <= bitsMax) break
  }
  assignCodes(symbols, lengths, codes)
}

/** Returns how many symbols are used. */
function sortByCount(counts: usize, symbols: u32, least: u64): u32 {
  let used: u32 = 0
  for (let symbol: u32 = 0; symbol < symbols; symbol++) {
    const count = <u64>load<u32>(counts + (<usize>symbol << 2))
    if (count !== 0) addUsed(used++, max(count, least), symbol)
  }
  for (let symbol: u32 = 0; used < 2; symbol++)
    if (used === 0 || <u32>load<u16>(order) !== symbol) addUsed(used++, least, symbol)
  for (let gap = used >> 1; gap > 0; gap >>= 1)
    for (let i = gap; i < used; i++) {
      const moved = load<u64>(order + (<usize>i << 3))
      let place = i
      for (; place >= gap && load<u64>(order + (<usize>(place - gap) << 3)) > moved; place -= gap)
        store<u64>(order + (<usize>place << 3), load<u64>(order + (<usize>(place - gap) << 3)))
      store<u64>(order + (<usize>place << 3), moved)
    }
  return used
}

function addUsed(place: u32, count: u64, symbol: u32): void {
  store<u64>(order + (<usize>place << 3), (count << 16) | <u64>symbol)
}

/** Joins the two lightest nodes until one is left. Returns the length of the longest code. */
function findLengths(used: u32, lengths: usize): u32 {
  for (let leaf: u32 = 0; leaf < used; leaf++)
    store<u64>(weights + (<usize>leaf << 3), load<u64>(order + (<usize>leaf << 3)) >> 16)
  const root: u32 = (used << 1) - 2
  let leaf: u32 = 0
  let inner = used
  for (let node = used; node <= root; node++) {
    let weight: u64 = 0
    for (let i = 0; i < 2; i++) {
      const isLeaf =
        leaf < used &&
        (inner === node || load<u64>(weights + (<usize>leaf << 3)) <= load<u64>(weights + (<usize>inner << 3)))
      const child = isLeaf ? leaf++ : inner++
      weight += load<u64>(weights + (<usize>child << 3))
      store<u32>(parents + (<usize>child << 2), node)
    }
    store<u64>(weights + (<usize>node << 3), weight)
  }
  // From here on a node's weight is its depth.
  store<u64>(weights + (<usize>root << 3), 0)
  let longest: u64 = 0
  for (let node = <i32>root - 1; node >= 0; node--) {
    const parent = load<u32>(parents + (<usize>node << 2))
    const depth = load<u64>(weights + (<usize>parent << 3)) + 1
    store<u64>(weights + (<usize>node << 3), depth)
    if (<u32>node >= used) continue
    store<u8>(lengths + <usize>load<u16>(order + (<usize>node << 3)), <u8>depth)
    longest = max(longest, depth)
  }
  return <u32>longest
}

function assignCodes(symbols: u32, lengths: usize, codes: usize): void {
  memory.fill(perLength, 0, 64)
  for (let symbol: u32 = 0; symbol < symbols; symbol++) {
    const at = perLength + (<usize>load<u8>(lengths + <usize>symbol) << 2)
    store<u32>(at, load<u32>(at) + 1)
  }
  store<u32>(perLength, 0)
  let code: u32 = 0
  for (let bits: usize = 1; bits < 16; bits++) {
    code = (code + load<u32>(perLength + ((bits - 1) << 2))) << 1
    store<u32>(nextCodes + (bits << 2), code)
  }
  for (let symbol: u32 = 0; symbol < symbols; symbol++) {
    const bits = <u32>load<u8>(lengths + <usize>symbol)
    if (bits === 0) continue
    const at = nextCodes + (<usize>bits << 2)
    store<u32>(codes + (<usize>symbol << 2), reversed(load<u32>(at), bits))
    store<u32>(at, load<u32>(at) + 1)
  }
}

function reversed(code: u32, bits: u32): u32 {
  let turned: u32 = 0
  for (let i: u32 = 0; i < bits; i++) turned |= ((code >>> i) & 1) << (bits - 1 - i)
  return turned
}

/** The symbols that tell lengths: 0 to 15 are lengths, 16 repeats the one before, 17 and 18 are zeros. */
const lengthSymbols: u32 = 19
/** In which order their own lengths are told. */
const places = memory.data<u8>([17, 18, 0, 1, 2, 3, 4, 5, 16, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15])
/** For each item a u16: symbol, and from bit 8 on its extra bits. */
const items = memory.data(1280, 16)
let itemCount: u32 = 0
const itemCounts = memory.data(80, 16)
const itemLengths = memory.data(20, 16)
const itemCodes = memory.data(80, 16)

/** Writes the lengths of an alphabet's codes by a code of their own, of at most 7 bits. */
export function putLengths(lengths: usize, symbols: u32): void {
  describeLengths(lengths, symbols)
  buildCode(itemCounts, lengthSymbols, 7, itemLengths, itemCodes)
  let told = lengthSymbols
  while (told > 4 && load<u8>(itemLengths + <usize>load<u8>(places + <usize>(told - 1))) === 0) told--
  putBits(0, 1)
  putBits(told - 4, 4)
  for (let i: u32 = 0; i < told; i++) putBits(load<u8>(itemLengths + <usize>load<u8>(places + <usize>i)), 3)
  // All symbols are told.
  putBits(0, 1)
  for (let i: u32 = 0; i < itemCount; i++) {
    const item = <u32>load<u16>(items + (<usize>i << 1))
    const symbol = item & 255
    putSymbol(symbol, itemCodes, itemLengths)
    if (symbol >= 16) putBits(item >>> 8, symbol === 16 ? 2 : symbol === 17 ? 3 : 7)
  }
}

/** Finds how the lengths of an alphabet are told. */
function describeLengths(lengths: usize, symbols: u32): void {
  itemCount = 0
  memory.fill(itemCounts, 0, 80)
  for (let symbol: u32 = 0; symbol < symbols; ) {
    const length = <u32>load<u8>(lengths + <usize>symbol)
    let times: u32 = 1
    while (symbol + times < symbols && <u32>load<u8>(lengths + <usize>(symbol + times)) === length) times++
    symbol += times
    if (length !== 0) {
      addItem(length, 0)
      times--
    }
    while (times >= 3) {
      const most: u32 = length !== 0 ? 6 : times <= 10 ? 10 : 138
      const step = min(times, most)
      if (length !== 0) addItem(16, step - 3)
      else if (step <= 10) addItem(17, step - 3)
      else addItem(18, step - 11)
      times -= step
    }
    for (; times > 0; times--) addItem(length, 0)
  }
}

function addItem(symbol: u32, extra: u32): void {
  store<u16>(items + (<usize>itemCount << 1), <u16>(symbol | (extra << 8)))
  itemCount++
  count(itemCounts, symbol)
}

/** Counts one more use of a symbol. */
// @ts-ignore: decorator
@inline
export function count(counts: usize, symbol: u32): void {
  const at = counts + (<usize>symbol << 2)
  store<u32>(at, load<u32>(at) + 1)
}

/** How many lowest bits of a number are told behind its symbol: all but the two leading ones. */
// @ts-ignore: decorator
@inline
function extraBits(number: u32): u32 {
  const bits: u32 = 31 - clz<u32>(number | 1)
  return bits > 1 ? bits - 1 : 0
}

/** The symbol of a number whose two leading bits it tells. */
// @ts-ignore: decorator
@inline
export function numberSymbol(number: u32): u32 {
  const bits = extraBits(number)
  return (bits << 1) + (number >>> bits)
}

/** Writes a symbol by u32 codes and u8 lengths. */
// @ts-ignore: decorator
@inline
export function putSymbol(symbol: u32, codes: usize, lengths: usize): void {
  putBits(load<u32>(codes + (<usize>symbol << 2)), load<u8>(lengths + <usize>symbol))
}

/** Writes the bits of a number that its symbol does not tell. */
// @ts-ignore: decorator
@inline
export function putExtra(number: u32): void {
  const bits = extraBits(number)
  putBits(number & ((1 << bits) - 1), bits)
}
