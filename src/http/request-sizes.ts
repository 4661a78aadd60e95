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

/** Reads the whole body. Throws as soon as it is too large, and if its caller goes away before its end. */
export async function readBody(body: ReadableStream<Uint8Array>): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  let byteLength = 0
  const reader = body.getReader()
  for (;;) {
    const { done, value } = await reader.read().catch(cutOff)
    if (done) return new Uint8Array(Buffer.concat(chunks))
    byteLength += value.byteLength
    if (byteLength > bodyBytesMax) {
      reader.cancel().catch(() => {})
      throw bodyTooLarge()
    }
    chunks.push(value)
  }
}

/** Throws the problem of a body whose end never came. Nobody reads the response: its status is for the log. */
export function cutOff(cause: unknown): never {
  throw new Problem('invalid_body', 'The body was cut off.', { status: 499, cause })
}

function bodyTooLarge(): Problem {
  return new Problem('too_large', 'A body may have 64 KiB.')
}
