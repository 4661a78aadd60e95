import { setImmediate } from 'node:timers/promises'
import { brotliDecompressSync, createBrotliDecompress } from 'node:zlib'
import { createCpuBudget } from '../lib/cooperative-scheduler.ts'
import { drained } from '../lib/drained.ts'
import { isWoff2, readWoff2Directory, type Woff2Directory } from './woff2-directory.ts'
import { rebuildFont } from './woff2-font.ts'

/** Deno unpacks on the event loop: so many bytes of the file in a turn take a few ms. */
const bytesPerTurn = 2 ** 14
const chunkBytes = 2 ** 16

/** A font file to the plain font, in short turns of the event loop. */
export async function unpackFont(file: Uint8Array): Promise<Uint8Array> {
  if (!isWoff2(file)) return file
  const directory = readWoff2Directory(file)
  const unpacked = await expand(directory)
  return createCpuBudget().run(rebuildFont(directory, unpacked))
}

/** A font file to the plain font at once, for programs that serve no requests. */
export function unpackFontSync(file: Uint8Array): Uint8Array {
  if (!isWoff2(file)) return file
  const directory = readWoff2Directory(file)
  return drained(rebuildFont(directory, brotliDecompressSync(directory.stream)))
}

async function expand({ stream, unpackedBytes }: Woff2Directory): Promise<Uint8Array> {
  const decoder = createBrotliDecompress({ chunkSize: chunkBytes })
  const unpacked = new Uint8Array(unpackedBytes)
  let length = 0
  const ended = new Promise<void>((resolve, reject) => {
    decoder.on('data', (chunk: Uint8Array) => {
      if (length + chunk.length <= unpackedBytes) unpacked.set(chunk, length)
      length += chunk.length
    })
    decoder.on('end', resolve)
    decoder.on('error', reject)
  })
  async function feed(): Promise<void> {
    for (let start = 0; start < stream.length; start += bytesPerTurn) {
      if (start > 0) await setImmediate()
      await new Promise((resolve) => decoder.write(stream.subarray(start, start + bytesPerTurn), resolve))
    }
    decoder.end()
  }
  // A damaged stream fails before all of it was taken.
  await Promise.race([Promise.all([ended, feed()]), ended])
  if (length !== unpackedBytes) throw new RangeError('The font unpacks to another length than it says')
  return unpacked
}
