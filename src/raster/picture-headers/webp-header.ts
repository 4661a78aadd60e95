import type { PictureHeader } from './picture-header.ts'

interface Size {
  readonly widthPx: number
  readonly heightPx: number
}

const fourCc = {
  RIFF: 0x52494646,
  WEBP: 0x57454250,
  lossy: 0x56503820,
  lossless: 0x5650384c,
  extended: 0x56503858,
  frame: 0x414e4d46,
  exif: 0x45584946,
} as const

/** Walks the chunks of a WebP: its canvas, and the size of each picture in it. Throws RangeError where it is cut off. */
export function readWebpHeader(view: DataView): PictureHeader | undefined {
  if (view.getUint32(0) !== fourCc.RIFF || view.getUint32(8) !== fourCc.WEBP) return undefined
  const end = 8 + view.getUint32(4, true)
  if (end > view.byteLength) return undefined
  const [first, ...more] = readChunks(view, 12, end)
  if (first === undefined) return undefined
  if (first.name !== fourCc.extended) {
    const size = readPicture(view, first)
    return size && { ...size, frames: 1, workPx: size.widthPx * size.heightPx, endsAt: end }
  }
  const canvas = { widthPx: 1 + read24(view, first.at + 4), heightPx: 1 + read24(view, first.at + 7) }
  let frames = 0
  let workPx = 0
  for (const chunk of more) {
    if (chunk.name === fourCc.extended) return undefined
    const isFrame = chunk.name === fourCc.frame
    if (!isFrame && !isPicture(chunk)) continue
    const size = isFrame ? readFrame(view, chunk, canvas) : readPicture(view, chunk)
    if (size === undefined || (!isFrame && !isSame(size, canvas))) return undefined
    frames += 1
    workPx += size.widthPx * size.heightPx
  }
  const exifAt = more.find(({ name }) => name === fourCc.exif)?.at
  return frames === 0 ? undefined : { ...canvas, frames, workPx, endsAt: end, exifAt }
}

interface Chunk {
  readonly name: number
  /** Where its content starts. */
  readonly at: number
  readonly length: number
}

/** Throws RangeError where one is longer than what holds it. */
function readChunks(view: DataView, from: number, end: number): readonly Chunk[] {
  const chunks: Chunk[] = []
  for (let at = from; at + 8 <= end; ) {
    const length = view.getUint32(at + 4, true)
    if (at + 8 + length > end) throw new RangeError('a chunk is cut off')
    chunks.push({ name: view.getUint32(at), at: at + 8, length })
    at += 8 + length + (length % 2)
  }
  return chunks
}

/** A frame of an animation says where it stands and how large it is; the picture in it must agree. */
function readFrame(view: DataView, { at, length }: Chunk, canvas: Size): Size | undefined {
  const size = { widthPx: 1 + read24(view, at + 6), heightPx: 1 + read24(view, at + 9) }
  const [left, top] = [2 * read24(view, at), 2 * read24(view, at + 3)]
  if (left + size.widthPx > canvas.widthPx || top + size.heightPx > canvas.heightPx) return undefined
  const pictures = readChunks(view, at + 16, at + length).filter(isPicture)
  const [only, ...others] = pictures.map((chunk) => readPicture(view, chunk))
  return only !== undefined && others.length === 0 && isSame(only, size) ? size : undefined
}

function readPicture(view: DataView, { name, at, length }: Chunk): Size | undefined {
  if (length < (name === fourCc.lossless ? 5 : 10)) return undefined
  if (name === fourCc.lossless) {
    if (view.getUint8(at) !== 0x2f) return undefined
    const bits = view.getUint32(at + 1, true)
    return { widthPx: 1 + (bits & 0x3fff), heightPx: 1 + ((bits >>> 14) & 0x3fff) }
  }
  const isKeyFrame = (view.getUint8(at) & 1) === 0
  const hasStartCode = view.getUint8(at + 3) === 0x9d && view.getUint16(at + 4) === 0x012a
  if (name !== fourCc.lossy || !isKeyFrame || !hasStartCode) return undefined
  const [widthPx, heightPx] = [view.getUint16(at + 6, true) & 0x3fff, view.getUint16(at + 8, true) & 0x3fff]
  return widthPx === 0 || heightPx === 0 ? undefined : { widthPx, heightPx }
}

function isPicture({ name }: Chunk): boolean {
  return name === fourCc.lossy || name === fourCc.lossless
}

function isSame(a: Size, b: Size): boolean {
  return a.widthPx === b.widthPx && a.heightPx === b.heightPx
}

function read24(view: DataView, at: number): number {
  return view.getUint16(at, true) | (view.getUint8(at + 2) << 16)
}
