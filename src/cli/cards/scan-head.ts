import { decodeHTMLAttribute } from 'entities'
import { ElementReader, type MarkupHandler } from '../../assets/preview/element-reader.ts'
import { MarkupScanner, type TokenHandler } from '../../assets/preview/markup-scanner.ts'
import type { PageText } from './page-text.ts'

/** A piece of a text. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** A `<meta>` with a name or a property, outside of `<noscript>` and `<template>`. */
export interface MetaTag extends Span {
  /** Lower case. */
  readonly name: string
  readonly content: string
  readonly isOurs: boolean
  readonly isInHead: boolean
}

/** The parts of a page's markup that writing tags needs. */
export interface ScannedHead {
  readonly metas: readonly MetaTag[]
  /** The address that `<link rel="canonical">` gives, as it is written. */
  readonly canonical: string | undefined
  /** Whether the page has any element but those that only programs read: others are pieces of pages. */
  readonly hasMarkup: boolean
  /** Where tags go: behind the page's own tags for previews, else at the end of the head. */
  readonly insertAt: number
  /** The line break and indentation that tags get; empty in a page without line breaks there. */
  readonly separator: string
}

/** The attribute that marks the tags that this program writes. */
export const ownAttribute = 'data-mintmark'

/** Finds the head of a page, by the tokens of the reader of previews. */
export function scanHead({ markup, isByteWise }: PageText): ScannedHead {
  const collector = new HeadCollector(isByteWise)
  const scanner = new MarkupScanner(collector)
  // One piece, so that the places of its tokens are places in the page.
  scanner.write(markup)
  scanner.end()
  const { metas, canonical, hasMarkup } = collector
  const place = collector.place()
  if (place !== undefined)
    return {
      metas,
      canonical,
      hasMarkup,
      insertAt: place.end,
      separator: lineBreakBefore(markup, place.start),
    }
  const insertAt = endOfProlog(markup)
  const separator = /^\r?\n|^\r/.exec(markup.slice(insertAt, insertAt + 2))?.[0] ?? ''
  return { metas, canonical, hasMarkup, insertAt, separator }
}

/** The white space before a place, which begins with a line break; empty where there is none. */
export function spaceBefore(text: string, end: number): number {
  let start = end
  while (start > 0 && isSpace(text.charCodeAt(start - 1))) start -= 1
  return start
}

function lineBreakBefore(text: string, at: number): string {
  const space = text.slice(spaceBefore(text, at), at)
  const last = Math.max(space.lastIndexOf('\n'), space.lastIndexOf('\r'))
  if (last < 0) return ''
  return space.slice(space.startsWith('\r\n', last - 1) ? last - 1 : last)
}

/** The end of byte order mark, XML declaration, document type and comments at the beginning. */
function endOfProlog(text: string): number {
  let end = /^(?:\ufeff|\u00ef\u00bb\u00bf)?/.exec(text)?.[0].length ?? 0
  for (;;) {
    const start = skipSpace(text, end)
    const isComment = text.startsWith('<!--', start)
    if (!isComment && !/^<[!?]/.test(text.slice(start, start + 2))) return end
    const close = isComment ? text.indexOf('-->', start + 4) + 2 : text.indexOf('>', start)
    if (close < start + 2) return end
    end = close + 1
  }
}

function skipSpace(text: string, from: number): number {
  let at = from
  while (isSpace(text.charCodeAt(at))) at += 1
  return at
}

function isSpace(code: number): boolean {
  return code === 0x20 || (code >= 0x09 && code <= 0x0d && code !== 0x0b)
}

/** Elements that may be in a head. Any other, and any text, ends one that has no end tag. */
const headElements = new Set(
  'html head meta link title base basefont bgsound script style noscript template noframes'.split(' '),
)
/** Elements of a head that end with an end tag of their own. */
const closedElements = new Set('title script style noscript template noframes'.split(' '))
const invisibleElements = new Set('link script style template'.split(' '))
const hidingElements = new Set(['noscript', 'template'])

class HeadCollector implements TokenHandler {
  readonly metas: MetaTag[] = []
  canonical: string | undefined
  hasMarkup = false
  readonly #isByteWise: boolean
  readonly #reader = new ElementReader(namesOnly, stateless)
  #attributes = new Map<string, string>()
  #name = ''
  #start = 0
  /** Behind the last attribute of the tag. */
  #end = 0
  #text = ''
  /** How many elements are open whose content counts for nothing. */
  #hidden = 0
  /** The head's element that is open, with where it began. */
  #open: { readonly name: string; readonly start: number } | undefined
  #isOver = false
  #last: Span | undefined
  #lastOfPreviews: Span | undefined
  #charset: Span | undefined

  constructor(isByteWise: boolean) {
    this.#isByteWise = isByteWise
  }

  /** The element behind which tags go. */
  place(): Span | undefined {
    const place = this.#lastOfPreviews ?? this.#last
    // Browsers look for it in the first kilobyte.
    return this.#charset !== undefined && place !== undefined && this.#charset.end > place.end
      ? this.#charset
      : place
  }

  openTagName(text: string, start: number, end: number): void {
    this.#reader.openTagName(text, start, end)
    this.#text = text
    this.#start = start - 1
    this.#end = end
    this.#name = text.slice(start, Math.min(end, start + nameCharsMax)).toLowerCase()
    this.#attributes.clear()
    this.hasMarkup ||= !invisibleElements.has(this.#name)
  }

  attribute(text: string, start: number, end: number, valueStart: number, valueEnd: number): void {
    this.#reader.attribute(text, start, end, valueStart, valueEnd)
    this.#end = valueEnd
    if (this.#name !== 'meta' && this.#name !== 'link') return
    const name = text.slice(start, end).toLowerCase()
    if (!this.#attributes.has(name)) this.#attributes.set(name, text.slice(valueStart, valueEnd))
  }

  openTagEnd(isSelfClosing: boolean): string | undefined {
    const raw = this.#reader.openTagEnd(isSelfClosing)
    const span = { start: this.#start, end: this.#text.indexOf('>', this.#end) + 1 }
    if (!headElements.has(this.#name)) this.#isOver ||= this.#hidden === 0
    else if (this.#hidden === 0) this.#readHeadElement(span)
    if (hidingElements.has(this.#name)) this.#hidden += 1
    return raw
  }

  closeTag(text: string, start: number, end: number): void {
    this.#reader.closeTag(text, start, end)
    const name = text.slice(start, Math.min(end, start + nameCharsMax)).toLowerCase()
    if (hidingElements.has(name) && this.#hidden > 0) this.#hidden -= 1
    if (this.#hidden > 0 || this.#isOver) return
    if (name === 'head') this.#isOver = true
    if (this.#open?.name !== name) return
    this.#last = { start: this.#open.start, end: text.indexOf('>', end) + 1 }
    this.#open = undefined
  }

  text(text: string, start: number, end: number): void {
    if (this.#open === undefined && this.#hidden === 0 && skipSpace(text, start) < end) this.#isOver = true
  }

  end(): void {
    this.#reader.end()
  }

  isInForeignContext(): boolean {
    return this.#reader.isInForeignContext()
  }

  #readHeadElement(span: Span): void {
    const isInHead = !this.#isOver
    if (isInHead && closedElements.has(this.#name)) this.#open = { name: this.#name, start: span.start }
    else if (isInHead) this.#last = span
    if (this.#name === 'meta') this.#readMeta(span, isInHead)
    if (this.#name === 'link' && /(?:^|\s)canonical(?:\s|$)/i.test(this.#attributes.get('rel') ?? ''))
      this.canonical ??= this.#value('href')
  }

  #readMeta(span: Span, isInHead: boolean): void {
    if (
      isInHead &&
      (this.#attributes.has('charset') || /charset/i.test(this.#attributes.get('content') ?? ''))
    )
      this.#charset = span
    const name = (this.#value('property') || this.#value('name')).trim().toLowerCase()
    if (name === '') return
    const isPreview = /^(?:og|twitter):/.test(name)
    const isOurs = isPreview && this.#attributes.has(ownAttribute)
    this.metas.push({ ...span, name, content: this.#value('content'), isOurs, isInHead })
    if (isInHead && name.startsWith('og:')) this.#lastOfPreviews = span
  }

  #value(name: string): string {
    const raw = (this.#attributes.get(name) ?? '').slice(0, valueCharsMax)
    const text = this.#isByteWise ? Buffer.from(raw, 'latin1').toString('utf8') : raw
    return decodeHTMLAttribute(text)
  }
}

/** The reader keeps a state for each element, and here there is nothing to keep. */
const stateless = true
const namesOnly: MarkupHandler<typeof stateless> = {
  open: () => stateless,
  isListening: () => false,
  text: () => {},
  close: () => {},
}

const nameCharsMax = 16
const valueCharsMax = 8_192
