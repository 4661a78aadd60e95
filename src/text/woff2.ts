import decoder from 'wawoff2/build/decompress_binding.js'

const signature = 0x774f4632

/** Resolves when fonts can be unpacked. WebAssembly of this size compiles in the background; programs cannot await at the top. */
export const woff2Ready = new Promise<void>((resolve) => {
  if (decoder.calledRun === true) resolve()
  else decoder.onRuntimeInitialized = resolve
})

export function isWoff2Ready(): boolean {
  return decoder.calledRun === true
}

/** Returns the plain font of a WOFF2 file, and any other file as it is, after `woff2Ready`. @throws Error for one that is damaged */
export function unpackFont(file: Uint8Array): Uint8Array {
  if (!isWoff2(file)) return file
  const font = decoder.decompress(file)
  if (font === false) throw new Error('The font is damaged.')
  return font.slice()
}

export function isWoff2({ buffer, byteOffset, byteLength }: Uint8Array): boolean {
  return byteLength >= 4 && new DataView(buffer, byteOffset).getUint32(0) === signature
}
