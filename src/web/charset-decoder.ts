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

export function createCharsetDecoder({ contentType, tld }: CharsetHints): CharsetDecoder {
  const header = encodingOf(charsetParameter(contentType))
  let declared: Declared = { header, meta: null }
  let held: Uint8Array[] = []
  let heldBytes = 0
  let lookAtBytes = 0
  let lastText = ''
  let pastHead = false
  let charset: Charset = { encoding: 'utf-8', source: 'default' }
  let decoder: TextDecoder | undefined

  function takeHeld(): Uint8Array {
    const bytes = held.length === 1 ? held[0] : Buffer.concat(held)
    held = []
    heldBytes = 0
    return bytes ?? new Uint8Array()
  }

  function hold(bytes: Uint8Array): string {
    held = [bytes]
    heldBytes = bytes.length
    return ''
  }

  function decide(bytes: Uint8Array) {
    charset = chooseCharset(bytes, declared, tld)
    if (isAscii(bytes) && isOpen(charset)) return Buffer.from(bytes).toString('latin1')
    decoder = new TextDecoder(charset.encoding)
    return decoder.decode(bytes, { stream: true })
  }

  function settle() {
    if (decoder !== undefined) return ''
    const bytes = takeHeld()
    if (!pastHead) declared = { header, meta: metaEncoding(latin1(bytes)) }
    return decide(bytes)
  }

  function endsHead(chunk: Uint8Array): boolean {
    const text = lastText + latin1(chunk)
    lastText = text.slice(1 - headEndChars)
    return endOfHead.test(text)
  }

  function look(bytes: Uint8Array): string {
    const markup = latin1(bytes.subarray(0, heldBytesMax))
    const headEnd = markup.search(endOfHead)
    declared = { header, meta: metaEncoding(headEnd < 0 ? markup : markup.slice(0, headEnd)) }
    const clear =
      declared.meta !== null || (header !== null && header !== 'windows-1252') || bomOf(bytes) !== null
    pastHead = clear || bytes.length >= heldBytesMax || headEnd >= 0
    if (pastHead) return decide(bytes)
    // Each look begins at the first byte: a growing distance keeps all of them together linear.
    lookAtBytes = bytes.length + Math.max(lookBytesMin, bytes.length / 4)
    return hold(bytes)
  }

  return {
    charset: () => charset,
    push(chunk) {
      if (decoder !== undefined) return decoder.decode(chunk, { stream: true })
      held.push(chunk)
      heldBytes += chunk.length
      if (pastHead) {
        const bytes = takeHeld()
        return utf8Evidence(bytes) === 'cut' ? hold(bytes) : decide(bytes)
      }
      const isTime = endsHead(chunk) || heldBytes >= Math.min(lookAtBytes, heldBytesMax)
      return isTime ? look(takeHeld()) : ''
    },
    settle,
    end: () => settle() + (decoder?.decode() ?? ''),
  }
}

export function detectCharset(bytes: Uint8Array, { contentType, tld }: CharsetHints): Charset {
  return chooseCharset(
    bytes,
    { header: encodingOf(charsetParameter(contentType)), meta: metaEncoding(latin1(bytes)) },
    tld,
  )
}

function isOpen({ encoding, source }: Charset): boolean {
  return source === 'default' || (source === 'header' && encoding === 'windows-1252')
}

const endOfHead = /<\/head|<body/i
const headEndChars = '</head'.length

const heldBytesMax = 65_536
const lookBytesMin = 1_024
