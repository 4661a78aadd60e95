import { Buffer } from 'node:buffer'

const headBytes = 5

/** A message between processes: its length, a byte that says of which kind it is, its content. */
export function encodeFrame(kind: number, content: Uint8Array): Buffer {
  const head = Buffer.alloc(headBytes)
  head.writeUInt32BE(content.byteLength)
  head.writeUInt8(kind, 4)
  return Buffer.concat([head, content])
}

/**
 * Takes the chunks of a stream and calls back for each whole frame. What has come of a frame is joined once, when all
 * of it is there. Throws RangeError for a frame that is longer than `bytesMax`.
 */
export function createFrameReader(bytesMax: number, onFrame: (kind: number, content: Buffer) => void) {
  let chunks: Buffer[] = []
  let heldBytes = 0
  /** Bytes that must be there before anything can be done. */
  let neededBytes = headBytes

  return (chunk: Uint8Array): void => {
    chunks.push(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength))
    heldBytes += chunk.byteLength
    while (heldBytes >= neededBytes) {
      const held = Buffer.concat(chunks)
      chunks = [held]
      const length = held.readUInt32BE()
      if (length > bytesMax) throw new RangeError(`a frame of ${length} bytes`)
      neededBytes = headBytes + length
      if (held.byteLength < neededBytes) return
      const rest = held.subarray(neededBytes)
      chunks = [rest]
      heldBytes = rest.byteLength
      const content = held.subarray(headBytes, neededBytes)
      neededBytes = headBytes
      onFrame(held.readUInt8(4), content)
    }
  }
}
