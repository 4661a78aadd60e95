import { LRUCache } from 'lru-cache'
import type { Body } from '../../lib/body.ts'
import { corkedBody, isCorked } from '../../lib/corked-body.ts'
import { requestCacheBytes } from '../cache-bytes.ts'

/** Bun encodes text for each response, which takes 0.2 µs a KB. A lookup costs more than that for a short text. */
const sharedTextMin = 4 * 1024

const blobs = new LRUCache<Body, Blob>({
  maxSize: requestCacheBytes.sharedBodies,
  sizeCalculation: ({ size }) => Math.max(1, size),
})

/** Deno reads a blob as a stream, which takes longer than the copy. */
const sharesBlobs = 'Bun' in globalThis

/**
 * The same body for a response that is sent again and again. Bun copies an array's bytes for each response, and encodes
 * text, which takes 1 to 2 µs for 10 KB; the bytes of a blob it shares. A long body would be sent apart from its headers.
 */
export function sharedBody(body: Body): Body | Blob | ReadableStream {
  if (!sharesBlobs || (typeof body === 'string' && body.length < sharedTextMin)) return body
  if (isCorked(body)) return corkedBody(body)
  const known = blobs.get(body)
  if (known !== undefined) return known
  const blob = new Blob([body])
  blobs.set(body, blob)
  return blob
}
