import { createDecoders } from './content-decoders.ts'

/** Unpacks a gzip file while it arrives. */
export interface Gunzip {
  /** Resolves once there is room for more: with false if no more is needed. */
  write(chunk: Uint8Array): Promise<boolean>
  /** Resolves after the last bytes: with false if the file is no gzip or is cut. */
  end(): Promise<boolean>
}

/** @param take gets the content piece by piece, and returns false if it needs no more */
export function createGunzip(take: (bytes: Uint8Array) => Promise<boolean>): Gunzip {
  const [decoder] = createDecoders('gzip')
  if (decoder === undefined) throw new Error('There is no decoder of gzip.')
  const { stream, isCut } = decoder
  async function unpack(): Promise<boolean> {
    for await (const bytes of stream) if (!(await take(bytes))) return true
    return !isCut.call(decoder)
  }
  const unpacked = unpack().catch(() => false)
  return {
    write(chunk) {
      const written = new Promise<boolean>((resolve) => stream.write(chunk, (error) => resolve(!error)))
      // A stream that was destroyed does not say what became of its last chunk.
      return Promise.race([written, unpacked.then(() => false)])
    },
    end() {
      if (!stream.destroyed) stream.end()
      return unpacked
    },
  }
}
