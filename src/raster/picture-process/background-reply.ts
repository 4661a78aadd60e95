import { Buffer } from 'node:buffer'
import type { PictureGrid } from './picture-grid.ts'

/** A picture for a background, encoded by us, and what was measured of its pixels. */
export interface EncodedBackground {
  readonly widthPx: number
  readonly heightPx: number
  readonly grid: PictureGrid
  readonly jpeg: Uint8Array<ArrayBuffer>
}

/** One text and one file behind it: the text's length is in its first four bytes. */
export function encodeBackgroundReply({ jpeg, ...measured }: EncodedBackground): Uint8Array {
  const text = Buffer.from(JSON.stringify(measured))
  const head = Buffer.alloc(4)
  head.writeUInt32BE(text.byteLength)
  return Buffer.concat([head, text, jpeg])
}

export function decodeBackgroundReply(reply: Uint8Array): EncodedBackground {
  const view = new DataView(reply.buffer, reply.byteOffset, reply.byteLength)
  const end = 4 + view.getUint32(0)
  const measured = JSON.parse(Buffer.from(reply.subarray(4, end)).toString())
  return { ...measured, jpeg: Uint8Array.from(reply.subarray(end)) }
}
