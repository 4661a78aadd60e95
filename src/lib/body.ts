import { Buffer } from 'node:buffer'

/**
 * What an answer consists of: bytes, or text that is all ASCII. Either's `length` is its number of bytes. Such text
 * goes out as it is, while bytes are copied for each answer: for a small picture that is a tenth of its whole way.
 */
export type Body = Uint8Array<ArrayBuffer> | string

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** Text as an answer, in UTF-8. */
export function textBody(text: string): Body {
  return Buffer.byteLength(text) === text.length ? text : encoder.encode(text)
}

/** The text that a body is. */
export function bodyText(body: Body): string {
  return typeof body === 'string' ? body : decoder.decode(body)
}
