import { Buffer } from 'node:buffer'

/**
 * The content of an answer: bytes, or text that is all ASCII. Either's `length` is its number of bytes. Such text is
 * sent as it is, while bytes are copied for each answer, which is a tenth of the work for a small picture.
 */
export type Body = Uint8Array<ArrayBuffer> | string

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** Text as an answer, in UTF-8. */
export function textBody(text: string): Body {
  return Buffer.byteLength(text) === text.length ? text : encoder.encode(text)
}

/**
 * A text in pieces as an answer, in UTF-8. Joined first, all of it would take two bytes a letter for the few letters that
 * need them.
 */
export function piecesBody(pieces: readonly string[]): Body {
  const sizes = pieces.map((piece) => Buffer.byteLength(piece))
  const bytes = sizes.reduce((sum, size) => sum + size, 0)
  if (pieces.every((piece, index) => piece.length === sizes[index])) return pieces.join('')
  const body = new Uint8Array(bytes)
  let at = 0
  for (const piece of pieces) at += encoder.encodeInto(piece, body.subarray(at)).written
  return body
}

/** The text that a body is. */
export function bodyText(body: Body): string {
  return typeof body === 'string' ? body : decoder.decode(body)
}
