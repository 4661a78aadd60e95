import type { PictureHeader } from './picture-header.ts'

const extension = 0x21
const image = 0x2c
const trailer = 0x3b

/** Walks the blocks of a GIF: its screen, and the size of each frame. Throws RangeError where the file is cut off. */
export function readGifHeader(view: DataView): PictureHeader | undefined {
  if (view.getUint32(0) !== 0x47494638) return undefined
  const version = view.getUint16(4)
  if (version !== 0x3761 && version !== 0x3961) return undefined
  const [widthPx, heightPx] = [view.getUint16(6, true), view.getUint16(8, true)]
  let at = 13 + colorTableBytes(view.getUint8(10))
  let frames = 0
  let workPx = 0
  // Many files lack the trailer; what stands before is whole.
  while (at < view.byteLength && view.getUint8(at) !== trailer) {
    const block = view.getUint8(at)
    if (block === extension) {
      at = afterSubBlocks(view, at + 2)
    } else if (block === image) {
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
