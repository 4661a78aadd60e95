import { promisify } from 'node:util'
import { brotliCompress, constants, gzip, zstdCompress } from 'node:zlib'
import type { Body } from '../lib/body.ts'

export type Encoding = 'zstd' | 'br' | 'gzip'

/** In the order of our preference: zstd costs the least time for nearly the same bytes. */
const encodings: readonly Encoding[] = ['zstd', 'br', 'gzip']

/** Below this many bytes a compressed body saves nothing that a network notices. */
export const compressedBytesMin = 860

const compressors: Record<Encoding, (body: Body) => Promise<Uint8Array<ArrayBuffer>>> = {
  zstd: (body) => zstdAsync(body, { params: { [constants.ZSTD_c_compressionLevel]: 6 } }),
  br: (body) => brotliAsync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: (body) => gzipAsync(body, { level: 6 }),
}

const zstdAsync = promisify(zstdCompress)
const brotliAsync = promisify(brotliCompress)
const gzipAsync = promisify(gzip)

/** Off the main thread. */
export function compress(encoding: Encoding, body: Body): Promise<Uint8Array<ArrayBuffer>> {
  return compressors[encoding](body)
}

/** By the type alone, so that HEAD can name the encoding and the ETag of an answer that was not made. */
export function isCompressible(contentType: string): boolean {
  return /^(text\/(?!event-stream|csv)|image\/svg\+xml|application\/([a-z.+-]*json|xml))/.test(contentType)
}

/** The best encoding that the header accepts; undefined sends the bytes as they are. */
export function negotiateEncoding(acceptEncoding: string | null): Encoding | undefined {
  if (acceptEncoding === null || acceptEncoding === '') return undefined
  const weights = new Map<string, number>()
  for (const entry of acceptEncoding.toLowerCase().split(',')) {
    const [name = '', ...parameters] = entry.split(';').map((part) => part.trim())
    const weight = parameters.find((parameter) => parameter.startsWith('q='))
    weights.set(name, weight === undefined ? 1 : Number(weight.slice(2)) || 0)
  }
  function weightOf(encoding: string) {
    return weights.get(encoding) ?? weights.get('*') ?? 0
  }
  const best = encodings.reduce((one, other) => (weightOf(other) > weightOf(one) ? other : one))
  // Ties with an explicit identity go to the smaller body.
  return weightOf(best) > 0 && weightOf(best) >= (weights.get('identity') ?? 0) ? best : undefined
}
