import type { PictureHeader } from './picture-header.ts'

const signature = [0x89504e47, 0x0d0a1a0a] as const
/** The bits for each channel that each colour type may have. */
const depths: Readonly<Record<number, readonly number[]>> = {
  0: [1, 2, 4, 8, 16],
  2: [8, 16],
  3: [1, 2, 4, 8],
  4: [8, 16],
  6: [8, 16],
}
const firstChunkAt = 8
/** Length, type and checksum. */
const chunkOverhead = 12

/** Walks the chunks of a PNG, animated ones included. Throws RangeError where the file is cut off. */
export function readPngHeader(view: DataView): PictureHeader | undefined {
  if (view.getUint32(0) !== signature[0] || view.getUint32(4) !== signature[1]) return undefined
  const size = readImageHeader(view)
  if (size === undefined) return undefined
  const { widthPx, heightPx, depth } = size
  let workPx = 0
  let frames = 0
  let hasData = false
  let endsAt: number | undefined
  let exifAt: number | undefined
  for (let at = firstChunkAt + chunkOverhead + 13; ; ) {
    const length = view.getUint32(at)
    const name = view.getUint32(at + 4)
    if (name === chunk.IHDR) return undefined
    if (name === chunk.IDAT) hasData = true
    if (name === chunk.fcTL) {
      const [width, height] = [view.getUint32(at + 12), view.getUint32(at + 16)]
      if (view.getUint32(at + 20) + width > widthPx || view.getUint32(at + 24) + height > heightPx)
        return undefined
      frames += 1
      workPx += width * height
    }
    if (name === chunk.eXIf) exifAt ??= at + 8
    if (name === chunk.IEND) {
      endsAt = at + length + chunkOverhead
      break
    }
    at += length + chunkOverhead
  }
  if (!hasData) return undefined
  const deep = depth === 16 ? 2 : 1
  return {
    widthPx,
    heightPx,
    frames: Math.max(1, frames),
    workPx: deep * (widthPx * heightPx + workPx),
    endsAt,
    exifAt,
  }
}

const chunk = {
  IHDR: 0x49484452,
  IDAT: 0x49444154,
  IEND: 0x49454e44,
  fcTL: 0x6663544c,
  eXIf: 0x65584966,
} as const

function readImageHeader(view: DataView) {
  if (view.getUint32(8) !== 13 || view.getUint32(12) !== chunk.IHDR) return undefined
  const [widthPx, heightPx] = [view.getUint32(16), view.getUint32(20)]
  const [depth, colors] = [view.getUint8(24), view.getUint8(25)]
  const [compression, filter, interlace] = [view.getUint8(26), view.getUint8(27), view.getUint8(28)]
  if (widthPx === 0 || heightPx === 0 || depths[colors]?.includes(depth) !== true) return undefined
  if (compression !== 0 || filter !== 0 || interlace > 1) return undefined
  return { widthPx, heightPx, depth }
}
