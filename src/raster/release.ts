/** Bytes of no more than so many may lie in a buffer that others use too. */
const sharedBytesMax = 16 * 1024

/**
 * Gives the memory of bytes that nobody reads any more back at once. The collector goes by objects, of which there are few,
 * and would leave some 20 MB.
 */
export function release({ buffer }: ArrayBufferView): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength > sharedBytesMax) buffer.transfer(0)
}
