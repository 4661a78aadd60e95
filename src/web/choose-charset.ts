import { tldEncodings } from './charset-labels.ts'
import { utf8Evidence } from './utf8-evidence.ts'

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
      (encoding === 'windows-1252' && utf8 === 'certain') || (encoding === 'utf-8' && utf8 === 'impossible')
    if (encoding !== undefined && !isContradicted) return { encoding, source }
  }
  if (utf8 === 'certain') return { encoding: 'utf-8', source: 'content' }
  const local = utf8 === 'ascii' ? undefined : tldEncodings.get(tld)
  if (local !== undefined) return { encoding: local, source: 'tld' }
  return { encoding: utf8 === 'ascii' ? 'utf-8' : 'windows-1252', source: 'default' }
}

export function bomEncoding(bytes: Uint8Array): string | undefined {
  return boms.find(({ mark }) => mark.every((byte, index) => bytes[index] === byte))?.encoding
}

const boms = [
  { mark: [0xef, 0xbb, 0xbf], encoding: 'utf-8' },
  { mark: [0xff, 0xfe], encoding: 'utf-16le' },
  { mark: [0xfe, 0xff], encoding: 'utf-16be' },
]
