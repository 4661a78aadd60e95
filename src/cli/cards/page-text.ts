import { bomEncoding } from '../../web/charset.ts'

/** A page as a text of which every byte can be had back, whatever its charset. Only its ASCII characters are what they are. */
export interface PageText {
  readonly text: string
  /** True if one character is one byte of the file. */
  readonly isByteWise: boolean
  bytesOf(text: string): Uint8Array
}

/**
 * Opens the bytes of a page. In the charsets of the web but UTF-16, a byte below 0x80 that is part of a longer character is
 * none of those that markup is made of. In ISO-2022-JP it may be one; no page of today is written in it.
 */
export function openPageText(bytes: Uint8Array): PageText {
  const encoding = bomEncoding(bytes)
  if (encoding === 'utf-16le' || encoding === 'utf-16be') return openWide(bytes, encoding === 'utf-16be')
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
  return { text, isByteWise: true, bytesOf: (changed) => Buffer.from(changed, 'latin1') }
}

function openWide(bytes: Uint8Array, isBigEndian: boolean): PageText {
  const evenBytes = bytes.length - (bytes.length % 2)
  const units = Buffer.from(bytes.subarray(0, evenBytes))
  const text = (isBigEndian ? units.swap16() : units).toString('utf16le')
  return {
    text,
    isByteWise: false,
    bytesOf(changed) {
      const written = Buffer.from(changed, 'utf16le')
      return Buffer.concat([isBigEndian ? written.swap16() : written, bytes.subarray(evenBytes)])
    },
  }
}
