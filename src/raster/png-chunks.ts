import type { Buffer } from 'node:buffer'

export interface PngChunk {
  /** Four letters, such as `IDAT`. */
  readonly name: string
  readonly data: Buffer
}

const signatureBytes = 8
/** Length, name and checksum. */
const overheadBytes = 12

/** The chunks of a PNG in their order, checksums unread. The last one is as short as the file ends. */
export function* pngChunks(png: Buffer): Generator<PngChunk> {
  for (let at = signatureBytes; at + 8 <= png.length; ) {
    const length = png.readUInt32BE(at)
    const name = png.toString('latin1', at + 4, at + 8)
    yield { name, data: png.subarray(at + 8, at + 8 + length) }
    at += length + overheadBytes
  }
}
