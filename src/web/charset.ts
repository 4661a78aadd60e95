import { isAscii, isUtf8 } from 'node:buffer'
import charsets from './charsets.json' with { type: 'json' }

export type CharsetDecoder = ReturnType<typeof createCharsetDecoder>

/** Chooses the charset when a declaration or the end of the head is found, or after 64 KiB, and decodes what arrives. */
export function createCharsetDecoder({ contentType, tld }: Readonly<Record<'contentType' | 'tld', string>>) {
  const header = encodingOf(charsetParameter(contentType))
  let meta: string | undefined
  let held: Uint8Array[] = []
  let heldBytes = 0
  let nextScanBytes = 0
  let lastText = ''
  let isHeadRead = false
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

  /** ASCII text is the same in the charsets that are still possible, so it decides nothing. */
  function decide(bytes: Uint8Array): string {
    charset = chooseCharset(bytes, { header, meta }, tld)
    if (isAscii(bytes) && isOpen(charset)) return Buffer.from(bytes).toString('latin1')
    decoder = new TextDecoder(charset.encoding)
    return decoder.decode(bytes, { stream: true })
  }

  function endsHead(chunk: Uint8Array): boolean {
    const text = lastText + latin1(chunk)
    lastText = text.slice(1 - endOfHeadChars)
    return endOfHead.test(text)
  }

  function scanHead(bytes: Uint8Array): string {
    const markup = latin1(bytes.subarray(0, heldBytesMax))
    const headEnd = markup.search(endOfHead)
    meta = metaEncoding(headEnd < 0 ? markup : markup.slice(0, headEnd))
    const isDeclared =
      meta !== undefined ||
      (header !== undefined && header !== 'windows-1252') ||
      bomEncoding(bytes) !== undefined
    isHeadRead = isDeclared || bytes.length >= heldBytesMax || headEnd >= 0
    if (isHeadRead) return decide(bytes)
    // Each scan starts at the first byte. Growing distances keep the total work linear.
    nextScanBytes = bytes.length + Math.max(scanDistanceBytesMin, bytes.length / 4)
    return hold(bytes)
  }

  /** Chooses the charset by the bytes received so far, and returns the text held back until then. */
  function settle(): string {
    if (decoder !== undefined) return ''
    const bytes = takeHeld()
    if (!isHeadRead) meta = metaEncoding(latin1(bytes))
    return decide(bytes)
  }

  return {
    charset: () => charset,
    push(chunk: Uint8Array): string {
      if (decoder !== undefined) return decoder.decode(chunk, { stream: true })
      held.push(chunk)
      heldBytes += chunk.length
      if (isHeadRead) {
        const bytes = takeHeld()
        return utf8Evidence(bytes) === 'cut' ? hold(bytes) : decide(bytes)
      }
      const isDue = endsHead(chunk) || heldBytes >= Math.min(nextScanBytes, heldBytesMax)
      return isDue ? scanHead(takeHeld()) : ''
    },
    settle,
    end: () => settle() + (decoder?.decode() ?? ''),
  }
}

/** Bytes that are to come may show another charset, and ASCII says nothing. */
function isOpen({ encoding, source }: Charset): boolean {
  return source !== 'bom' && (source === 'default' || !/^(?:utf-|iso-2022)/.test(encoding))
}

const endOfHead = /<\/head|<body/i
const endOfHeadChars = '</head'.length

const heldBytesMax = 65_536
const scanDistanceBytesMin = 1_024

export interface Charset {
  readonly encoding: string
  readonly source: 'bom' | 'header' | 'meta' | 'content' | 'tld' | 'default'
}

type DeclaredEncodings = Readonly<Record<'header' | 'meta', string | undefined>>

/** Chooses by, in this order: byte order mark, header, meta element, valid UTF-8, top-level domain, windows-1252. */
function chooseCharset(bytes: Uint8Array, declared: DeclaredEncodings, tld: string): Charset {
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

/** In another charset, one or two characters may look like UTF-8 of several bytes. */
function hasSeveral(bytes: Uint8Array): boolean {
  return bytes.filter((byte) => byte >= 0xc0).length >= leadsMin
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

/** Text with a few broken sequences still counts as UTF-8. `cut`: ASCII that ends in the beginning of a multi-byte sequence. */
function utf8Evidence(bytes: Uint8Array): 'ascii' | 'certain' | 'impossible' | 'cut' {
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
    const sequenceLength = 2 + Number(byte >= 0xe0) + Number(byte >= 0xf0)
    if (byte >= 0xc0) return back < sequenceLength ? back : 0
    if (byte < 0x80) return 0
  }
  return 0
}

/** Returns the encoding that an XML declaration or meta element declares, by the rules of the HTML Standard. */
export function metaEncoding(markup: string): string | undefined {
  const xml = xmlEncoding.exec(markup.trimStart())?.[1]
  const labels = [...withoutComments(markup).matchAll(metaCharset)].map((match) => match[1])
  const encoding = [...labels, xml].map(encodingOf).find((name) => name !== undefined)
  if (encoding?.startsWith('utf-16')) return 'utf-8'
  return encoding === 'x-user-defined' ? 'windows-1252' : encoding
}

/** Every repetition is bounded, so that no page can make a search slow. */
const xmlEncoding = /^<\?xml[^>]{0,200}?encoding\s{0,32}=\s{0,32}["']([^"']{1,64})["']/i
const metaCharset = /<meta\s[^>]{0,512}?charset\s{0,32}=[\s"']{0,32}([^\s"'/>;]{1,64})/gi

function withoutComments(markup: string): string {
  if (!markup.includes('<!--')) return markup
  return markup
    .split('<!--')
    .map((part, index) => (index === 0 ? part : part.slice(Math.max(0, part.indexOf('-->')))))
    .join(' ')
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
}

/** Returns the encoding that a label names, as the lower-case name of the Encoding Standard; undefined if it names none. */
export function encodingOf(label: string | undefined): string | undefined {
  if (label === undefined) return undefined
  const name = label.trim().toLowerCase()
  const known = aliases.get(name) ?? aliases.get(name.replace(/^x-/, '')) ?? name
  try {
    return new TextDecoder(known).encoding.toLowerCase()
  } catch {
    return undefined
  }
}

export function charsetParameter(contentType: string): string | undefined {
  return /charset\s*=[\s"']*([^\s"';,]+)/i.exec(contentType)?.[1]
}

/** Labels that servers send though the Encoding Standard does not list them. */
const aliases: ReadonlyMap<string, string> = new Map(Object.entries(charsets.aliases))

/** The likely encoding of a page without a declaration by its top-level domain, by the HTML Standard's table of locales. */
const tldEncodings: ReadonlyMap<string, string> = new Map(Object.entries(charsets.domains))
