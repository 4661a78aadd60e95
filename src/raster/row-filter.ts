import { rowBytes } from './bitmap.ts'

/**
 * How a PNG tells the bytes of an opaque row: as what they differ by from those above, or from the one of three neighbours
 * that is nearest to what all three promise. The second is a tenth smaller and takes ten times as long.
 */
export type RowFilter = 'up' | 'paeth'

const filterNumbers: Readonly<Record<RowFilter, number>> = { up: 2, paeth: 4 }

/** Rows of three bytes a pixel, each behind a byte for its filter. */
export interface OpaqueRows {
  readonly widthPx: number
  readonly heightPx: number
  readonly rows: Uint8Array
}

/** Filters row `y` into `out`, the first byte of which is the filter's own. */
export function filterRow(
  filter: RowFilter,
  { widthPx, rows }: OpaqueRows,
  y: number,
  out: Uint8Array,
): void {
  const stride = rowBytes(widthPx, 3)
  const above = y === 0 ? noRow(stride) : rows.subarray((y - 1) * stride, y * stride)
  const row = rows.subarray(y * stride, (y + 1) * stride)
  if (filter === 'up') for (let x = 1; x < stride; x++) out[x] = (row[x] as number) - (above[x] as number)
  else for (let x = 1; x < stride; x++) out[x] = (row[x] as number) - nearest(row, above, x)
  out[0] = filterNumbers[filter]
}

/** PNG's "Paeth" predictor. */
function nearest(row: Uint8Array, above: Uint8Array, x: number): number {
  const up = above[x] as number
  if (x < 4) return up
  const left = row[x - 3] as number
  const corner = above[x - 3] as number
  const fromLeft = Math.abs(up - corner)
  const fromUp = Math.abs(left - corner)
  const fromCorner = Math.abs(left + up - 2 * corner)
  if (fromLeft <= fromUp && fromLeft <= fromCorner) return left
  return fromUp <= fromCorner ? up : corner
}

let blank = new Uint8Array(0)

function noRow(stride: number): Uint8Array {
  if (blank.length !== stride) blank = new Uint8Array(stride)
  return blank
}
