import { Buffer } from 'node:buffer'
import { crc32 } from 'node:zlib'
import { type Bitmap, type PixelSize, release, rowBytes } from './bitmap.ts'
import { deflate, encodeWithin } from './encode-within.ts'
import { type IndexedRows, indexColors } from './palette.ts'
import { type BackedBitmap, bringIn, painter, painterBytes } from './pixel-canvas.ts'
import { quantizeColors } from './quantize-colors.ts'

const signature = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)

const truecolor = 2
const indexedColor = 3
const truecolorAlpha = 6

/** 8 bits a pixel if a palette is as good but for antialiased edges; else 24 bits if the bitmap is opaque, 32 if not. */
export function encodePng(bitmap: BackedBitmap): Uint8Array<ArrayBuffer> {
  const indexed = indexColors(bitmap)
  if (indexed) return encodeIndexed(bitmap, indexed, 1)
  bitmap.backdrop?.end()
  const { channels, widthPx } = bitmap
  const rows = bitmap.rows.slice()
  markRepeats(rows, rowBytes(widthPx, channels))
  const png = join([header(bitmap, channels === 3 ? truecolor : truecolorAlpha), ['IDAT', deflate(rows)]])
  release(rows)
  return png
}

/**
 * Tells each row that equals the one above it as the difference from it, in place: nothing. Others keep filter 0. On real
 * cards at the same deflate level, Sub, Up, Average and Paeth made flat cards 3 to 50 % larger and dark gradients 20 to 50 %;
 * Up and Paeth win 6 % on one pale gradient and cost a pass over the picture.
 */
function markRepeats(rows: Uint8Array, stride: number): void {
  const bytes = Buffer.from(rows.buffer, rows.byteOffset, rows.length)
  // From the end, because the row above is compared as it was.
  for (let at = rows.length - stride; at >= stride; at -= stride) {
    if (bytes.compare(bytes, at - stride, at, at, at + stride) !== 0) continue
    rows.fill(0, at, at + stride)
    rows[at] = filterUp
  }
}

/** Paints a card with a photograph again over a background whose pixels are cells of so many. */
export type Repaint = (cellPx: number) => Bitmap

/**
 * A photograph is encoded like this, from what looks best to what is smallest: every pixel, or a palette over a background whose
 * pixels are cells of so many. `size` is that of the file, about, beside 256 colours for each pixel; every pixel's is unknown.
 */
const photoSettings = [
  { colors: undefined, cellPx: 1, size: Infinity },
  ...'256:1 128:1 64:1 128:2 64:2 64:3 64:4 32:6 8:12'.split(' ').map((pair) => {
    const [colors = 0, cellPx = 0] = pair.split(':').map(Number)
    return { colors, cellPx, size: Math.log2(colors) / 8 / cellPx ** 2 }
  }),
]

/** Every pixel where the file is small enough for networks, else most colours with which it is, at last over coarser cells. */
export function encodePhotoPng(bitmap: Bitmap, repaint: Repaint): Promise<Uint8Array<ArrayBuffer>> {
  let painted = bitmap
  let paintedPx = 1
  return encodeWithin(photoSettings, ({ colors, cellPx }) => {
    if (colors === undefined) return encodePhotograph(bitmap)
    if (cellPx !== paintedPx) painted = repaint(cellPx)
    paintedPx = cellPx
    return encodeIndexed(painted, quantizeColors(painted, colors, cellPx), cellPx)
  })
}

/** Encodes opaque pixels that hardly repeat, as the differences of neighbours, coded by their frequency. */
function encodePhotograph(bitmap: Bitmap): Uint8Array<ArrayBuffer> {
  bringIn(bitmap)
  const filtered = painterBytes(painter().filterRows(), bitmap.rows.length)
  return join([header(bitmap, truecolor), ['IDAT', deflate(filtered, 'filtered')]])
}

/** Encodes numbers of colours, equal within a cell: a row is told from the left where cells begin, else from above. */
function encodeIndexed(size: PixelSize, indexed: IndexedRows, cellPx: number): Uint8Array<ArrayBuffer> {
  const stride = rowBytes(size.widthPx, 1)
  const { colors, alphas = none, rows } = indexed
  if (cellPx === 1) markRepeats(rows, stride)
  // From the end, because each byte is told by one before it.
  else
    for (let y = size.heightPx - 1, start = y * stride; y >= 0; y--, start -= stride) {
      const isTop = y % cellPx === 0
      const beside = isTop ? 1 : stride
      for (let at = start + stride - 1; at > start + (isTop ? 1 : 0); at--)
        rows[at] = (rows[at] as number) - (rows[at - beside] as number)
      rows[start] = isTop ? filterSub : filterUp
    }
  return join([
    header(size, indexedColor),
    ['PLTE', colors],
    ...(alphas.length > 0 ? [['tRNS', alphas] as const] : []),
    ['IDAT', deflate(rows)],
  ])
}

const filterSub = 1
const filterUp = 2

const none = new Uint8Array(0)

function header({ widthPx, heightPx }: PixelSize, colorType: number) {
  const kind = Uint8Array.of(8, colorType, 0, 0, 0)
  return ['IHDR', Buffer.concat([fourBytes(widthPx), fourBytes(heightPx), kind])] as const
}

function join(parts: readonly (readonly [name: string, data: Uint8Array])[]): Uint8Array<ArrayBuffer> {
  const chunks = [...parts, ['IEND', none] as const].flatMap(([name, data]) => {
    const tag = Buffer.from(name, 'latin1')
    return [fourBytes(data.length), tag, data, fourBytes(crc32(data, crc32(tag)))]
  })
  return new Uint8Array(Buffer.concat([signature, ...chunks]))
}

function fourBytes(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}
