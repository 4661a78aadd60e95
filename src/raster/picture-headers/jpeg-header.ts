import type { PictureHeader } from './picture-header.ts'

const startOfScan = 0xda
const endOfImage = 0xd9
const exifSegment = 0xe1
/** `Exif`; two zeros follow. */
const exifName = 0x45786966
/** Markers from C0 to CF that start no frame: Huffman tables, reserved, arithmetic conditioning. */
const noFrame = new Set([0xc4, 0xc8, 0xcc])

/**
 * Walks the segments of a JPEG: each has its length, and what a segment contains (such as a thumbnail) is skipped.
 * Every scan of a progressive picture goes through all its pixels again. Throws RangeError where the file is cut off.
 */
export function readJpegHeader(view: DataView): PictureHeader | undefined {
  if (view.getUint16(0) !== 0xffd8) return undefined
  let frame: { readonly widthPx: number; readonly heightPx: number } | undefined
  let scans = 0
  let endsAt: number | undefined
  let exifAt: number | undefined
  let at = 2
  while (at < view.byteLength) {
    if (view.getUint8(at) !== 0xff) return undefined
    const marker = view.getUint8(at + 1)
    // Any number of FF may stand before a marker.
    if (marker === 0xff) at += 1
    else if (isBare(marker)) at += 2
    else if (marker === endOfImage) {
      endsAt = at + 2
      break
    } else {
      const length = view.getUint16(at + 2)
      if (length < 2) return undefined
      if (marker >= 0xc0 && marker <= 0xcf && !noFrame.has(marker)) {
        // A second frame would be decoded with a size of its own.
        if (frame !== undefined) return undefined
        frame = readFrame(view, at + 4, length)
        if (frame === undefined) return undefined
      }
      if (marker === exifSegment && length >= 16 && view.getUint32(at + 4) === exifName) exifAt ??= at + 10
      at += 2 + length
      if (marker === startOfScan) {
        if (frame === undefined) return undefined
        scans += 1
        at = endOfEntropyData(view, at)
      }
    }
  }
  if (frame === undefined || scans === 0) return undefined
  const { widthPx, heightPx } = frame
  return { widthPx, heightPx, frames: 1, workPx: widthPx * heightPx * scans, endsAt, exifAt }
}

function readFrame(view: DataView, at: number, length: number) {
  const [heightPx, widthPx] = [view.getUint16(at + 1), view.getUint16(at + 3)]
  const components = view.getUint8(at + 5)
  // A height of 0 means that the real one follows the first scan, when decoding has begun.
  if (widthPx === 0 || heightPx === 0 || components === 0 || components > 4) return undefined
  return length === 8 + 3 * components ? { widthPx, heightPx } : undefined
}

/** Markers that stand alone. */
function isBare(marker: number): boolean {
  return marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)
}

/** Where the next marker stands: in a scan's data FF is followed by 0, or is a restart. */
function endOfEntropyData(view: DataView, from: number): number {
  let at = from
  while (at < view.byteLength) {
    const next = at + 1 < view.byteLength ? view.getUint8(at + 1) : 0
    if (view.getUint8(at) === 0xff && next !== 0 && !(next >= 0xd0 && next <= 0xd7)) return at
    at += 1
  }
  return at
}
