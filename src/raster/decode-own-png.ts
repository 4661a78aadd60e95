import { Buffer } from 'node:buffer'
import { rowBytes } from './bitmap.ts'
import { pngChunks } from './png-chunks.ts'
import { zlibExpand } from './zlib.ts'

export interface RgbaPixels {
  readonly widthPx: number
  readonly heightPx: number
  /** Premultiplied. */
  readonly rgba: Uint8Array
}

const channelsOfType = new Map([
  [2, 3],
  [3, 1],
  [6, 4],
])

/** Reads a PNG that `encodePng` wrote: 8 bits, no filters, no interlacing. Undefined for any other. */
export function decodeOwnPng(png: Uint8Array): RgbaPixels | undefined {
  const chunks = chunksOf(Buffer.from(png.buffer, png.byteOffset, png.byteLength))
  const [header, data] = [chunks.get('IHDR'), chunks.get('IDAT')]
  const channels = channelsOfType.get(header?.readUInt8(9) ?? 0)
  if (header === undefined || data === undefined || channels === undefined || header.readUInt8(8) !== 8)
    return undefined
  const [widthPx, heightPx] = [header.readUInt32BE(0), header.readUInt32BE(4)]
  const rows = zlibExpand(data)
  const stride = rowBytes(widthPx, channels)
  if (rows.length !== stride * heightPx) return undefined
  const [colors, alphas] = [chunks.get('PLTE'), chunks.get('tRNS')]
  const rgba = new Uint8Array(widthPx * heightPx * 4)
  for (let y = 0, to = 0; y < heightPx; y++) {
    let from = y * stride
    if (rows[from++] !== 0) return undefined
    for (let x = 0; x < widthPx; x++, from += channels, to += 4) {
      const entry = rows[from] ?? 0
      const source = channels === 1 ? colors : rows
      const at = channels === 1 ? entry * 3 : from
      const alpha = channels === 3 ? 255 : channels === 1 ? (alphas?.[entry] ?? 255) : (rows[from + 3] ?? 0)
      for (let channel = 0; channel < 3; channel++)
        rgba[to + channel] = Math.round(((source?.[at + channel] ?? 0) * alpha) / 255)
      rgba[to + 3] = alpha
    }
  }
  return { widthPx, heightPx, rgba }
}

/** The first chunk of each name. */
function chunksOf(png: Buffer): ReadonlyMap<string, Buffer> {
  const chunks = new Map<string, Buffer>()
  for (const { name, data } of pngChunks(png)) if (!chunks.has(name)) chunks.set(name, data)
  return chunks
}
