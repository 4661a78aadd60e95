/**
 * Encodes a text as it goes over the wire, and returns its number of bytes. The engine puts a text that was made of pieces
 * together when somebody first reads it; an operation that returns such a text has not done all of its work.
 */
export function encodedBytes(text: string): number {
  const bytesMax = 3 * text.length
  if (scratch.length < bytesMax) scratch = new Uint8Array(bytesMax)
  return encoder.encodeInto(text, scratch).written
}

const encoder = new TextEncoder()
let scratch = new Uint8Array(2 ** 20)
