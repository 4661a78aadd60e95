/** Lines that wait to be written, up to a number of bytes. */
export interface LineQueue {
  /** Adds whole lines; false where there is no room for them. */
  add(lines: Uint8Array): boolean
  /** Removes and returns as many lines as fit into `bytesMax`, or one that is longer; undefined when none waits. */
  take(bytesMax: number): Uint8Array | undefined
  /** Empties the queue; returns how many lines it held. */
  clear(): number
}

export function createLineQueue(bytesMax: number): LineQueue {
  let blocks: Uint8Array[] = []
  let bytes = 0
  return {
    add(lines) {
      if (bytes + lines.length > bytesMax) return false
      blocks.push(lines)
      bytes += lines.length
      return true
    },
    take(pieceBytesMax) {
      const block = blocks.shift()
      if (block === undefined) return undefined
      const piece = block.subarray(0, endOfLines(block, pieceBytesMax))
      if (piece.length < block.length) blocks.unshift(block.subarray(piece.length))
      bytes -= piece.length
      return piece
    },
    clear() {
      const lines = blocks.reduce((sum, block) => sum + countLines(block), 0)
      blocks = []
      bytes = 0
      return lines
    },
  }
}

export const newline = 10

export function countLines(block: Uint8Array): number {
  let count = 0
  for (let at = block.indexOf(newline); at >= 0; at = block.indexOf(newline, at + 1)) count++
  return count
}

/** Where the last line ends that lies within the first `bytesMax`, else where the first one ends. */
function endOfLines(block: Uint8Array, bytesMax: number): number {
  if (block.length <= bytesMax) return block.length
  const lastEnd = block.lastIndexOf(newline, bytesMax - 1)
  return (lastEnd < 0 ? block.indexOf(newline) : lastEnd) + 1 || block.length
}
