import { isAscii, isUtf8 } from 'node:buffer'
import { tldEncodings } from './charset-labels.ts'

export type CharsetSource = 'bom' | 'header' | 'meta' | 'content' | 'tld' | 'default'

export interface Charset {
  /** Name from the Encoding Standard, lower case. */
  readonly encoding: string
  readonly source: CharsetSource
}

/** The encodings that the response header and the markup declare. */
export interface DeclaredEncodings {
  readonly header: string | undefined
  readonly meta: string | undefined
}

/** Chooses by, in this order: byte order mark, header, meta element, valid UTF-8, top-level domain, windows-1252. */
export function chooseCharset(bytes: Uint8Array, declared: DeclaredEncodings, tld: string): Charset {
  const bom = bomEncoding(bytes)
  if (bom !== undefined) return { encoding: bom, source: 'bom' }
  const utf8 = utf8Evidence(bytes)
  for (const source of ['header', 'meta'] as const) {
    const encoding = declared[source]
    const isContradicted =
      (encoding !== 'utf-8' && utf8 === 'certain' && (encoding === 'windows-1252' || hasSeveral(bytes))) ||
      (encoding === 'utf-8' && utf8 === 'impossible')
    if (encoding !== undefined && !isContradicted) return { encoding, source }
  }
  if (utf8 === 'certain') return { encoding: 'utf-8', source: 'content' }
  const local = utf8 === 'ascii' ? undefined : tldEncodings.get(tld)
  if (local !== undefined) return { encoding: local, source: 'tld' }
  return { encoding: utf8 === 'ascii' ? 'utf-8' : 'windows-1252', source: 'default' }
}

/** Whether valid UTF-8 has enough characters of several bytes: in another charset, one or two may look like that. */
function hasSeveral(bytes: Uint8Array): boolean {
  let leads = 0
  for (let at = 0; at < bytes.length && leads < leadsMin; at += 1) if ((bytes[at] ?? 0) >= 0xc0) leads += 1
  return leads >= leadsMin
}

const leadsMin = 4

export function bomEncoding(bytes: Uint8Array): string | undefined {
  return boms.find(({ mark }) => mark.every((byte, index) => bytes[index] === byte))?.encoding
}

const boms = [
  { mark: [0xef, 0xbb, 0xbf], encoding: 'utf-8' },
  { mark: [0xff, 0xfe], encoding: 'utf-16le' },
  { mark: [0xfe, 0xff], encoding: 'utf-16be' },
]

/**
 * Evidence in the bytes of being UTF-8. `cut`: ASCII that ends in the beginning of a possible multi-byte sequence.
 */
export type Utf8Evidence = 'ascii' | 'certain' | 'impossible' | 'cut'

/** Text with a few broken sequences among many good ones still counts as UTF-8. */
export function utf8Evidence(bytes: Uint8Array): Utf8Evidence {
  if (isAscii(bytes)) return 'ascii'
  const whole = bytes.subarray(0, bytes.length - incompleteTail(bytes))
  if (isUtf8(whole)) return isAscii(whole) ? 'cut' : 'certain'
  const text = new TextDecoder('utf-8').decode(whole)
  const invalid = text.split('\ufffd').length - 1
  const valid = whole.length > 0 ? (text.match(nonAscii)?.length ?? 0) - invalid : 0
  return valid > invalid * 10 ? 'certain' : 'impossible'
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: everything but ASCII
const nonAscii = /[^\u0000-\u007f]/g

function incompleteTail(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0
    if (byte >= 0xc0) return back < sequenceLength(byte) ? back : 0
    if (byte < 0x80) return 0
  }
  return 0
}

function sequenceLength(lead: number): number {
  return lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2
}
