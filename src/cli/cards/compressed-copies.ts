import { existsSync } from 'node:fs'
import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { writeWhole } from './write-file.ts'

const compressors: Readonly<Record<string, (bytes: Uint8Array) => Uint8Array>> = {
  '.gz': (bytes) => gzipSync(bytes, { level: 9 }),
  '.br': (bytes) => brotliCompressSync(bytes),
  '.zst': (bytes) => zstdCompressSync(bytes),
}

/** Writes the compressed copies beside a page again, where there are any: servers give them out in its place. */
export async function writeCompressedCopies(path: string, bytes: Uint8Array, mode: number): Promise<void> {
  for (const [end, compress] of Object.entries(compressors))
    if (existsSync(path + end)) await writeWhole(path + end, compress(bytes), mode)
}
