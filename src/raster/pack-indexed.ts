import { type Bitmap, rowBytes } from './bitmap.ts'
import { painter } from './painter/painter.ts'

/** Pixels by numbers of colours. */
export interface IndexedRows {
  /** Three bytes a colour, at most 256 of them. */
  readonly colors: Uint8Array
  /** One byte for each of the first colours; none when all are opaque. */
  readonly alphas?: Uint8Array
  /** One byte a pixel, behind the filter byte of each row. */
  readonly rows: Uint8Array
}

/** Bytes behind a picture that the painter may read. */
const readBeyond = 16

/** Compresses the rows of a PNG as a zlib stream, which is valid until the painter is used again. */
export function deflateRows(rows: Uint8Array, pixelBytes: number, stride: number): Uint8Array<ArrayBuffer> {
  const { length } = rows
  const [rowsAt] = place(rows, none)
  painter().deflate(rowsAt, length, pixelBytes, stride)
  return painted(painter().deflatedAt(), painter().deflatedBytes())
}

/**
 * Compresses the rows of a photograph, three bytes a pixel, as the zlib stream of a PNG, which is valid until the painter is
 * used again; undefined where it would have more than `bytesMax`.
 */
export function deflatePhotograph(
  { widthPx, heightPx, rows }: Bitmap,
  bytesMax: number,
): Uint8Array<ArrayBuffer> | undefined {
  const [rowsAt] = place(rows, none)
  const isSmall = painter().deflatePhotograph(rowsAt, rowBytes(widthPx, 3), heightPx, bytesMax)
  return isSmall ? painted(painter().deflatedAt(), painter().deflatedBytes()) : undefined
}

/** Encodes opaque pixels of at most 256 colours as WebP without loss. Equal pixels give equal bytes on every machine. */
export function encodeIndexedWebp(
  { widthPx, heightPx }: Pick<Bitmap, 'widthPx' | 'heightPx'>,
  { colors, rows }: IndexedRows,
): Uint8Array<ArrayBuffer> {
  const [rowsAt, colorsAt] = place(rows, colors)
  painter().writeWebp(rowsAt, widthPx, heightPx, colorsAt, colors.length / 3)
  return painted(painter().webpAt(), painter().webpBytes()).slice()
}

/** Returns where the painter finds both. Rows in its own memory stay where they are; views of that end when it grows. */
function place(rows: Uint8Array, more: Uint8Array): readonly [rowsAt: number, moreAt: number] {
  const isInside = rows.buffer === painter().memory.buffer
  const rowsBytes = isInside ? 0 : rows.length + readBeyond
  const { byteOffset } = rows
  const at = painter().takeInput(rowsBytes + more.length)
  painted(at + rowsBytes, more.length).set(more)
  if (isInside) return [byteOffset, at]
  painted(at, rows.length).set(rows)
  return [at, at + rowsBytes]
}

function painted(at: number, bytes: number): Uint8Array<ArrayBuffer> {
  return new Uint8Array(painter().memory.buffer as ArrayBuffer, at, bytes)
}

const none = new Uint8Array(0)
