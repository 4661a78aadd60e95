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
  return isAscii(text) ? text : encoder.encode(text)
}

/**
 * A text in pieces as an answer, in UTF-8. If the first piece is ASCII, all others usually are: then they are put together,
 * and copied once. Otherwise each is encoded by itself, because a joined text would take two bytes a letter for the few
 * letters that need them.
 */
export function piecesBody(pieces: readonly string[]): Body {
  const [first = '', ...others] = pieces
  if (isAscii(first)) {
    const text = others.reduce((sum, piece) => sum + piece, first)
    if (isAscii(text)) return text
  }
  const sizes = pieces.map((piece) => Buffer.byteLength(piece))
  const body = new Uint8Array(sizes.reduce((sum, size) => sum + size, 0))
  let at = 0
  for (const piece of pieces) at += encoder.encodeInto(piece, body.subarray(at)).written
  return body
}

function isAscii(text: string): boolean {
  return Buffer.byteLength(text) === text.length
}

/** The text that a body is. */
export function bodyText(body: Body): string {
  return typeof body === 'string' ? body : decoder.decode(body)
}
