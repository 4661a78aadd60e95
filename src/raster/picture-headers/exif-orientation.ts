const orientationTag = 0x0112
const short = 3

/** How a picture must be turned to be upright, from 1 (not at all) to 8; 1 where the Exif data at `at` cannot be read. */
export function readOrientation(bytes: Uint8Array, at: number | undefined): number {
  if (at === undefined) return 1
  try {
    return orientationOf(new DataView(bytes.buffer, bytes.byteOffset + at, bytes.byteLength - at))
  } catch (error) {
    // They are cut off: the picture itself need not be.
    if (error instanceof RangeError) return 1
    throw error
  }
}

/** Reads the first directory of a TIFF. Throws RangeError where it is cut off. */
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
