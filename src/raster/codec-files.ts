import { readFileSync } from 'node:fs'
import { packageFile } from '../lib/package-files.ts'

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
