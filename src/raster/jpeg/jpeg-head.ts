import { type CodeTable, colorCodes, lightCodes, zigzag } from './jpeg-tables.ts'

/** `JFIF` and a zero. */
const jfif = [0x4a, 0x46, 0x49, 0x46, 0]

/**
 * Everything of a file before its pixels: a baseline JPEG of three components.
 * @param perColor pixels that share one colour, in both directions
 */
export function jpegHead(
  widthPx: number,
  heightPx: number,
  divisors: readonly [Uint8Array, Uint8Array],
  perColor: 1 | 2,
): readonly number[] {
  const components = [1, 2, 3].map((id) => (id === 1 ? [id, perColor * 17, 0] : [id, 17, 1]))
  return [
    0xff,
    0xd8,
    ...segment(0xe0, [...jfif, 1, 1, 0, 0, 1, 0, 1, 0, 0]),
    ...divisors.flatMap((each, index) =>
      segment(0xdb, [index, ...Array.from(zigzag, (place) => each[place] as number)]),
    ),
    ...segment(0xc0, [
      8,
      heightPx >> 8,
      heightPx & 255,
      widthPx >> 8,
      widthPx & 255,
      3,
      ...components.flat(),
    ]),
    ...[lightCodes, colorCodes].flatMap((tables, index) =>
      tables.flatMap((table, kind) => codeSegment(16 * kind + index, table)),
    ),
    ...segment(0xda, [3, 1, 0, 2, 17, 3, 17, 0, 63, 0]),
  ]
}

function codeSegment(id: number, { counts, symbols }: CodeTable): readonly number[] {
  return segment(0xc4, [id, ...counts, ...symbols])
}

function segment(marker: number, content: readonly number[]): readonly number[] {
  const length = content.length + 2
  return [0xff, marker, length >> 8, length & 255, ...content]
}
