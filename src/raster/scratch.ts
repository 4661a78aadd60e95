/**
 * A buffer that every call reuses while the length stays the same. For pictures this is worth its sharp edge
 * (the content is valid until the next call only): fresh pages cost more than what is written to them.
 */
export function createScratch(): (length: number) => Uint8Array<ArrayBuffer> {
  let buffer = new Uint8Array(0)
  return (length) => {
    if (buffer.length !== length) buffer = new Uint8Array(length)
    return buffer
  }
}
