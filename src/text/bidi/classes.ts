import { packedClasses } from './classes.generated.ts'

/** Unicode's names of the bidi classes (UAX 9, table 4). `bidi` has a bit for each, in this order. */
export const classNames = 'L R AL EN ES ET AN CS NSM BN B S WS ON LRE LRO RLE RLO PDF LRI RLI FSI PDI'.split(
  ' ',
)

/** The bidi classes as bits, so that sets of them are sums. */
export const bidi = {
  left: 1,
  right: 1 << 1,
  arabicLetter: 1 << 2,
  europeanNumber: 1 << 3,
  europeanSeparator: 1 << 4,
  europeanTerminator: 1 << 5,
  arabicNumber: 1 << 6,
  commonSeparator: 1 << 7,
  nonspacingMark: 1 << 8,
  boundaryNeutral: 1 << 9,
  paragraphSeparator: 1 << 10,
  segmentSeparator: 1 << 11,
  whitespace: 1 << 12,
  otherNeutral: 1 << 13,
  leftEmbedding: 1 << 14,
  leftOverride: 1 << 15,
  rightEmbedding: 1 << 16,
  rightOverride: 1 << 17,
  popDirection: 1 << 18,
  leftIsolate: 1 << 19,
  rightIsolate: 1 << 20,
  firstStrongIsolate: 1 << 21,
  popIsolate: 1 << 22,
} as const

export const isolateInitiators = bidi.leftIsolate | bidi.rightIsolate | bidi.firstStrongIsolate
/** Classes that rule X9 removes. */
export const removed =
  bidi.boundaryNeutral |
  bidi.leftEmbedding |
  bidi.leftOverride |
  bidi.rightEmbedding |
  bidi.rightOverride |
  bidi.popDirection
/** Neutrals and isolate formatting characters: NI in rules N1 and N2. */
export const neutrals =
  bidi.paragraphSeparator |
  bidi.segmentSeparator |
  bidi.whitespace |
  bidi.otherNeutral |
  isolateInitiators |
  bidi.popIsolate

const pageBits = 7
const pageLength = 1 << pageBits
const pageCount = 0x110000 >> pageBits
/** Pages of one class, and of several: 211 in Unicode 15. */
const pagesMax = 256
/** Letters that stand for classes. */
const firstLetter = 0x41

type Pages = ReturnType<typeof unpack>

let unpacked: Pages | undefined

/** The bidi class of every UTF-16 unit of a text; both halves of a pair have that of its character. */
export function bidiClasses(text: string): Uint32Array {
  unpacked ??= unpack()
  const { pageOf, pages } = unpacked
  const classes = new Uint32Array(text.length)
  for (let at = 0; at < text.length; at++) {
    const point = isFirstHalf(text, at) ? (text.codePointAt(at) ?? 0) : text.charCodeAt(at)
    const place = ((pageOf[point >> pageBits] ?? 0) << pageBits) | (point & (pageLength - 1))
    classes[at] = 1 << (pages[place] ?? 0)
    if (point > 0xffff) classes[at + 1] = classes[at++] ?? 0
  }
  return classes
}

/** Whether the unit is the first half of a pair, where the text is well-formed. */
export function isFirstHalf(text: string, at: number): boolean {
  return (text.charCodeAt(at) & 0xfc00) === 0xd800
}

/** Pages of classes by code point. Those of one class alone come first, in the order of the classes. */
function unpack() {
  const pageOf = new Uint8Array(pageCount)
  const pages = new Uint8Array(pagesMax << pageBits)
  for (let index = 0; index < classNames.length; index++)
    pages.fill(index, index << pageBits, (index + 1) << pageBits)
  let used = classNames.length

  function add(index: number, first: number, end: number): void {
    for (let point = first; point < end; ) {
      const page = point >> pageBits
      const from = point & (pageLength - 1)
      const count = Math.min(end - point, pageLength - from)
      if (from === 0) pageOf[page] = count === pageLength ? index : used++
      const start = (pageOf[page] ?? 0) << pageBits
      if (count < pageLength) pages.fill(index, start + from, start + from + count)
      point += count
    }
  }

  let point = 0
  for (let at = 0, from = 0; at < packedClasses.length; at++) {
    const index = packedClasses.charCodeAt(at) - firstLetter
    if (index < 0 || index >= classNames.length) continue
    const end = point + (at === from ? 1 : Number.parseInt(packedClasses.slice(from, at), 36))
    add(index, point, end)
    point = end
    from = at + 1
  }
  return { pageOf, pages }
}
