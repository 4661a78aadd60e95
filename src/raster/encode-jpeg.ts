import { readFileSync } from 'node:fs'
import startLibjpegTurbo from '@cornerstonejs/codec-libjpeg-turbo-8bit/wasmjs'
import { packageFile } from '../lib/package-files.ts'
import { type Bitmap, rowBytes } from './bitmap.ts'
import { jpegEncoderFile } from './codec-files.ts'

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
  const { packageName, file } = jpegEncoderFile
  library ??= startLibjpegTurbo({ wasmBinary: readFileSync(packageFile(packageName, file)) })
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
