import { LRUCache } from 'lru-cache'
import type { Body } from '../lib/body.ts'

/** Enough for the pictures that most requests are for; what is asked for less often is copied. */
const sharedBytesMax = 4 * 2 ** 20

const blobs = new LRUCache<Uint8Array<ArrayBuffer>, Blob>({
  maxSize: sharedBytesMax,
  sizeCalculation: ({ size }) => Math.max(1, size),
})

/** Deno reads a blob as a stream, which takes longer than the copy. */
const sharesBlobs = 'Bun' in globalThis

/**
 * The same body for a response that is sent again and again. Bun copies an array's bytes for each response, which takes
 * 2 µs for 10 KB; those of a blob it shares, like text.
 */
export function sharedBody(body: Body): Body | Blob {
  if (typeof body === 'string' || !sharesBlobs) return body
  const known = blobs.get(body)
  if (known !== undefined) return known
  const blob = new Blob([body])
  blobs.set(body, blob)
  return blob
}
