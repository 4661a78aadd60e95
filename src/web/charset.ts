import { isAscii, isUtf8 } from 'node:buffer'
import charsets from './charsets.json' with { type: 'json' }

export interface CharsetHints {
  readonly contentType: string
  readonly tld: string
}

export function createCharsetDecoder(hints: CharsetHints): CharsetDecoder {
  return new CharsetDecoder(hints)
}

/** Chooses the charset when a declaration or the end of the head is found, or after 64 KiB, and decodes what arrives. */
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

/** Bytes that are to come may show another charset, and ASCII says nothing. */
function isOpen({ encoding, source }: Charset): boolean {
  return source !== 'bom' && (source === 'default' || !/^(?:utf-|iso-2022)/.test(encoding))
}

const endOfHead = /<\/head|<body/i
const endOfHeadChars = '</head'.length

const heldBytesMax = 65_536
const scanDistanceBytesMin = 1_024

type CharsetSource = 'bom' | 'header' | 'meta' | 'content' | 'tld' | 'default'

export interface Charset {
  readonly encoding: string
  readonly source: CharsetSource
}

interface DeclaredEncodings {
  readonly header: string | undefined
  readonly meta: string | undefined
}

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

/** `cut`: ASCII that ends in the beginning of a possible multi-byte sequence. */
type Utf8Evidence = 'ascii' | 'certain' | 'impossible' | 'cut'

/** Text with a few broken sequences among many good ones still counts as UTF-8. */
function utf8Evidence(bytes: Uint8Array): Utf8Evidence {
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

/** Returns the encoding that an XML declaration or meta element declares, by the rules of the HTML Standard. */
export function metaEncoding(markup: string): string | undefined {
  const xml = /^<\?xml[^>]{0,200}?encoding\s{0,32}=\s{0,32}["']([^"']{1,64})["']/i.exec(
    markup.trimStart(),
  )?.[1]
  const labels = [...withoutComments(markup).matchAll(metaCharset)].map((match) => match[1])
  const encoding = [...labels, xml].map(encodingOf).find((name) => name !== undefined)
  if (encoding?.startsWith('utf-16')) return 'utf-8'
  return encoding === 'x-user-defined' ? 'windows-1252' : encoding
}

/** Every repetition is bounded, so that no page can make a search slow. */
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
  try {
    return new TextDecoder(
      aliases.get(name) ?? aliases.get(name.replace(/^x-/, '')) ?? name,
    ).encoding.toLowerCase()
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
