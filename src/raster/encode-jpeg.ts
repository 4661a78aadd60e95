import { readFileSync } from 'node:fs'
import startLibjpegTurbo from '@cornerstonejs/codec-libjpeg-turbo-8bit/wasmjs'
import { packageFile } from '../lib/package-files.ts'
import { type Bitmap, rowBytes } from './bitmap.ts'
import { jpegEncoderFile } from './codec-files.ts'
import { pixelsPerColor } from './jpeg/jpeg-tables.ts'

/** Names of `pixelsPerColor` in the library. */
const subSamplings = { 1: 0, 2: 2 } as const

let library: ReturnType<typeof startLibjpegTurbo> | undefined

/**
 * Encodes an opaque bitmap by libjpeg-turbo as a baseline JPEG. Equal pixels give equal bytes on every machine. It is for
 * uploads, in a process without an optimising compiler, where `encodeCardJpeg` would take ten times as long.
 */
export async function encodeJpeg(bitmap: Bitmap, quality: number): Promise<Uint8Array<ArrayBuffer>> {
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
    encoder.setSubSampling(subSamplings[pixelsPerColor(quality)])
    encoder.setQuality(quality)
    encoder.encode()
    return Uint8Array.from(encoder.getEncodedBuffer())
  } finally {
    encoder.delete()
  }
}
