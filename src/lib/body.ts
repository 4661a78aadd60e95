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

/** Bun joins a shorter body with its headers by itself, also where the response was waited for. */
const corkedBytesMin = 15 * 1024

const isBun = 'Bun' in globalThis

/**
 * A body that Bun sends together with the headers of its response.
 *
 * Bun gathers what it writes (corks the socket) only while the handler of a request runs. Where the response was waited
 * for, each name and each value of its headers is a system call of its own: 71 of them for a picture, which cost twenty
 * times as much as sending it does. A direct stream that keeps everything until its end is written at once, and has a
 * `Content-Length` all the same. Deno needs none of this.
 */
export function corkedBody(body: Body): Body | ReadableStream {
  if (!isBun || !isCorked(body)) return body
  const bytes = typeof body === 'string' ? encoder.encode(body) : body
  const source: Bun.DirectUnderlyingSource = {
    type: 'direct',
    pull(controller) {
      void controller.write(bytes)
      void controller.end()
    },
  }
  // The types of browsers, which the check reads, do not know direct streams.
  return new ReadableStream(source as unknown as UnderlyingSource, { highWaterMark: bytes.byteLength + 1 })
}

/** Whether the body is long enough for `corkedBody` to make a difference. */
export function isCorked(body: Body): boolean {
  return body.length >= corkedBytesMin
}
