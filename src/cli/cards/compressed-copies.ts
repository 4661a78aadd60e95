import { existsSync } from 'node:fs'
import zlib from 'node:zlib'
import { writeWhole } from './write-file.ts'

const compressors: Readonly<Record<string, (bytes: Uint8Array) => Uint8Array>> = {
  '.gz': (bytes) => zlib.gzipSync(bytes, { level: 9 }),
  '.br': (bytes) => zlib.brotliCompressSync(bytes),
  '.zst': zstd,
}

/** The client's command runs on Node 20, which has none. */
function zstd(bytes: Uint8Array): Uint8Array {
  if (zlib.zstdCompressSync === undefined)
    throw new Error('its copy in .zst can be written by Node 22.15 or newer, not by this one')
  return zlib.zstdCompressSync(bytes)
}

/** Writes the compressed copies beside a page again, where there are any: servers give them out in its place. */
export async function writeCompressedCopies(path: string, bytes: Uint8Array, mode: number): Promise<void> {
  for (const [end, compress] of Object.entries(compressors))
    if (existsSync(path + end)) await writeWhole(path + end, compress(bytes), mode)
}
