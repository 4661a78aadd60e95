/** The tables of a WOFF2 file, and the stream that all of them are packed in. */
export interface Woff2Directory {
  readonly flavor: number
  readonly tables: readonly Woff2Table[]
  /** Brotli. */
  readonly stream: Uint8Array
  /** Bytes that the stream unpacks to. */
  readonly unpackedBytes: number
}

export interface Woff2Table {
  readonly tag: string
  /** Bytes in the plain font, as the file says. */
  readonly length: number
  /** Bytes in the stream. */
  readonly packedLength: number
  /** Whether the stream has the table in a form of its own. */
  readonly isTransformed: boolean
}

const woff2 = 0x774f4632
const collection = 0x74746366
const headBytes = 48
const customTag = 63
/** The tables that have a number instead of a name, in the order of the specification. */
const tags = (
  'cmap head hhea hmtx maxp name OS/2 post cvt  fpgm glyf loca prep CFF  VORG EBDT EBLC gasp hdmx kern LTSH PCLT ' +
  'VDMX vhea vmtx BASE GDEF GPOS GSUB EBSC JSTF MATH CBDT CBLC COLR CPAL SVG  sbix acnt avar bdat bloc bsln cvar ' +
  'fdsc feat fmtx fvar gvar hsty just lcar mort morx opbd prop trak Zapf Silf Glat Gloc Feat Sill'
).match(/.{4}(?: |$)/g)

export function isWoff2(file: Uint8Array): boolean {
  return file.length >= headBytes && viewOf(file).getUint32(0) === woff2
}

/** @throws RangeError for a file that ends too early or is none that browsers load. */
export function readWoff2Directory(file: Uint8Array): Woff2Directory {
  const view = viewOf(file)
  const flavor = view.getUint32(4)
  if (flavor === collection) throw new RangeError('A collection of fonts is not one font')
  let at = headBytes
  function base128(): number {
    let value = 0
    for (let count = 0; count < 5; count++) {
      const byte = view.getUint8(at++)
      value = value * 128 + (byte & 0x7f)
      if (byte < 128) return value
    }
    throw new RangeError('A number has no end')
  }
  function readTable(): Woff2Table {
    const flags = view.getUint8(at++)
    const number = flags & 63
    const tag = number === customTag ? latin1(file.subarray(at, at + 4)) : (tags?.[number]?.slice(0, 4) ?? '')
    if (number === customTag) at += 4
    const version = flags >> 6
    const isTransformed = tag === 'glyf' || tag === 'loca' ? version === 0 : version !== 0
    const length = base128()
    return { tag, length, isTransformed, packedLength: isTransformed ? base128() : length }
  }
  const tables = Array.from({ length: view.getUint16(12) }, readTable)
  const unpackedBytes = tables.reduce((sum, { packedLength }) => sum + packedLength, 0)
  return { flavor, tables, unpackedBytes, stream: file.subarray(at, at + view.getUint32(20)) }
}

function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength)
}

function latin1(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes)
}
