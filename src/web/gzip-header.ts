/** The two bytes that every gzip member begins with. */
export const GZIP_MAGIC = 0x1f8b
/** A checksum and a length, which browsers ignore as well. */
export const GZIP_TRAILER_BYTES = 8

/** How many bytes stand before the deflated data (RFC 1952), null while they are not all there, `none` where it is no gzip. */
export const gzipHeaderBytes = (bytes: Buffer): number | null | 'none' => {
  if (bytes.length >= 2 && bytes.readUInt16BE() !== GZIP_MAGIC) return 'none'
  if (bytes.length > HEADER_BYTES_MAX) return 'none'
  if (bytes.length < 12) return null
  const flags = bytes.readUInt8(3)
  let at = (flags & EXTRA) === 0 ? 10 : 12 + bytes.readUInt16LE(10)
  for (const text of [NAME, COMMENT]) {
    if ((flags & text) === 0) continue
    const end = bytes.indexOf(0, at)
    if (end < 0) return null
    at = end + 1
  }
  if ((flags & CHECKSUM) !== 0) at += 2
  return at <= bytes.length ? at : null
}

const CHECKSUM = 2
const EXTRA = 4
const NAME = 8
const COMMENT = 16
/** An extra field may be that long; a chunk may bring the data with it. */
const HEADER_BYTES_MAX = 262_144
