import { bomEncoding } from '../../web/choose-charset.ts'

/** A page as a text of which every byte can be had back, whatever its charset. Only its ASCII characters are what they are. */
export interface PageText {
  readonly text: string
  /** The text with everything hidden that only looks like ASCII; as long as the text. */
  readonly markup: string
  /** Whether one character is one byte of the file. */
  readonly isByteWise: boolean
  bytesOf(text: string): Uint8Array
}

/**
 * Opens the bytes of a page. In all charsets of the web but UTF-16, a byte below 0x80 that is part of a longer character is
 * none of those that markup is made of; the Japanese one with escape sequences is the exception.
 */
export function openPageText(bytes: Uint8Array): PageText {
  const encoding = bomEncoding(bytes)
  if (encoding === 'utf-16le' || encoding === 'utf-16be') return openWide(bytes, encoding === 'utf-16be')
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
  const markup = text.includes(escapeSequence) ? text.replace(twoByteText, hide) : text
  return { text, markup, isByteWise: true, bytesOf: (changed) => Buffer.from(changed, 'latin1') }
}

function openWide(bytes: Uint8Array, isBigEndian: boolean): PageText {
  const evenBytes = bytes.length - (bytes.length % 2)
  const units = Buffer.from(bytes.subarray(0, evenBytes))
  const text = (isBigEndian ? units.swap16() : units).toString('utf16le')
  return {
    text,
    markup: text,
    isByteWise: false,
    bytesOf(changed) {
      const written = Buffer.from(changed, 'utf16le')
      return Buffer.concat([isBigEndian ? written.swap16() : written, bytes.subarray(evenBytes)])
    },
  }
}

const escapeSequence = '\u001b$'
// biome-ignore lint/suspicious/noControlCharactersInRegex: the charset begins its other characters with it
const twoByteText = /\u001b\$[@B(][^\u001b]*/g

function hide(text: string): string {
  return 'x'.repeat(text.length)
}
