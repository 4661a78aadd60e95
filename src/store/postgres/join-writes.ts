import { Buffer } from 'node:buffer'
import type { Writable } from 'node:stream'

/**
 * Has a stream send what is written while it is corked as one piece. A statement is five messages, and the sockets of some
 * runtimes send each by a system call of its own, corked or not: half of what a batch of calls costs.
 */
export function joinWrites(stream: Writable): void {
  const write = stream.write.bind(stream)
  let corked: Uint8Array[] | undefined
  stream.cork = () => {
    corked ??= []
  }
  stream.uncork = () => {
    const messages = corked ?? []
    corked = undefined
    if (messages.length > 0) write(Buffer.concat(messages))
  }
  stream.write = (message: Uint8Array) => {
    if (corked === undefined) return write(message)
    corked.push(message)
    return true
  }
}
