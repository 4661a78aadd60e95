import { constants, fstatSync, openSync, write, writeSync } from 'node:fs'

/** Where a `LineWriter` puts bytes. Neither function of it makes the event loop wait for whoever reads them. */
export interface LineSink {
  /** Takes the bytes, or the first of them; returns how many. Throws or rejects with the system's error. */
  write(bytes: Uint8Array): number | Promise<number>
  /** Writes of at most so many bytes are never mixed with those of other processes. */
  readonly atomicBytesMax: number
}

/** What POSIX promises for pipes. */
const pipeAtomicBytes = 4096
const wholeBlockBytes = 64 * 1024

/**
 * A sink for an open file descriptor, for example 1.
 *
 * A pipe is opened once more in non-blocking mode: where its reader sleeps, the system says so at once. Whatever cannot
 * be opened again (a socket, such as the journal's) or must not be (a file has one position for all who write to
 * it) is written to by a thread, one write at a time.
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
    // It is closed, its reader has gone, it belongs to somebody else, or the system has no /proc.
    return undefined
  }
}

function writeByThread(fd: number, bytes: Uint8Array): Promise<number> {
  return new Promise((resolve, reject) => {
    write(fd, bytes, 0, bytes.length, null, (error, written) => (error ? reject(error) : resolve(written)))
  })
}
