import { takeBlock } from './memory'

/** What small letters have and capital ones have not. */
const small: u8 = 0x20
const m: u8 = 0x6d
const l: u8 = 0x6c
const h: u8 = 0x68
const v: u8 = 0x76
const q: u8 = 0x71
const t: u8 = 0x74
const c: u8 = 0x63
const z: u8 = 0x7a
const e: u8 = 0x65
/** The count of so many digits is exact. */
const digitsMax: usize = 15

/** The f64 that were read, as `flatten` takes them. */
export let outline: usize = 0
let outlineEnd: usize = 0
/** The next byte. */
let at: usize = 0
let isReadable = false

/**
 * Reads path data as `src/svg/read-path.ts` does, in a third of its time. Returns the count of f64 of the outline, -1 for what
 * only that file reads: smooth cubic curves, arcs, exponents, more than 15 digits, mistakes. Writes a byte behind the text.
 */
export function readPath(text: usize, bytes: usize): i32 {
  const end = text + bytes
  // A byte that no number has.
  store<u8>(end, z)
  at = text
  isReadable = true
  // No part has more than two f64 a byte, but for one that ends too early.
  outline = takeBlock((bytes << 4) + 64)
  outlineEnd = outline
  let x: f64 = 0
  let y: f64 = 0
  let startX: f64 = 0
  let startY: f64 = 0
  let controlX: f64 = 0
  let controlY: f64 = 0
  let command: u8 = z
  for (skipSeparators(); at < end && isReadable; skipSeparators()) {
    const letter = load<u8>(at)
    const previous = command | small
    if (letter > 0x40) {
      command = letter
      at++
    } else if (previous === z) return -1
    // Numbers behind a move are lines.
    else if (previous === m) command--
    const kind = command | small
    const baseX = command === kind ? x : 0
    const baseY = command === kind ? y : 0
    if (kind === z) {
      put(-1)
      x = startX
      y = startY
    } else if (kind === m || kind === l || kind === h || kind === v) {
      if (kind !== v) x = baseX + next()
      if (kind !== h) y = baseY + next()
      put(kind === m ? 0 : 1)
      putPoint(x, y)
      if (kind === m) {
        startX = x
        startY = y
      }
    } else if (kind === q || kind === t) {
      const isSmooth = previous === q || previous === t
      if (kind === q) {
        controlX = baseX + next()
        controlY = baseY + next()
      } else {
        controlX = isSmooth ? 2 * x - controlX : x
        controlY = isSmooth ? 2 * y - controlY : y
      }
      put(2)
      putPoint(controlX, controlY)
      x = baseX + next()
      y = baseY + next()
      putPoint(x, y)
    } else if (kind === c) {
      put(3)
      putPoint(baseX + next(), baseY + next())
      putPoint(baseX + next(), baseY + next())
      x = baseX + next()
      y = baseY + next()
      putPoint(x, y)
    } else return -1
  }
  return isReadable ? <i32>((outlineEnd - outline) >>> 3) : -1
}

function put(value: f64): void {
  store<f64>(outlineEnd, value)
  outlineEnd += 8
}

function putPoint(x: f64, y: f64): void {
  put(x)
  put(y)
}

function skipSeparators(): void {
  while (load<u8>(at) <= 0x20 || load<u8>(at) === 0x2c) at++
}

/** The next number, which is not readable where it has no digits. */
function next(): f64 {
  skipSeparators()
  const isNegative = load<u8>(at) === 0x2d
  if (isNegative || load<u8>(at) === 0x2b) at++
  const first = at
  let digits: u64 = 0
  // Power of ten for the digits behind the point; 0 before it.
  let divisor: u64 = 0
  for (let code = load<u8>(at); ; code = load<u8>(++at)) {
    if (code === 0x2e && divisor === 0) divisor = 1
    else if (code >= 0x30 && code <= 0x39) {
      digits = digits * 10 + <u64>(code - 0x30)
      divisor *= 10
    } else break
  }
  const characters = at - first
  if (characters > digitsMax || characters === (divisor === 0 ? 0 : 1) || (load<u8>(at) | small) === e) isReadable = false
  const value = divisor === 0 ? <f64>digits : <f64>digits / <f64>divisor
  return isNegative ? -value : value
}
