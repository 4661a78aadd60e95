import type { PixelSize } from './bitmap.ts'

/** A picture's headers say this, without anything being decoded. */
export interface PictureHeader extends PixelSize {
  /** 1 for a still picture. */
  readonly frames: number
  /** Pixels that a decoder goes through for everything that the file has: all frames, every pass, deep colours twice. */
  readonly workPx: number
  /** The picture ends here in the file; undefined where its end is missing. */
  readonly endsAt?: number | undefined
  /** The codes of the first scan of a JPEG begin here. */
  readonly scanAt?: number | undefined
  /** The Exif data begin here, at their byte order, where there are any. */
  readonly exifAt?: number | undefined
}

export type PictureType = keyof typeof readers

const readers = { png: readPngHeader, jpeg: readJpegHeader, gif: readGifHeader, webp: readWebpHeader }

export const pictureTypes = Object.keys(readers)

export function isPictureType(type: string): type is PictureType {
  return Object.hasOwn(readers, type)
}

export const picturePxMax = 4_000_000
export type PixelLimits = Readonly<Record<'pxMax' | 'workPxMax', number>>

const framesMax = 256

/** Undefined if the headers cannot be read or contradict each other. */
export function readPictureHeader(type: PictureType, bytes: Uint8Array): PictureHeader | undefined {
  return unlessCutOff(() => readers[type](new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)))
}

/** A DataView throws when it is read beyond its end. */
function unlessCutOff<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

export function checkPicture(
  type: PictureType,
  bytes: Uint8Array,
  { pxMax, workPxMax }: PixelLimits = { pxMax: picturePxMax, workPxMax: 4 * picturePxMax },
): string | undefined {
  const header = readPictureHeader(type, bytes)
  if (header === undefined) return `is not a ${type} picture, or its headers are damaged`
  const { widthPx, heightPx, frames, workPx } = header
  if (widthPx * heightPx > pxMax)
    return `is ${widthPx} by ${heightPx} pixels; at most ${pxMax / 1e6} megapixels are allowed`
  if (frames > framesMax) return `has ${frames} frames; at most ${framesMax} are allowed`
  if (workPx > workPxMax) return 'has too many frames or passes for its size'
  return undefined
}

const orientationTag = 0x0112
const short = 3

/** A picture is turned like this to be upright, from 1 (not at all) to 8; 1 where the Exif data at `at` cannot be read. */
export function readOrientation({ buffer, byteOffset, byteLength }: Uint8Array, at?: number): number {
  if (at === undefined) return 1
  return unlessCutOff(() => orientationOf(new DataView(buffer, byteOffset + at, byteLength - at))) ?? 1
}

function orientationOf(view: DataView): number {
  // Some writers of WebP put the name of the segment of JPEG before it.
  const start = view.getUint32(0) === 0x45786966 ? 6 : 0
  const order = view.getUint16(start)
  if (order !== 0x4949 && order !== 0x4d4d) return 1
  const isLittle = order === 0x4949
  const directory = start + view.getUint32(start + 4, isLittle)
  const entries = Math.min(64, view.getUint16(directory, isLittle))
  for (let index = 0; index < entries; index++) {
    const entry = directory + 2 + 12 * index
    if (view.getUint16(entry, isLittle) !== orientationTag) continue
    const value = view.getUint16(entry + 8, isLittle)
    return view.getUint16(entry + 2, isLittle) === short && value >= 1 && value <= 8 ? value : 1
  }
  return 1
}

const depths: Readonly<Record<number, readonly number[]>> = {
  0: [1, 2, 4, 8, 16],
  2: [8, 16],
  3: [1, 2, 4, 8],
  4: [8, 16],
  6: [8, 16],
}
const firstChunkAt = 8
const chunkOverhead = 12

/** Walks the chunks of a PNG, animated ones included. Throws RangeError where the file is cut off, as the other readers do. */
function readPngHeader(view: DataView): PictureHeader | undefined {
  if (view.getUint32(0) !== 0x89504e47 || view.getUint32(4) !== 0x0d0a1a0a) return undefined
  const size = readImageHeader(view)
  if (size === undefined) return undefined
  const { widthPx, heightPx, depth } = size
  let workPx = 0
  let frames = 0
  let hasData = false
  let endsAt: number | undefined
  let exifAt: number | undefined
  for (let at = firstChunkAt + chunkOverhead + 13; endsAt === undefined; ) {
    const length = view.getUint32(at)
    const name = view.getUint32(at + 4)
    if (name === pngChunk.IHDR) return undefined
    if (name === pngChunk.IDAT) hasData = true
    if (name === pngChunk.fcTL) {
      const [width, height] = [view.getUint32(at + 12), view.getUint32(at + 16)]
      if (view.getUint32(at + 20) + width > widthPx || view.getUint32(at + 24) + height > heightPx)
        return undefined
      frames += 1
      workPx += width * height
    }
    if (name === pngChunk.eXIf) exifAt ??= at + 8
    at += length + chunkOverhead
    if (name === pngChunk.IEND) endsAt = at
  }
  if (!hasData) return undefined
  const deep = depth === 16 ? 2 : 1
  workPx = deep * (widthPx * heightPx + workPx)
  return { widthPx, heightPx, frames: Math.max(1, frames), workPx, endsAt, exifAt }
}

const pngChunk = {
  IHDR: 0x49484452,
  IDAT: 0x49444154,
  IEND: 0x49454e44,
  fcTL: 0x6663544c,
  eXIf: 0x65584966,
} as const

function readImageHeader(view: DataView) {
  if (view.getUint32(8) !== 13 || view.getUint32(12) !== pngChunk.IHDR) return undefined
  const [widthPx, heightPx] = [view.getUint32(16), view.getUint32(20)]
  const [depth, colors] = [view.getUint8(24), view.getUint8(25)]
  const [compression, filter, interlace] = [view.getUint8(26), view.getUint8(27), view.getUint8(28)]
  if (widthPx === 0 || heightPx === 0 || depths[colors]?.includes(depth) !== true) return undefined
  if (compression !== 0 || filter !== 0 || interlace > 1) return undefined
  return { widthPx, heightPx, depth }
}

const startOfScan = 0xda
const endOfImage = 0xd9
const exifSegment = 0xe1
/** `Exif`; two zeros follow. */
const exifName = 0x45786966
/** Markers from C0 to CF that start no frame: Huffman tables, reserved, arithmetic conditioning. */
const noFrame = new Set([0xc4, 0xc8, 0xcc])

/** Segments are skipped, a thumbnail in them too. Every scan of a progressive picture goes through all its pixels again. */
function readJpegHeader(view: DataView): PictureHeader | undefined {
  if (view.getUint16(0) !== 0xffd8) return undefined
  let frame: PixelSize | undefined
  let scans = 0
  let endsAt: number | undefined
  let scanAt: number | undefined
  let exifAt: number | undefined
  let at = 2
  while (at < view.byteLength && endsAt === undefined) {
    if (view.getUint8(at) !== 0xff) return undefined
    const marker = view.getUint8(at + 1)
    // Any number of FF may stand before a marker.
    if (marker === 0xff) at += 1
    else if (isBare(marker)) at += 2
    else if (marker === endOfImage) endsAt = at + 2
    else {
      const length = view.getUint16(at + 2)
      if (length < 2) return undefined
      if (marker >= 0xc0 && marker <= 0xcf && !noFrame.has(marker)) {
        // A second frame would be decoded with a size of its own.
        if (frame !== undefined) return undefined
        frame = readJpegFrame(view, at + 4, length)
        if (frame === undefined) return undefined
      }
      if (marker === exifSegment && length >= 16 && view.getUint32(at + 4) === exifName) exifAt ??= at + 10
      at += 2 + length
      if (marker === startOfScan) {
        if (frame === undefined) return undefined
        scans += 1
        scanAt ??= at
        at = endOfEntropyData(view, at)
      }
    }
  }
  if (frame === undefined || scans === 0) return undefined
  const { widthPx, heightPx } = frame
  return { widthPx, heightPx, frames: 1, workPx: widthPx * heightPx * scans, endsAt, scanAt, exifAt }
}

function readJpegFrame(view: DataView, at: number, length: number) {
  const [heightPx, widthPx] = [view.getUint16(at + 1), view.getUint16(at + 3)]
  const components = view.getUint8(at + 5)
  // A height of 0 means that the real one follows the first scan, when decoding has begun.
  if (widthPx === 0 || heightPx === 0 || components === 0 || components > 4) return undefined
  return length === 8 + 3 * components ? { widthPx, heightPx } : undefined
}

function isBare(marker: number): boolean {
  return marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)
}

/** The place of the next marker: in a scan's data FF is followed by 0, or is a restart. */
function endOfEntropyData(view: DataView, from: number): number {
  let at = from
  while (at < view.byteLength) {
    const next = at + 1 < view.byteLength ? view.getUint8(at + 1) : 0
    if (view.getUint8(at) === 0xff && next !== 0 && !(next >= 0xd0 && next <= 0xd7)) return at
    at += 1
  }
  return at
}

const gifBlock = { extension: 0x21, image: 0x2c, trailer: 0x3b } as const

function readGifHeader(view: DataView): PictureHeader | undefined {
  if (view.getUint32(0) !== 0x47494638) return undefined
  const version = view.getUint16(4)
  if (version !== 0x3761 && version !== 0x3961) return undefined
  const [widthPx, heightPx] = [view.getUint16(6, true), view.getUint16(8, true)]
  let at = 13 + colorTableBytes(view.getUint8(10))
  let frames = 0
  let workPx = 0
  // Many files lack the trailer; what stands before is whole.
  while (at < view.byteLength && view.getUint8(at) !== gifBlock.trailer) {
    const block = view.getUint8(at)
    if (block === gifBlock.extension) at = afterSubBlocks(view, at + 2)
    else if (block === gifBlock.image) {
      const [left, top] = [view.getUint16(at + 1, true), view.getUint16(at + 3, true)]
      const [width, height] = [view.getUint16(at + 5, true), view.getUint16(at + 7, true)]
      if (width === 0 || height === 0 || left + width > widthPx || top + height > heightPx) return undefined
      frames += 1
      workPx += width * height
      at = afterSubBlocks(view, at + 11 + colorTableBytes(view.getUint8(at + 9)))
    } else return undefined
  }
  return frames === 0 ? undefined : { widthPx, heightPx, frames, workPx }
}

function colorTableBytes(flags: number): number {
  return (flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1)
}

/** Each has its length before it; one of length 0 is the last. */
function afterSubBlocks(view: DataView, from: number): number {
  let at = from
  while (view.getUint8(at) !== 0) at += 1 + view.getUint8(at)
  return at + 1
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

function readWebpHeader(view: DataView): PictureHeader | undefined {
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
    const size = isFrame ? readWebpFrame(view, chunk, canvas) : readPicture(view, chunk)
    if (size === undefined || (!isFrame && !isSame(size, canvas))) return undefined
    frames += 1
    workPx += size.widthPx * size.heightPx
  }
  const exifAt = more.find(({ name }) => name === fourCc.exif)?.at
  return frames === 0 ? undefined : { ...canvas, frames, workPx, endsAt: end, exifAt }
}

type Chunk = ReturnType<typeof readChunks>[number]

/** A WebP with more chunks holds nothing useful in them, and reading a million takes 0.1 s. */
const chunksMax = 65_536

/** Throws RangeError where one is longer than what holds it, or there are too many. The contents of each start `at` there. */
function readChunks(view: DataView, from: number, end: number) {
  const chunks: { readonly name: number; readonly at: number; readonly length: number }[] = []
  for (let at = from; at + 8 <= end; ) {
    const length = view.getUint32(at + 4, true)
    if (at + 8 + length > end || chunks.length === chunksMax) throw new RangeError('a chunk is cut off')
    chunks.push({ name: view.getUint32(at), at: at + 8, length })
    at += 8 + length + (length % 2)
  }
  return chunks
}

/** A frame of an animation says where it stands and how large it is; the picture in it must agree. */
function readWebpFrame(view: DataView, { at, length }: Chunk, canvas: PixelSize): PixelSize | undefined {
  const size = { widthPx: 1 + read24(view, at + 6), heightPx: 1 + read24(view, at + 9) }
  const [left, top] = [2 * read24(view, at), 2 * read24(view, at + 3)]
  if (left + size.widthPx > canvas.widthPx || top + size.heightPx > canvas.heightPx) return undefined
  const pictures = readChunks(view, at + 16, at + length).filter(isPicture)
  const [only, ...others] = pictures.map((chunk) => readPicture(view, chunk))
  return only !== undefined && others.length === 0 && isSame(only, size) ? size : undefined
}

function readPicture(view: DataView, { name, at, length }: Chunk): PixelSize | undefined {
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

function isPicture({ name }: Chunk) {
  return name === fourCc.lossy || name === fourCc.lossless
}

function isSame(a: PixelSize, b: PixelSize): boolean {
  return a.widthPx === b.widthPx && a.heightPx === b.heightPx
}

function read24(view: DataView, at: number): number {
  return view.getUint16(at, true) | (view.getUint8(at + 2) << 16)
}
