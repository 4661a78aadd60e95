import { readFileSync } from 'node:fs'
import startLibjpegTurbo from '@cornerstonejs/codec-libjpeg-turbo-8bit/wasmjs'
import startLibwebp from '@jsquash/webp/codec/enc/webp_enc_simd.js'
import { defaultOptions } from '@jsquash/webp/meta.js'
import { packageFile } from '../lib/package-files.ts'
import { type Bitmap, type PixelSize, release, rowBytes } from './bitmap.ts'
import { type IndexedRows, indexColors } from './palette.ts'
import { type BackedBitmap, painter, painterBytes, startCanvas } from './pixel-canvas.ts'

/** From this quality on every pixel keeps its own colour; below, four share one, as in most JPEGs. */
const fullColorQualityMin = 90
/** The library's names of one colour a pixel, and of one for two by two pixels. */
const subSampling = { none: 0, both: 2 } as const

let library: ReturnType<typeof startLibjpegTurbo> | undefined

/**
 * Encodes an opaque bitmap by libjpeg-turbo as a baseline JPEG. Equal pixels give equal bytes on every machine. Noise whose
 * file would be larger than its pixels has half the quality, because the library has no room for such a file.
 */
export async function encodeJpeg(bitmap: Bitmap, quality: number): Promise<Uint8Array<ArrayBuffer>> {
  try {
    return await encodeAt(bitmap, quality)
  } catch (error) {
    if (!(error instanceof WebAssembly.RuntimeError) || quality === 1) throw error
    // The library cannot be used after such a fault.
    library = undefined
    return encodeJpeg(bitmap, Math.ceil(quality / 2))
  }
}

async function encodeAt(bitmap: Bitmap, quality: number): Promise<Uint8Array<ArrayBuffer>> {
  library ??= startLibjpegTurbo({ wasmBinary: readCodec('jpegEncoder') })
  const { JPEGEncoder } = await library
  const { widthPx: width, heightPx: height, channels, rows } = bitmap
  if (channels !== 3) throw new Error('a JPEG has no transparent pixels')
  const encoder = new JPEGEncoder()
  try {
    const frame = { width, height, bitsPerSample: 8, componentCount: 3, isSigned: false }
    const pixels = encoder.getDecodedBuffer(frame)
    const stride = rowBytes(width, 3)
    for (let y = 0; y < height; y++)
      pixels.set(rows.subarray(y * stride + 1, (y + 1) * stride), y * (stride - 1))
    encoder.setProgressive(false)
    encoder.setSubSampling(quality < fullColorQualityMin ? subSampling.both : subSampling.none)
    encoder.setQuality(quality)
    encoder.encode()
    return Uint8Array.from(encoder.getEncodedBuffer())
  } finally {
    encoder.delete()
  }
}

/**
 * libwebp searches for so long, 0 to 6. Cards take two thirds of the time of method 2 and a third of the default of 4, are no
 * further from their pixels than at method 2, and 12 to 36 % larger.
 */
const method = 0

let webpLibrary: ReturnType<typeof startLibwebp> | undefined

/** An opaque bitmap; with a backdrop as a palette without loss, smaller and nearer to the pixels than libwebp at any quality. */
export async function encodeWebp(bitmap: BackedBitmap, quality: number): Promise<Uint8Array<ArrayBuffer>> {
  const indexed = bitmap.backdrop && indexColors(bitmap)
  if (indexed) return encodeIndexedWebp(bitmap, indexed)
  bitmap.backdrop?.end()
  return encodeLossy(bitmap, quality)
}

export function encodeIndexedWebp(
  { widthPx, heightPx }: PixelSize,
  { colors, rows }: IndexedRows,
): Uint8Array<ArrayBuffer> {
  if (rows.buffer !== painter().memory.buffer) startCanvas(widthPx, heightPx).numbers.set(rows)
  const colorsAt = painter().takeInput(colors.length)
  painterBytes(colorsAt, colors.length).set(colors)
  const bytes = painter().writeWebp(painter().numbersAt(), widthPx, heightPx, colorsAt, colors.length / 3)
  return painterBytes(painter().webpAt(), bytes).slice()
}

async function encodeLossy(bitmap: Bitmap, quality: number): Promise<Uint8Array<ArrayBuffer>> {
  webpLibrary ??= startLibwebp({ noInitialRun: true, wasmBinary: readCodec('webpEncoder') })
  const { encode } = await webpLibrary
  const { widthPx, heightPx } = bitmap
  const rgba = toRgba(bitmap)
  const webp = encode(rgba, widthPx, heightPx, { ...defaultOptions, quality, method })
  release(rgba)
  if (!webp) throw new Error('libwebp has encoded nothing')
  return Uint8Array.from(webp)
}

function toRgba({ widthPx, heightPx, channels, rows }: Bitmap): Uint8Array<ArrayBuffer> {
  if (channels !== 3) throw new Error('only opaque pictures become WebP')
  const rgba = new Uint8Array(widthPx * heightPx * 4)
  const view = new DataView(rgba.buffer)
  let to = 0
  for (let y = 0; y < heightPx; y++) {
    let from = y * rowBytes(widthPx, 3) + 1
    for (let x = 0; x < widthPx; x++, from += 3, to += 4) {
      const red = rows[from] as number
      const green = rows[from + 1] as number
      view.setInt32(to, (red << 24) | (green << 16) | ((rows[from + 2] as number) << 8) | 255)
    }
  }
  return rgba
}

/** The encoders and decoders that are WebAssembly, for a build that ships them beside an executable. */
export const codecFiles = {
  jpegEncoder: {
    packageName: '@cornerstonejs/codec-libjpeg-turbo-8bit',
    file: 'dist/libjpegturbowasm.wasm',
  },
  webpEncoder: { packageName: '@jsquash/webp', file: 'codec/enc/webp_enc_simd.wasm' },
  webpDecoder: { packageName: '@jsquash/webp', file: 'codec/dec/webp_dec.wasm' },
} as const

export function readCodec(name: keyof typeof codecFiles): Uint8Array<ArrayBuffer> {
  const { packageName, file } = codecFiles[name]
  return readFileSync(packageFile(packageName, file))
}
