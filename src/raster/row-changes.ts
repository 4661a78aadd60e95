const stepMax = 255
const pieceBytes = 60_000

/**
 * A picture as what each byte differs by from the one above it, in pairs of two bytes: how many to go on, and what to add
 * there. Of a gradient one byte in fifteen differs, so most of a picture is a copy of the row above. The pairs come in
 * pieces, each of which is valid until the next one.
 */
export function* rowChanges(rows: Uint8Array, stride: number): Generator<Uint8Array> {
  const piece = new Uint8Array(pieceBytes)
  let length = 0
  let last = 0
  for (let at = nextChange(rows, stride, 0); at < rows.length; at = nextChange(rows, stride, at + 1)) {
    while (last < at) {
      if (length === pieceBytes) {
        yield piece
        length = 0
      }
      const step = Math.min(stepMax, at - last)
      last += step
      piece[length] = step
      piece[length + 1] =
        last < at ? 0 : (rows[at] as number) - (at < stride ? 0 : (rows[at - stride] as number))
      length += 2
    }
  }
  yield piece.subarray(0, length)
}

/** The first byte from `at` on that differs from the one above it. Apart from the generator, whose loops run five times slower. */
function nextChange(rows: Uint8Array, stride: number, from: number): number {
  let at = from
  while (at < stride && rows[at] === 0) at++
  if (at < stride) return at
  while (at < rows.length && rows[at] === rows[at - stride]) at++
  return at
}

/** Writes the picture over `rows`, whose first byte is 0, as every PNG's is. */
export function restoreRows(rows: Uint8Array, stride: number, changes: Iterable<Uint8Array>): void {
  let at = 0
  let rowEnd = stride
  rows.fill(0, 0, stride)
  for (const pairs of changes)
    for (let pair = 0; pair < pairs.length; pair += 2) {
      at += pairs[pair] as number
      for (; at >= rowEnd; rowEnd += stride) rows.copyWithin(rowEnd, rowEnd - stride, rowEnd)
      rows[at] = (rows[at] as number) + (pairs[pair + 1] as number)
    }
  for (; rowEnd < rows.length; rowEnd += stride) rows.copyWithin(rowEnd, rowEnd - stride, rowEnd)
}
