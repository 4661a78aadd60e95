import { Buffer } from 'node:buffer'

/** From the first byte of a row that two pictures differ in to behind the last one; both 0 where they are equal. */
export interface ChangedSpans {
  readonly starts: Uint16Array
  readonly ends: Uint16Array
}

/** Compares two pictures of the same layout row by row. */
export function changedSpans(
  rows: Uint8Array,
  others: Uint8Array,
  stride: number,
  count: number,
): ChangedSpans {
  const starts = new Uint16Array(count)
  const ends = new Uint16Array(count)
  const buffer = Buffer.from(rows.buffer, rows.byteOffset, rows.byteLength)
  for (let y = 0; y < count; y++) {
    const [at, next] = [y * stride, (y + 1) * stride]
    if (buffer.compare(others, at, next, at, next) === 0) continue
    let start = at
    while (rows[start] === others[start]) start++
    let end = next
    while (rows[end - 1] === others[end - 1]) end--
    starts[y] = start - at
    ends[y] = end - at
  }
  return { starts, ends }
}
