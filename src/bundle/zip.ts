import { promisify } from 'node:util'
import { crc32, deflateRaw } from 'node:zlib'

export interface ZipFile {
  readonly name: string
  readonly content: Uint8Array
}

/** A zip archive, compressed off the main thread. Equal files give equal bytes: every date in it is the first that the format knows. */
export const writeZip = async (files: readonly ZipFile[]): Promise<Uint8Array> => {
  const parts: Uint8Array[] = []
  const directory: Uint8Array[] = []
  let offset = 0
  for (const { name, content } of files) {
    const packed = await deflateRawAsync(content)
    const entry = entryFields(name, content, packed)
    const local = concat(fields(0x04034b50, 4), entry, fields(0, 2), Buffer.from(name, 'utf8'))
    directory.push(
      fields(0x02014b50, 4),
      fields(VERSION, 2),
      entry,
      fields(0, 2, 0, 2, 0, 2, 0, 2, 0, 4, offset, 4),
      Buffer.from(name, 'utf8'),
    )
    parts.push(local, packed)
    offset += local.length + packed.length
  }
  const index = concat(...directory)
  const count = files.length
  const end = fields(0x06054b50, 4, 0, 2, 0, 2, count, 2, count, 2, index.length, 4, offset, 4, 0, 2)
  return concat(...parts, index, end)
}

const deflateRawAsync = promisify(deflateRaw)
const VERSION = 20
const UTF8_NAMES = 0x0800
const DEFLATE = 8
const FIRST_DOS_DATE = 0x0021

/** What the local header and the directory share. */
const entryFields = (name: string, content: Uint8Array, packed: Uint8Array): Uint8Array =>
  concat(
    fields(VERSION, 2, UTF8_NAMES, 2, DEFLATE, 2, 0, 2, FIRST_DOS_DATE, 2),
    fields(crc32(content), 4, packed.length, 4, content.length, 4, Buffer.byteLength(name), 2),
  )

/** Little-endian integers, given as value and size in turns. */
const fields = (...valuesAndSizes: readonly number[]): Uint8Array => {
  const bytes: number[] = []
  for (let at = 0; at < valuesAndSizes.length; at += 2) {
    const value = valuesAndSizes[at] ?? 0
    for (let byte = 0; byte < (valuesAndSizes[at + 1] ?? 0); byte += 1)
      bytes.push((value >>> (byte * 8)) & 0xff)
  }
  return Uint8Array.from(bytes)
}

const concat = (...parts: readonly Uint8Array[]): Uint8Array => new Uint8Array(Buffer.concat(parts))
