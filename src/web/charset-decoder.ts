import { isAscii } from 'node:buffer'
import { charsetParameter, encodingOf } from './charset-labels.ts'
import { latin1, metaEncoding } from './charset-meta.ts'
import {
  bomEncoding,
  type Charset,
  chooseCharset,
  type DeclaredEncodings,
  utf8Evidence,
} from './choose-charset.ts'

export interface CharsetHints {
  readonly contentType: string
  /** Last label of the host name. */
  readonly tld: string
}

export function createCharsetDecoder(hints: CharsetHints): CharsetDecoder {
  return new CharsetDecoder(hints)
}

/**
 * Decodes the bytes of a page to text as they arrive. The charset is chosen when a declaration or the end of the head is
 * found, or after 64 KiB.
 */
export class CharsetDecoder {
  readonly #tld: string
  #declared: DeclaredEncodings
  #held: Uint8Array[] = []
  #heldBytes = 0
  #nextScanBytes = 0
  #lastText = ''
  #isHeadRead = false
  #charset: Charset = { encoding: 'utf-8', source: 'default' }
  #decoder: TextDecoder | undefined

  constructor({ contentType, tld }: CharsetHints) {
    this.#tld = tld
    this.#declared = { header: encodingOf(charsetParameter(contentType)), meta: undefined }
  }

  charset(): Charset {
    return this.#charset
  }

  push(chunk: Uint8Array): string {
    if (this.#decoder !== undefined) return this.#decoder.decode(chunk, { stream: true })
    this.#held.push(chunk)
    this.#heldBytes += chunk.length
    if (this.#isHeadRead) {
      const bytes = this.#takeHeld()
      return utf8Evidence(bytes) === 'cut' ? this.#hold(bytes) : this.#decide(bytes)
    }
    const isDue = this.#endsHead(chunk) || this.#heldBytes >= Math.min(this.#nextScanBytes, heldBytesMax)
    return isDue ? this.#scanHead(this.#takeHeld()) : ''
  }

  /** Chooses the charset by the bytes received so far, and returns the text held back until then. */
  settle(): string {
    if (this.#decoder !== undefined) return ''
    const bytes = this.#takeHeld()
    if (!this.#isHeadRead) this.#declared = { ...this.#declared, meta: metaEncoding(latin1(bytes)) }
    return this.#decide(bytes)
  }

  /** Returns the rest of the text, once no more bytes come. */
  end(): string {
    return this.settle() + (this.#decoder?.decode() ?? '')
  }

  #takeHeld(): Uint8Array {
    const bytes = this.#held.length === 1 ? this.#held[0] : Buffer.concat(this.#held)
    this.#held = []
    this.#heldBytes = 0
    return bytes ?? new Uint8Array()
  }

  #hold(bytes: Uint8Array): string {
    this.#held = [bytes]
    this.#heldBytes = bytes.length
    return ''
  }

  /** ASCII text is the same in the charsets that are still possible, so it decides nothing. */
  #decide(bytes: Uint8Array): string {
    this.#charset = chooseCharset(bytes, this.#declared, this.#tld)
    if (isAscii(bytes) && isOpen(this.#charset)) return Buffer.from(bytes).toString('latin1')
    this.#decoder = new TextDecoder(this.#charset.encoding)
    return this.#decoder.decode(bytes, { stream: true })
  }

  #endsHead(chunk: Uint8Array): boolean {
    const text = this.#lastText + latin1(chunk)
    this.#lastText = text.slice(1 - endOfHeadChars)
    return endOfHead.test(text)
  }

  #scanHead(bytes: Uint8Array): string {
    const { header } = this.#declared
    const markup = latin1(bytes.subarray(0, heldBytesMax))
    const headEnd = markup.search(endOfHead)
    const meta = metaEncoding(headEnd < 0 ? markup : markup.slice(0, headEnd))
    this.#declared = { header, meta }
    const isDeclared =
      meta !== undefined ||
      (header !== undefined && header !== 'windows-1252') ||
      bomEncoding(bytes) !== undefined
    this.#isHeadRead = isDeclared || bytes.length >= heldBytesMax || headEnd >= 0
    if (this.#isHeadRead) return this.#decide(bytes)
    // Each scan starts at the first byte. Growing distances keep the total work linear.
    this.#nextScanBytes = bytes.length + Math.max(scanDistanceBytesMin, bytes.length / 4)
    return this.#hold(bytes)
  }
}

/** Whether bytes that are to come may show another charset, and ASCII says nothing. */
function isOpen({ encoding, source }: Charset): boolean {
  return source !== 'bom' && (source === 'default' || !/^(?:utf-|iso-2022)/.test(encoding))
}

const endOfHead = /<\/head|<body/i
const endOfHeadChars = '</head'.length

const heldBytesMax = 65_536
const scanDistanceBytesMin = 1_024
