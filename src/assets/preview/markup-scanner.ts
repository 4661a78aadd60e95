/** Gets the tokens of a page as places in a text: most of them nobody needs, so they are not cut out. */
export interface TokenHandler {
  openTagName(text: string, start: number, end: number): void
  /** `valueStart` and `valueEnd` are equal for an attribute without a value. */
  attribute(text: string, start: number, end: number, valueStart: number, valueEnd: number): void
  /** Returns the name of an element inside which nothing is markup but its own end tag. */
  openTagEnd(isSelfClosing: boolean): string | undefined
  closeTag(text: string, start: number, end: number): void
  text(text: string, start: number, end: number): void
  /** A CDATA section, or a part of one. */
  section?(text: string, start: number, end: number): void
  /** A comment, or what counts as one, has ended. */
  comment?(): void
  end(): void
  /** Inside of drawings and formulas, or of XML: only there are CDATA sections. */
  isInForeignContext(): boolean
}

/**
 * Splits HTML of any quality into tokens as it arrives. It searches for the end of a text, a script or a comment
 * instead of looking at each character. With htmlparser2's tokenizer in its place all tests of previews pass, but the
 * bench's "one page, read whole" takes 3.7 ms of CPU instead of 3.0 ms, and a page of a megabyte 15.0 ms instead of 12.0 ms
 * (means of eight runs of each in turn on a busy machine).
 */
export class MarkupScanner {
  readonly #handler: TokenHandler
  /** The beginning of a token whose end has not arrived. */
  #rest = ''
  /** The end pattern of an unfinished token: chunks without it are skipped, so that an endless token costs linear time. */
  #awaited = anything
  #state: 'text' | 'tag' | 'comment' | 'section' | 'raw' = 'text'
  #rawName = ''

  constructor(handler: TokenHandler) {
    this.#handler = handler
  }

  write(piece: string): void {
    this.#rest += piece
    if (!this.#awaited.test(piece)) return
    const text = this.#rest
    let at = 0
    for (let next = 0; next >= 0 && at < text.length; ) {
      next = this.#scan(text, at)
      if (next >= 0) at = next
    }
    if (at === text.length) this.#awaited = anything
    this.#rest = text.slice(at)
  }

  end(): void {
    const isText = this.#state === 'raw' || (this.#state === 'text' && !/^<[a-z!?/]/i.test(this.#rest))
    if (isText && this.#rest !== '') this.#handler.text(this.#rest, 0, this.#rest.length)
    this.#handler.end()
  }

  /** Handles one token. Returns where the next begins, or -1 if the end of this one has not arrived. */
  #scan(text: string, at: number): number {
    switch (this.#state) {
      case 'text':
        return text.charCodeAt(at) === lessThan ? this.#scanMarkup(text, at) : this.#scanText(text, at)
      case 'tag':
        return this.#scanTag(text, at)
      case 'comment':
        return this.#scanComment(text, at)
      case 'section':
        return this.#scanSection(text, at)
      case 'raw':
        return this.#scanRaw(text, at)
    }
  }

  #await(pattern: RegExp): number {
    this.#awaited = pattern
    return -1
  }

  #scanText(text: string, start: number): number {
    const next = nextMarkup(text, start + 1)
    const end = next < 0 ? text.length - partialReferenceChars(text) : next
    if (end <= start) return this.#await(anything)
    this.#handler.text(text, start, end)
    return end
  }

  #scanMarkup(text: string, start: number): number {
    // Reading behind the end of a text has the engine compile the function again.
    if (start + 2 >= text.length) return this.#await(anything)
    const code = text.charCodeAt(start + 1)
    if (isLetter(code)) return this.#scanTagName(text, start + 1)
    if (code === slash && isLetter(text.charCodeAt(start + 2))) return this.#scanEndTag(text, start + 2)
    if (code === exclamation || code === question || code === slash)
      return this.#scanDeclaration(text, start + 1)
    return this.#scanText(text, start)
  }

  #scanTagName(text: string, start: number): number {
    const end = nameEnd(text, start, false)
    if (end === text.length) return this.#await(endOfName)
    this.#handler.openTagName(text, start, end)
    this.#state = 'tag'
    return this.#scanTag(text, end)
  }

  #scanEndTag(text: string, start: number): number {
    const end = nameEnd(text, start, false)
    const tagEnd = text.indexOf('>', end)
    if (tagEnd < 0) return this.#await(endOfTag)
    this.#handler.closeTag(text, start, end)
    return tagEnd + 1
  }

  /** A comment, or what counts as one: `<!doctype>`, `<?xml?>`, `</3>`. */
  #scanDeclaration(text: string, start: number): number {
    if (text.length < start + longestOpening) return this.#await(anything)
    if (text.startsWith('!--', start)) {
      const isEmpty = /^-?>/.exec(text.slice(start + 3, start + 5))?.[0]
      if (isEmpty !== undefined) return this.#endComment(start + 3 + isEmpty.length)
      this.#state = 'comment'
      return start + 3
    }
    if (text.startsWith('![CDATA[', start) && this.#handler.isInForeignContext()) {
      this.#state = 'section'
      return start + '![CDATA['.length
    }
    const end = text.indexOf('>', start + 1)
    return end < 0 ? this.#await(endOfTag) : this.#endComment(end + 1)
  }

  #endComment(end: number): number {
    this.#handler.comment?.()
    return end
  }

  #scanSection(text: string, start: number): number {
    const at = text.indexOf(']]>', start)
    const end = at < 0 ? text.length - ']]'.length : at
    if (end > start) this.#handler.section?.(text, start, end)
    if (at < 0) return end > start ? end : this.#await(anything)
    this.#state = 'text'
    return at + ']]>'.length
  }

  #scanComment(text: string, start: number): number {
    // The search for one character is several times as fast as that for two.
    for (let at = text.indexOf('>', start); at >= 0; at = text.indexOf('>', at + 1)) {
      const dashes = text.charCodeAt(at - 1) === exclamation ? at - 3 : at - 2
      const isEnd = text.charCodeAt(dashes) === dash && text.charCodeAt(dashes + 1) === dash
      if (!isEnd || dashes < start) continue
      this.#state = 'text'
      return this.#endComment(at + 1)
    }
    const kept = text.length - '--!'.length
    return kept > start ? kept : this.#await(anything)
  }

  #scanRaw(text: string, start: number): number {
    const name = this.#rawName
    for (let at = text.indexOf('<', start); at >= 0; at = text.indexOf('<', at + 1)) {
      const end = at + 2 + name.length
      if (end >= text.length) break
      if (text.charCodeAt(at + 1) !== slash || !isNameEnd(text.charCodeAt(end))) continue
      if (text.slice(at + 2, end).toLowerCase() !== name) continue
      if (at > start) this.#handler.text(text, start, at)
      this.#state = 'text'
      return at
    }
    const tagAt = text.indexOf('<', text.length - name.length - 2)
    const end = Math.min(text.length - partialReferenceChars(text), tagAt < 0 ? text.length : tagAt)
    if (end <= start) return this.#await(anything)
    this.#handler.text(text, start, end)
    return end
  }

  /** The attributes of a tag, as far as they have arrived, and its end. */
  #scanTag(text: string, from: number): number {
    let at = from
    while (this.#state === 'tag') {
      const next = this.#scanAttribute(text, at)
      if (next < 0) return at > from ? at : next
      at = next
    }
    return at
  }

  /** An attribute, or the end of the tag. */
  #scanAttribute(text: string, before: number): number {
    const start = skip(text, before, true)
    if (start === text.length) return this.#await(noSpaceNorSlash)
    if (text.charCodeAt(start) === greaterThan) return this.#endTag(text, before, start)
    const end = nameEnd(text, start + 1, true)
    const equals = skip(text, end, false)
    if (equals === text.length) return this.#await(end === equals ? endOfAttributeName : noSpace)
    if (text.charCodeAt(equals) !== equalsSign) {
      this.#handler.attribute(text, start, end, end, end)
      return equals
    }
    const value = skip(text, equals + 1, false)
    if (value === text.length) return this.#await(noSpace)
    const quote = text.charCodeAt(value)
    if (quote !== doubleQuote && quote !== singleQuote) {
      const valueEnd = unquotedEnd(text, value)
      if (valueEnd === text.length) return this.#await(endOfUnquoted)
      this.#handler.attribute(text, start, end, value, valueEnd)
      return valueEnd
    }
    const valueEnd = text.indexOf(quote === doubleQuote ? '"' : "'", value + 1)
    if (valueEnd < 0) return this.#await(quote === doubleQuote ? endOfDouble : endOfSingle)
    this.#handler.attribute(text, start, end, value + 1, valueEnd)
    return valueEnd + 1
  }

  #endTag(text: string, before: number, end: number): number {
    let last = end - 1
    while (last > before && isSpace(text.charCodeAt(last))) last -= 1
    const isSelfClosing = last >= before && text.charCodeAt(last) === slash
    this.#rawName = this.#handler.openTagEnd(isSelfClosing) ?? ''
    this.#state = this.#rawName === '' ? 'text' : 'raw'
    return end + 1
  }
}

/** How many characters at the end may be the beginning of a character reference. */
function partialReferenceChars(text: string): number {
  const at = text.lastIndexOf('&')
  if (at < text.length - referenceCharsMax || at < 0) return 0
  return partialReference.test(text.slice(at)) ? text.length - at : 0
}

const partialReference = /^&#?\w*$/
/** The longest name is `&CounterClockwiseContourIntegral;`. */
const referenceCharsMax = 33
const longestOpening = '![CDATA['.length

/** Where the next tag or comment may begin, or -1. A `<` before anything else is text. */
function nextMarkup(text: string, from: number): number {
  let at = text.indexOf('<', from)
  while (at >= 0 && at + 1 < text.length && !mayOpen(text.charCodeAt(at + 1))) at = text.indexOf('<', at + 1)
  return at
}

function mayOpen(code: number): boolean {
  return isLetter(code) || code === slash || code === exclamation || code === question
}

function nameEnd(text: string, start: number, isAttribute: boolean): number {
  let at = start
  while (at < text.length) {
    const code = text.charCodeAt(at)
    // Letters end no name, and are nearly all there is.
    if (code <= greaterThan && (isNameEnd(code) || (isAttribute && code === equalsSign))) break
    at += 1
  }
  return at
}

function unquotedEnd(text: string, start: number): number {
  let at = start
  while (at < text.length && !isSpace(text.charCodeAt(at)) && text.charCodeAt(at) !== greaterThan) at += 1
  return at
}

function skip(text: string, start: number, alsoSlashes: boolean): number {
  let at = start
  while (at < text.length) {
    const code = text.charCodeAt(at)
    if (!isSpace(code) && !(alsoSlashes && code === slash)) break
    at += 1
  }
  return at
}

function isNameEnd(code: number): boolean {
  return code === greaterThan || code === slash || isSpace(code)
}

function isSpace(code: number): boolean {
  return code <= 0x20 && (code === 0x20 || code === 0x0a || code === 0x09 || code === 0x0d || code === 0x0c)
}

function isLetter(code: number): boolean {
  return (code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a
}

const lessThan = 0x3c
const greaterThan = 0x3e
const dash = 0x2d
const slash = 0x2f
const exclamation = 0x21
const question = 0x3f
const equalsSign = 0x3d
const doubleQuote = 0x22
const singleQuote = 0x27

const anything = /^/
const endOfName = /[\s/>]/
const endOfAttributeName = /[\s/>=]/
const endOfTag = />/
const endOfDouble = /"/
const endOfSingle = /'/
const endOfUnquoted = /[\s>]/
const noSpace = /\S/
const noSpaceNorSlash = /[^\s/]/
