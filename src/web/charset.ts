import { isAscii } from 'node:buffer'
import { charsetParameter, encodingOf } from './charset-labels.ts'
import { latin1, metaEncoding } from './charset-meta.ts'
import { bomOf, type Charset, chooseCharset, type Declared } from './choose-charset.ts'
import { utf8Evidence } from './utf8-evidence.ts'

export interface CharsetHints {
  readonly contentType: string
  /** Last label of the host name. */
  readonly tld: string
}

/** Turns the bytes of a page into text as they come. */
export interface CharsetDecoder {
  push(chunk: Uint8Array): string
  /** What is still held back, decided by what is there. */
  settle(): string
  /** The rest, once no more bytes come. */
  end(): string
  readonly charset: () => Charset
}

/**
 * Holds the first bytes back until the page has declared its encoding or ended its head, then decodes as a stream.
 * As long as a page without a clear declaration shows nothing but ASCII, the question stays open.
 */
export const createCharsetDecoder = ({ contentType, tld }: CharsetHints): CharsetDecoder => {
  const header = encodingOf(charsetParameter(contentType))
  let declared: Declared = { header, meta: null }
  let held: Uint8Array = new Uint8Array()
  let pastHead = false
  let charset: Charset = { encoding: 'utf-8', source: 'default' }
  let decoder: TextDecoder | undefined

  const decide = (bytes: Uint8Array) => {
    held = new Uint8Array()
    charset = chooseCharset(bytes, declared, tld)
    if (isAscii(bytes) && isOpen(charset)) return Buffer.from(bytes).toString('latin1')
    decoder = new TextDecoder(charset.encoding)
    return decoder.decode(bytes, { stream: true })
  }

  const settle = () => {
    if (decoder !== undefined) return ''
    if (!pastHead) declared = { header, meta: metaEncoding(latin1(held)) }
    return decide(held)
  }

  return {
    charset: () => charset,
    push(chunk) {
      if (decoder !== undefined) return decoder.decode(chunk, { stream: true })
      held = held.length === 0 ? chunk : Buffer.concat([held, chunk])
      if (pastHead) return utf8Evidence(held) === 'cut' ? '' : decide(held)
      const markup = latin1(held.subarray(0, HELD_BYTES_MAX))
      const headEnd = markup.search(HEAD_END)
      declared = { header, meta: metaEncoding(headEnd < 0 ? markup : markup.slice(0, headEnd)) }
      const clear =
        declared.meta !== null || (header !== null && header !== 'windows-1252') || bomOf(held) !== null
      pastHead = clear || held.length >= HELD_BYTES_MAX || headEnd >= 0
      return pastHead ? decide(held) : ''
    },
    settle,
    end: () => settle() + (decoder?.decode() ?? ''),
  }
}

/** The encoding of a body that is there as a whole. */
export const detectCharset = (bytes: Uint8Array, { contentType, tld }: CharsetHints): Charset =>
  chooseCharset(
    bytes,
    { header: encodingOf(charsetParameter(contentType)), meta: metaEncoding(latin1(bytes)) },
    tld,
  )

/** Nothing said yet, or only the Latin-1 that some servers say of everything. */
const isOpen = ({ encoding, source }: Charset): boolean =>
  source === 'default' || (source === 'header' && encoding === 'windows-1252')

const HEAD_END = /<\/head|<body/i

const HELD_BYTES_MAX = 65_536
