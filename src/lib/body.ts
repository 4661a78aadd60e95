import { Buffer } from 'node:buffer'

/** Bytes, or text that is all ASCII, whose `length` is its bytes too. Copying bytes is a tenth of a small answer's work. */
export type Body = Uint8Array<ArrayBuffer> | string

const encoder = new TextEncoder()
const decoder = new TextDecoder()

export function textBody(text: string): Body {
  return isAscii(text) ? text : encoder.encode(text)
}

/** If the first piece is ASCII, all usually are: they are joined. Else a joined text would take two bytes for each letter. */
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

export function bodyText(body: Body): string {
  return typeof body === 'string' ? body : decoder.decode(body)
}

/** Bun joins a shorter body with its headers by itself, also where the response was waited for. */
const corkedBytesMin = 15 * 1024

const isBun = 'Bun' in globalThis

/**
 * Bun gathers what it writes (corks the socket) only while a handler runs. Where a response was waited for, each name and
 * value of a header is a system call: 71 for a picture, twenty times the cost of sending it. A direct stream that keeps
 * everything until its end is written at once, and has a `Content-Length` all the same. Deno needs none of this.
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

export function isCorked(body: Body): boolean {
  return body.length >= corkedBytesMin
}

/** Fields of a binary file, the lowest byte of each first. @param valuesAndSizes a number, its size in bytes, the next number … */
export function littleEndian(...valuesAndSizes: readonly number[]): Uint8Array {
  const bytes: number[] = []
  for (let at = 0; at < valuesAndSizes.length; at += 2) {
    const value = valuesAndSizes[at] ?? 0
    for (let byte = 0; byte < (valuesAndSizes[at + 1] ?? 0); byte += 1)
      bytes.push((value >>> (byte * 8)) & 0xff)
  }
  return Uint8Array.from(bytes)
}
