import { LineBuffer } from './line-buffer.ts'
import type { LineSink } from './line-sink.ts'

/** Writes whole lines to an output that may fail or block: a full disk, a closed pipe, a reader that sleeps. */
export interface LineWriter {
  /** Takes lines, each with its end. Never throws and never waits; lines that cannot be written are counted as lost. */
  write(lines: string): void
  /** How many lines were lost since the start. */
  lost(): number
  /** Resolves when nothing is left to be written, at the latest after `limitMs`. */
  drain(limitMs: number): Promise<void>
}

export interface LineWriterDeps {
  readonly sink: LineSink
  /** The line, without its end, that reports how many were lost since the last such line. */
  readonly lostLine: (count: number) => string
  /** How much may wait while the reader is slow. */
  readonly waitingBytesMax?: number
  /** How long to wait before another write to a slow reader. */
  readonly retryMs?: number
}

export function createLineWriter({
  sink,
  lostLine,
  waitingBytesMax = 1024 * 1024,
  retryMs = 50,
}: LineWriterDeps): LineWriter {
  const buffer = new LineBuffer({ bytesMax: waitingBytesMax, pieceBytesMax: sink.atomicBytesMax, lostLine })
  let whenIdle: (() => void)[] = []
  const pump = createPump(buffer, sink, retryMs, () => {
    for (const resolve of whenIdle) resolve()
    whenIdle = []
  })
  return {
    write(lines) {
      buffer.add(lines)
      if (!pump.isWaiting()) pump.run()
    },
    lost: () => buffer.lost(),
    drain(limitMs) {
      return new Promise((resolve) => {
        const timer = setTimeout(resolve, limitMs)
        whenIdle.push(() => {
          clearTimeout(timer)
          resolve()
        })
        pump.run()
      })
    },
  }
}

/** Writes from the buffer to the sink until one of them has to wait; `onIdle` is called when nothing is left. */
function createPump(buffer: LineBuffer, sink: LineSink, retryMs: number, onIdle: () => void) {
  let isWriting = false
  let retry: ReturnType<typeof setTimeout> | undefined

  function run(): void {
    clearTimeout(retry)
    retry = undefined
    try {
      while (!isWriting) {
        const bytes = buffer.current()
        if (bytes === undefined) {
          onIdle()
          return
        }
        const written = sink.write(bytes)
        if (typeof written === 'number') buffer.advance(written)
        else void finishLater(written)
      }
    } catch (error) {
      handleFailure(error)
    }
  }

  async function finishLater(written: Promise<number>): Promise<void> {
    isWriting = true
    try {
      buffer.advance(await written)
      isWriting = false
      run()
    } catch (error) {
      isWriting = false
      handleFailure(error)
    }
  }

  /** A slow reader is tried again. Every other failure may last, so the lines that wait are lost. */
  function handleFailure(error: unknown): void {
    if (isTemporary(error)) {
      retry = setTimeout(run, retryMs)
      retry.unref()
      return
    }
    buffer.discard()
    onIdle()
  }

  return { run, isWaiting: () => retry !== undefined }
}

function isTemporary(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return code === 'EAGAIN' || code === 'EINTR'
}
