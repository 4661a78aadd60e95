import { crc32, inflateSync } from 'node:zlib'

export interface DecodedPng {
  readonly widthPx: number
  readonly heightPx: number
  /** PNG's colour type: 2 truecolour, 3 palette, 6 truecolour with alpha. */
  readonly colorType: number
  /** Straight RGBA, row by row. */
  readonly rgba: Uint8Array
}

/** An independent reader of 8-bit, non-interlaced PNG. Checks the signature, every checksum and the length of the data. */
export function decodePng(png: Uint8Array): DecodedPng {
  const view = new DataView(png.buffer, png.byteOffset, png.byteLength)
  if (view.getUint32(0) !== 0x89504e47 || view.getUint32(4) !== 0x0d0a1a0a)
    throw new Error('no PNG signature')
  const chunks = new Map<string, Uint8Array>()
  let at = 8
  while (at < png.length) {
    const length = view.getUint32(at)
    const name = String.fromCharCode(...png.subarray(at + 4, at + 8))
    const checksum = crc32(png.subarray(at + 4, at + 8 + length)) >>> 0
    if (checksum !== view.getUint32(at + 8 + length)) throw new Error(`checksum of ${name} is wrong`)
    const data = png.subarray(at + 8, at + 8 + length)
    const known = chunks.get(name)
    chunks.set(name, known ? Uint8Array.from([...known, ...data]) : data)
    at += length + 12
  }
  if (!chunks.has('IEND')) throw new Error('no end')
  const head = need(chunks, 'IHDR')
  const headView = new DataView(head.buffer, head.byteOffset)
  const widthPx = headView.getUint32(0)
  const heightPx = headView.getUint32(4)
  const colorType = head[9] ?? -1
  if (head[8] !== 8 || head[12] !== 0) throw new Error('only 8 bits a channel, not interlaced')
  const channels = { 2: 3, 3: 1, 6: 4 }[colorType]
  if (!channels) throw new Error(`colour type ${colorType}`)
  const samples = unfilter(inflateSync(need(chunks, 'IDAT')), widthPx * channels, heightPx, channels)
  return { widthPx, heightPx, colorType, rgba: toRgba(samples, colorType, channels, chunks) }
}

function need(chunks: ReadonlyMap<string, Uint8Array>, name: string): Uint8Array {
  const data = chunks.get(name)
  if (!data) throw new Error(`no ${name}`)
  return data
}

function unfilter(data: Uint8Array, rowLength: number, rows: number, step: number): Uint8Array {
  if (data.length !== (rowLength + 1) * rows) throw new Error(`${data.length} bytes of pixels`)
  const out = new Uint8Array(rowLength * rows)
  for (let y = 0; y < rows; y++) {
    const filter = data[y * (rowLength + 1)] ?? 0
    for (let x = 0; x < rowLength; x++) {
      const at = y * rowLength + x
      const left = x >= step ? (out[at - step] ?? 0) : 0
      const above = y > 0 ? (out[at - rowLength] ?? 0) : 0
      const corner = x >= step && y > 0 ? (out[at - rowLength - step] ?? 0) : 0
      out[at] = (data[at + y + 1] ?? 0) + predict(filter, left, above, corner)
    }
  }
  return out
}

function predict(filter: number, left: number, above: number, corner: number): number {
  switch (filter) {
    case 0:
      return 0
    case 1:
      return left
    case 2:
      return above
    case 3:
      return (left + above) >> 1
    case 4: {
      const guess = left + above - corner
      const [toLeft, toAbove, toCorner] = [left, above, corner].map((value) => Math.abs(guess - value)) as [
        number,
        number,
        number,
      ]
      if (toLeft <= toAbove && toLeft <= toCorner) return left
      return toAbove <= toCorner ? above : corner
    }
    default:
      throw new Error(`filter ${filter}`)
  }
}

function toRgba(
  samples: Uint8Array,
  colorType: number,
  channels: number,
  chunks: ReadonlyMap<string, Uint8Array>,
): Uint8Array {
  if (colorType === 6) return samples
  const palette = colorType === 3 ? need(chunks, 'PLTE') : undefined
  const alphas = chunks.get('tRNS')
  const rgba = new Uint8Array((samples.length / channels) * 4)
  for (let from = 0, to = 0; from < samples.length; from += channels, to += 4) {
    const index = samples[from] ?? 0
    if (palette && index * 3 >= palette.length) throw new Error(`no colour ${index}`)
    for (let channel = 0; channel < 3; channel++) {
      rgba[to + channel] = (palette ? palette[index * 3 + channel] : samples[from + channel]) ?? 0
    }
    rgba[to + 3] = palette ? (alphas?.[index] ?? 255) : 255
  }
  return rgba
}
