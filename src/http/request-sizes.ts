import { Problem } from '../errors.ts'
import type { RequestHead } from './request-head.ts'

const headBytesMax = 16 * 1024
const bodyBytesMax = 64 * 1024

/**
 * Throws if the head or the declared body is too large. A body of undeclared length is measured while it is read.
 * @param handlerReadsBody the route's handler reads the body itself, within a limit of its own.
 */
export function checkSizes({ bytes, bodyBytes }: RequestHead, handlerReadsBody = false): void {
  if (bytes > headBytesMax) {
    throw new Problem('too_large', 'The URL and all headers together may have 16 KiB.', { status: 431 })
  }
  if (bodyBytes > bodyBytesMax && !handlerReadsBody) throw bodyTooLarge()
}

/** Reads the whole body. Throws as soon as it is too large. */
export async function readBody(body: ReadableStream<Uint8Array>): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  let byteLength = 0
  for await (const chunk of body) {
    byteLength += chunk.byteLength
    if (byteLength > bodyBytesMax) throw bodyTooLarge()
    chunks.push(chunk)
  }
  return new Uint8Array(Buffer.concat(chunks))
}

function bodyTooLarge(): Problem {
  return new Problem('too_large', 'A body may have 64 KiB.')
}
