import { Buffer } from 'node:buffer'
import { constants, createDeflate, createInflate, deflateSync, inflateSync } from 'node:zlib'
import { createScratch } from './scratch.ts'

/**
 * How hard PNGs are compressed, but for cards, which our own deflate packs. Beside level 5, level 6 saves 5 % for a fifth
 * more time, and level 4 adds 6 to 10 % and saves a fifth, which is worth it where most of the time is spent on pixels of
 * three bytes.
 */
export const pngLevels = { truecolor: 4, palette: 5 } as const

/** Output comes in pieces of so many bytes. How many there are decides where blocks end, and so what the bytes are. */
export const outputPieceBytes = 256 * 1024

/** For few calls: nothing is kept. */
export function zlibCompress(data: Uint8Array, level: number): Uint8Array {
  return deflateSync(data, { level, chunkSize: outputPieceBytes })
}

export function zlibExpand(stream: Uint8Array): Uint8Array {
  return inflateSync(stream, { chunkSize: outputPieceBytes })
}

type Transform = (data: Uint8Array) => Uint8Array

/**
 * Compresses to the bytes of `zlibCompress`, with a stream and an output that are kept: for each picture anew they are as
 * much fresh memory as eight pictures, and the collector that frees it. The result is valid until the next call of any
 * such function.
 */
export function createCompressor(level: number): Transform {
  const write = keptStream(() => createDeflate({ level }))
  return (data) => write(data) ?? zlibCompress(data, level)
}

/** The reverse, for streams that are known to be sound. */
export function createExpander(): Transform {
  const write = keptStream(() => createInflate())
  return (data) => write(data) ?? zlibExpand(data)
}

/** The parts of a stream of `node:zlib` that work without events. Node, Bun and Deno have them; no document promises them. */
interface StreamParts {
  readonly _handle?: {
    reset(): void
    writeSync(
      ...words: [
        flush: number,
        ...from: [input: Uint8Array, at: number, bytes: number],
        ...to: [output: Uint8Array, at: number, bytes: number],
      ]
    ): void
  } | null
  /** Bytes left of the output and of the input after the latest write. */
  readonly _writeState?: Uint32Array
}

/** One output for all streams. */
const outputPiece = createScratch()

/** Undefined where the runtime's streams are made otherwise, or one did not take all of the input. */
function keptStream(create: () => object): (data: Uint8Array) => Uint8Array | undefined {
  let stream: StreamParts | undefined
  return (data) => {
    stream ??= create() as StreamParts
    const { _handle: handle, _writeState: state } = stream
    if (typeof handle?.writeSync !== 'function' || state === undefined) return undefined
    const output = outputPiece(outputPieceBytes)
    const pieces: Uint8Array[] = []
    handle.reset()
    for (let at = 0; ; ) {
      // A write that fails leaves this as it is: nothing written, nothing read.
      state.set([output.length, data.length - at])
      handle.writeSync(constants.Z_FINISH, data, at, data.length - at, output, 0, output.length)
      const [outputLeft = 0, inputLeft = 0] = state
      const written = output.subarray(0, output.length - outputLeft)
      if (outputLeft > 0 && inputLeft > 0) return undefined
      if (outputLeft > 0) return pieces.length === 0 ? written : Buffer.concat([...pieces, written])
      pieces.push(written.slice())
      at = data.length - inputLeft
    }
  }
}
