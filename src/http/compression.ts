import { promisify } from 'node:util'
import { brotliCompress, constants, gzip, zstdCompress, zstdCompressSync } from 'node:zlib'
import { LRUCache } from 'lru-cache'
import { type Body, corkedBody, isCorked } from '../lib/body.ts'
import { textMemo } from '../lib/memo.ts'
import { requestCacheBytes } from './cache-bytes.ts'

export type Encoding = 'zstd' | 'br' | 'gzip'

/** In order of preference: zstd takes the least time for nearly the same size. */
const encodings: readonly Encoding[] = ['zstd', 'br', 'gzip']

/** A smaller body fits into one packet anyway. */
export const compressedBytesMin = 860

type Effort = 'quick' | 'thorough'

/** Quick makes 1 % (zstd), 4 % (br), 2 % (gzip) more bytes of a card of 33 KB, in a fifth, a quarter and 3/4 of the time. */
const levels: Record<Effort, Record<Encoding, number>> = {
  quick: { zstd: 1, br: 2, gzip: 4 },
  thorough: { zstd: 6, br: 5, gzip: 6 },
}

type Bytes = Uint8Array<ArrayBuffer>

const compressors: Record<Encoding, (body: Body, level: number) => Bytes | Promise<Bytes>> = {
  zstd: typeof Bun === 'undefined' ? zstdOfNode : zstdOfBun,
  br: (body, level) => brotliAsync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: level } }),
  gzip: (body, level) => gzipAsync(body, { level }),
}

const zstdAsync = promisify(zstdCompress)
const brotliAsync = promisify(brotliCompress)
const gzipAsync = promisify(gzip)

/** A card of 8 KB at the quick level takes 35 µs; handing it to another thread and back would take 40 µs more. */
const quickBytesMax = 64 * 1024

function isQuick({ length }: Body, level: number): boolean {
  return length <= quickBytesMax && level === levels.quick.zstd
}

function zstdOfNode(body: Body, level: number): Bytes | Promise<Bytes> {
  const options = { params: { [constants.ZSTD_c_compressionLevel]: level } }
  return isQuick(body, level) ? zstdCompressSync(body, options) : zstdAsync(body, options)
}

/** Makes the same bytes as `zstdOfNode` in four fifths of the time, without buffers beside the result. */
function zstdOfBun(body: Body, level: number): Bytes | Promise<Bytes> {
  const options = { level }
  // The types of Bun allow for a buffer that threads share, which is never the result.
  return (isQuick(body, level) ? Bun.zstdCompressSync(body, options) : Bun.zstdCompress(body, options)) as
    | Bytes
    | Promise<Bytes>
}

/** A body that is sent once. @param byTypeAlone a small one is compressed too, because HEAD cannot know that it is small */
export async function encodeBody(request: Request, response: Response, byTypeAlone = false) {
  const { headers, status } = response
  const contentType = headers.get('content-type') ?? ''
  if (headers.has('content-encoding') || !isCompressible(contentType)) return response
  // A 402 is small and different for everybody: compression would cost more than the rest of it.
  if (status === 402) return response
  if (!headers.get('vary')?.includes('Accept-Encoding')) headers.append('vary', 'Accept-Encoding')
  const encoding = encodingFor(request, contentType)
  if (encoding === undefined) return response
  if (response.body === null && request.method === 'HEAD') headers.set('content-encoding', encoding)
  const bytes = new Uint8Array(await response.arrayBuffer())
  if (bytes.byteLength === 0) return new Response(null, { status, headers })
  if (bytes.byteLength < compressedBytesMin && !byTypeAlone) return new Response(bytes, { status, headers })
  headers.set('content-encoding', encoding)
  return new Response(corkedBody(await compress(encoding, bytes)), { status, headers })
}

/** Works on another thread, and returns a promise, unless that would cost more than the work itself. */
export function compress(encoding: Encoding, body: Body, effort: Effort = 'quick'): Bytes | Promise<Bytes> {
  return compressors[encoding](body, levels[effort][encoding])
}

/** Decided by the content type alone, so that HEAD can name the encoding and the ETag without rendering. */
export function isCompressible(contentType: string): boolean {
  return compressible.test(contentType)
}

const compressible = /^(text\/(?!event-stream|csv)|image\/svg\+xml|application\/([a-z.+-]*json|xml))/

export function encodingFor({ headers }: Request, contentType: string): Encoding | undefined {
  return isCompressible(contentType) ? negotiateEncoding(headers.get('accept-encoding')) : undefined
}

/** Longer headers than any browser's are not remembered. */
const negotiated = textMemo((accepted) => bestEncoding(accepted) ?? 'identity', 100, 100)

export function negotiateEncoding(acceptEncoding: string | null): Encoding | undefined {
  if (acceptEncoding === null || acceptEncoding === '') return undefined
  const encoding = negotiated(acceptEncoding)
  return encoding === 'identity' ? undefined : encoding
}

function bestEncoding(acceptEncoding: string): Encoding | undefined {
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
  // The smaller body is sent where `identity` is accepted just as much.
  return weightOf(best) > 0 && weightOf(best) >= (weights.get('identity') ?? 0) ? best : undefined
}

/** Bun encodes text for each response, which takes 0.2 µs a KB. A lookup costs more than that for a short text. */
const sharedTextMin = 4 * 1024

const blobs = new LRUCache<Body, Blob>({
  maxSize: requestCacheBytes.sharedBodies,
  sizeCalculation: ({ size }) => Math.max(1, size),
})

/** Deno reads a blob as a stream, which takes longer than the copy. */
const sharesBlobs = 'Bun' in globalThis

/**
 * Bun copies bytes and encodes text for each response, but shares a blob's bytes: 9.7 KB of text are answered 0.79 as often
 * as an array, with a blob 0.96. A long body would be sent apart from its headers, so it is corked instead.
 */
export function sharedBody(body: Body): Body | Blob | ReadableStream {
  if (!sharesBlobs || (typeof body === 'string' && body.length < sharedTextMin)) return body
  if (isCorked(body)) return corkedBody(body)
  const cached = blobs.get(body)
  if (cached !== undefined) return cached
  const blob = new Blob([body])
  blobs.set(body, blob)
  return blob
}
