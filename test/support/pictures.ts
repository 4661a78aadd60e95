import { crc32, deflateSync } from 'node:zlib'

/** A PNG of one colour, as small as it can be packed. */
export function plainPng(widthPx: number, heightPx: number, depth = 8, color = 2, interlace = 0): Buffer {
  const channels = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }[color] ?? 1
  const rowBytes = 1 + Math.ceil((widthPx * channels * depth) / 8)
  // The packed data may hold fewer rows than the header says.
  const rows = Math.min(heightPx, Math.ceil(70_000_000 / rowBytes))
  const data = deflateSync(Buffer.alloc(rows * rowBytes), { level: 9 })
  return pngOf(
    pngHeader(widthPx, heightPx, depth, color, interlace),
    chunk('PLTE', Buffer.from([1, 2, 3])),
    chunk('IDAT', data),
  )
}

/** A JPEG of nothing but headers. */
export function jpegHeader(widthPx: number, heightPx: number, marker = 0xc0, scans = 1): Buffer {
  const frame = Buffer.from([0xff, marker, 0, 17, 8, 0, 0, 0, 0, 3, 1, 0x22, 0, 2, 0x11, 0, 3, 0x11, 0])
  frame.writeUInt16BE(heightPx, 5)
  frame.writeUInt16BE(widthPx, 7)
  const scan = Buffer.from([0xff, 0xda, 0, 12, 3, 1, 0, 2, 0, 3, 0, 0, 63, 0, 0xf8, 0x7f])
  const tables = Buffer.concat([quantization, huffman(0x00), huffman(0x10)])
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    tables,
    frame,
    ...Array.from({ length: scans }, () => scan),
    Buffer.from([0xff, 0xd9]),
  ])
}

export function svgOf(body: string, attributes = 'viewBox="0 0 100 100"'): Buffer {
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${attributes}>${body}</svg>`,
  )
}

export function many(count: number, make: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => make(index)).join('')
}

export function chunk(type: string, content: Uint8Array): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), content])
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(content.byteLength)
  checksum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, checksum])
}

export function pngHeader(
  widthPx: number,
  heightPx: number,
  depth: number,
  color: number,
  interlace: number,
): Buffer {
  const content = Buffer.alloc(13)
  content.writeUInt32BE(widthPx)
  content.writeUInt32BE(heightPx, 4)
  content.set([depth, color, 0, 0, interlace], 8)
  return chunk('IHDR', content)
}

export function pngOf(...chunks: readonly Buffer[]): Buffer {
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    ...chunks,
    chunk('IEND', Buffer.alloc(0)),
  ])
}

export function frameControl(widthPx: number, heightPx: number): Buffer {
  const content = Buffer.alloc(26)
  content.writeUInt32BE(widthPx, 4)
  content.writeUInt32BE(heightPx, 8)
  return content
}

export function withProfile(profile: Uint8Array): Buffer {
  const data = deflateSync(Buffer.alloc(31 * 10))
  const content = Buffer.concat([Buffer.from('icc\0\0', 'latin1'), profile])
  return pngOf(pngHeader(10, 10, 8, 2, 0), chunk('iCCP', content), chunk('IDAT', data))
}

const quantization = Buffer.concat([Buffer.from([0xff, 0xdb, 0, 67, 0]), Buffer.alloc(64, 1)])

/** One code, for the value 0. */
function huffman(id: number): Buffer {
  return Buffer.from([0xff, 0xc4, 0, 20, id, 1, ...Array(15).fill(0), 0])
}

export function gif(
  widthPx: number,
  heightPx: number,
  frames: readonly (readonly [number, number])[],
): Buffer {
  const head = Buffer.from('GIF89a\0\0\0\0\x80\0\0\0\0\0\xff\xff\xff', 'latin1')
  head.writeUInt16LE(widthPx, 6)
  head.writeUInt16LE(heightPx, 8)
  const pictures = frames.map(([width, height]) => {
    const frame = Buffer.from([0x2c, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 2, 0x44, 0x01, 0])
    frame.writeUInt16LE(width, 5)
    frame.writeUInt16LE(height, 7)
    return frame
  })
  return Buffer.concat([head, ...pictures, Buffer.from([0x3b])])
}

export function webp(name: string, content: Buffer, ...more: readonly Buffer[]): Buffer {
  const chunks = Buffer.concat([riffChunk(name, content), ...more])
  return Buffer.concat([riffChunk('RIFF', Buffer.concat([Buffer.from('WEBP'), chunks]))])
}

function riffChunk(name: string, content: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32LE(content.length)
  return Buffer.concat([Buffer.from(name), length, content, Buffer.alloc(content.length % 2)])
}

export function lossless(widthPx: number, heightPx: number): Buffer {
  const content = Buffer.alloc(20)
  content[0] = 0x2f
  content.writeUInt32LE(((widthPx - 1) | ((heightPx - 1) << 14)) >>> 0, 1)
  return content
}

export function extendedWebp(widthPx: number, heightPx: number): Buffer {
  const canvas = Buffer.alloc(10)
  canvas.writeUIntLE(widthPx - 1, 4, 3)
  canvas.writeUIntLE(heightPx - 1, 7, 3)
  return webp('VP8X', canvas, riffChunk('VP8L', lossless(64, 64)))
}
