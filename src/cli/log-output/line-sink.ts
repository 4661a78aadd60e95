import { constants, fstatSync, openSync, write, writeSync } from 'node:fs'

/** The output of a `LineWriter`. A write never makes the event loop wait for the reader. */
export interface LineSink {
  /** Writes the bytes, or the first of them, and returns how many. Throws or rejects with the system's error. */
  write(bytes: Uint8Array): number | Promise<number>
  /** Writes of at most this size are never interleaved with those of other processes. */
  readonly atomicBytesMax: number
}

/** POSIX requires writes of at most 512 bytes to a pipe to be atomic; Linux guarantees 4096. */
const pipeAtomicBytes = 4096
const wholeBlockBytes = 256 * 1024

/**
 * A sink for an open file descriptor, for example 1.
 *
 * A pipe is opened a second time in non-blocking mode, so that a write to a sleeping reader fails at once. A socket,
 * such as the journal's, cannot be opened again, and a file must not be, since all its writers share one position:
 * these are written to by a thread, one write at a time.
 */
export function openLineSink(fd: number): LineSink {
  const pipe = openPipeAgain(fd)
  if (pipe !== undefined) return { write: (bytes) => writeSync(pipe, bytes), atomicBytesMax: pipeAtomicBytes }
  return { write: (bytes) => writeByThread(fd, bytes), atomicBytesMax: wholeBlockBytes }
}

function openPipeAgain(fd: number): number | undefined {
  try {
    if (!fstatSync(fd).isFIFO()) return undefined
    return openSync(`/proc/self/fd/${fd}`, constants.O_WRONLY | constants.O_NONBLOCK)
  } catch {
    // The pipe is closed, its reader has gone, it belongs to another user, or the system has no /proc.
    return undefined
  }
}

function writeByThread(fd: number, bytes: Uint8Array): Promise<number> {
  return new Promise((resolve, reject) => {
    write(fd, bytes, 0, bytes.length, null, (error, written) => (error ? reject(error) : resolve(written)))
  })
}
