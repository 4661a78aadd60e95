/** The encoders and decoders that are WebAssembly, for a build that ships them beside an executable. */
export const jpegEncoderFile = {
  packageName: '@cornerstonejs/codec-libjpeg-turbo-8bit',
  file: 'dist/libjpegturbowasm.wasm',
} as const
export const webpEncoderFile = {
  packageName: '@jsquash/webp',
  file: 'codec/enc/webp_enc_simd.wasm',
} as const
export const webpDecoderFile = {
  packageName: '@jsquash/webp',
  file: 'codec/dec/webp_dec.wasm',
} as const

export const codecFiles = [jpegEncoderFile, webpEncoderFile, webpDecoderFile]
