import { promisify } from 'node:util'
import { crc32, deflateRaw } from 'node:zlib'

export interface ZipFile {
  readonly name: string
  readonly content: Uint8Array
}

export async function writeZip(files: readonly ZipFile[]): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  const directory: Uint8Array[] = []
  let offset = 0
  for (const { name, content } of files) {
    const packed = await deflateRawAsync(content)
    const entry = entryFields(name, content, packed)
    const local = concat(fields(0x04034b50, 4), entry, fields(0, 2), Buffer.from(name, 'utf8'))
    directory.push(
      fields(0x02014b50, 4),
      fields(version, 2),
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
const version = 20
const utf8Names = 0x0800
const deflate = 8
const firstDosDate = 0x0021

function entryFields(name: string, content: Uint8Array, packed: Uint8Array): Uint8Array {
  return concat(
    fields(version, 2, utf8Names, 2, deflate, 2, 0, 2, firstDosDate, 2),
    fields(crc32(content), 4, packed.length, 4, content.length, 4, Buffer.byteLength(name), 2),
  )
}

function fields(...valuesAndSizes: readonly number[]): Uint8Array {
  const bytes: number[] = []
  for (let at = 0; at < valuesAndSizes.length; at += 2) {
    const value = valuesAndSizes[at] ?? 0
    for (let byte = 0; byte < (valuesAndSizes[at + 1] ?? 0); byte += 1)
      bytes.push((value >>> (byte * 8)) & 0xff)
  }
  return Uint8Array.from(bytes)
}

function concat(...parts: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts))
}
