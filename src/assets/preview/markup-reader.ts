import { decodeHTML, decodeHTMLAttribute, decodeXML } from 'entities'
import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2'
import { knownTags, plainTag, type Tag, tags } from './tags.ts'

export interface MarkupHandler<State> {
  /** Returns the state of a new element. `around` is the state of the element around it. */
  open(tag: Tag, attributes: Attributes, around: State): State
  /** Returns whether the text from `start` to `end` is needed: one that is not is neither cut out of the page nor decoded. */
  isListening(inside: State, text: string, start: number, end: number): boolean
  /** @param inside the state of the innermost open element */
  text(text: string, inside: State): void
  /** Also called for an element without an end tag, when an element around it ends. */
  close(tag: Tag, state: State): void
}

export interface MarkupReaderOptions {
  readonly isXml?: boolean
  readonly isRaw?: boolean
}

/**
 * Turns markup of any quality into elements as it arrives, by the rules of HTML for missing and stray end tags. It has the
 * tokenizer of htmlparser2 and not its parser, whose time is quadratic in the number of open elements: elements inside of
 * `depthMax` others have no content here.
 */
export class MarkupReader<State> implements TokenizerCallbacks {
  /** A place in the tag that is handled, behind its attributes: its end is the next `>`. */
  at = 0
  tagStart = 0
  /** Tags, attributes, texts and comments that were read. */
  tokens = 0
  readonly #handler: MarkupHandler<State>
  readonly #isXml: boolean
  readonly #outside: State
  readonly #tokenizer: Tokenizer
  readonly #open: Tag[] = []
  readonly #states: State[] = []
  readonly #openCounts = new Uint16Array(tagsMax + 1)
  /** Elements of names that HTML does not know. */
  readonly #otherTags = new Map<string, Tag>()
  #foreignCount = 0
  #tag: Tag = plainTag
  readonly #attributes: AttributeList
  #name = ''
  #valueStart = 0
  #valueEnd = 0
  /** The text behind the last token that has ended, and the place where it begins. */
  #text = ''
  #textStart = 0
  #seen = 0
  /** The end of the text, where it may be the beginning of a character reference. */
  #held = ''

  constructor(
    handler: MarkupHandler<State>,
    outside: State,
    { isXml = false, isRaw = false }: MarkupReaderOptions = {},
  ) {
    this.#handler = handler
    this.#outside = outside
    this.#isXml = isXml
    this.#attributes = new AttributeList(isXml ? decodeXML : isRaw ? undefined : decodeHTMLAttribute)
    this.#tokenizer = new Tokenizer({ xmlMode: isXml, decodeEntities: false }, this)
  }

  write(piece: string): void {
    const whole = this.#held + piece
    const end = whole.length - partialReferenceChars(whole)
    this.#held = whole.slice(end)
    this.#read(whole.slice(0, end))
  }

  end(): void {
    this.#read(this.#held)
    this.#tokenizer.end()
    while (this.#open.length > 0) this.#pop()
  }

  #read(piece: string): void {
    this.#text = this.#text.slice(this.#seen - this.#textStart) + piece
    this.#textStart = this.#seen
    this.#tokenizer.write(piece)
  }

  onopentagname(start: number, end: number): void {
    this.#pass(start)
    this.#tag = this.#tagOf(start, end)
    this.#attributes.clear()
    this.tagStart = start - 1
  }

  onattribname(start: number, end: number): void {
    this.#pass(start)
    this.#name = ''
    this.#valueStart = -1
    if (this.#foreignCount > 0) return
    const [from, to] = [start - this.#textStart, end - this.#textStart]
    this.#name = this.#isXml
      ? this.#text.slice(from, to).toLowerCase()
      : (this.#tag.attributes.get(this.#text, from, to) ?? '')
  }

  onattribdata(start: number, end: number): void {
    if (this.#valueStart < 0) this.#valueStart = start
    this.#valueEnd = end
  }

  onattribend(_quote: unknown, end: number): void {
    this.#seen = end
    if (this.#name === '') return
    const [start, stop] = this.#valueStart < 0 ? [end, end] : [this.#valueStart, this.#valueEnd]
    this.#attributes.add(this.#name, this.#text, start - this.#textStart, stop - this.#textStart)
  }

  onopentagend(end: number): void {
    this.#openElement(end, false)
  }

  onselfclosingtag(end: number): void {
    this.#openElement(end, true)
  }

  onclosetag(start: number, end: number): void {
    const tag = this.#tagOf(start, end)
    this.#pass(end)
    this.at = end
    if (this.#openCounts[tag.index] === 0 || tag.index === tagsMax) return
    while (this.#innermost() !== tag) this.#pop()
    this.#pop()
  }

  ontext(start: number, end: number): void {
    const state = this.#state()
    const from = start - this.#textStart
    if (!this.#handler.isListening(state, this.#text, from, end - this.#textStart))
      return void this.#pass(end)
    const isSpace = this.#openCounts[preIndex] === 0 && this.#isBlank(start, end)
    const text = isSpace ? ' ' : this.#cut(start, end)
    const isDecoded = this.#innermost().hasReferences && text.includes('&')
    this.#pass(end)
    this.#handler.text(isDecoded ? (this.#isXml ? decodeXML : decodeHTML)(text) : text, state)
  }

  /** Sections are comments but in XML: nothing is read from drawings and formulas. */
  oncdata(start: number, end: number, endChars: number): void {
    const state = this.#state()
    if (
      this.#isXml &&
      this.#handler.isListening(state, this.#text, start - this.#textStart, end - this.#textStart)
    )
      this.#handler.text(this.#cut(start, end - endChars), state)
    this.#pass(end + 1)
  }

  oncomment(_start: number, end: number): void {
    this.#pass(end + 1)
  }

  ondeclaration(_start: number, end: number): void {
    this.#pass(end + 1)
  }

  onprocessinginstruction(_start: number, end: number): void {
    this.#pass(end + 1)
  }

  onend(): void {}

  /** Never called, because references are decoded here. */
  onattribentity(): void {}

  ontextentity(): void {}

  isInForeignContext(): boolean {
    return this.#foreignCount > 0
  }

  #pass(end: number): void {
    this.tokens += 1
    this.#seen = end
  }

  #cut(start: number, end: number): string {
    this.#pass(end)
    return this.#text.slice(start - this.#textStart, end - this.#textStart)
  }

  /** Pages are indented: most of their texts are white space. */
  #isBlank(start: number, end: number): boolean {
    const endInText = end - this.#textStart
    for (let at = start - this.#textStart; at < endInText; at += 1)
      if (this.#text.charCodeAt(at) > space) return false
    return true
  }

  #tagOf(start: number, end: number): Tag {
    const [from, to] = [start - this.#textStart, end - this.#textStart]
    return (this.#isXml ? undefined : tags.get(this.#text, from, to)) ?? this.#otherTag(from, to)
  }

  #otherTag(from: number, to: number): Tag {
    const name = this.#text.slice(from, to).toLowerCase()
    const cached = this.#otherTags.get(name)
    if (cached !== undefined) return cached
    const tag = { ...plainTag, name, index: Math.min(tagsMax, knownTags + this.#otherTags.size) }
    if (tag.index < tagsMax) this.#otherTags.set(name, tag)
    return tag
  }

  #innermost(): Tag {
    return this.#open[this.#open.length - 1] ?? plainTag
  }

  #state(): State {
    return this.#states[this.#states.length - 1] ?? this.#outside
  }

  #openElement(end: number, isSelfClosing: boolean): void {
    this.#pass(end + 1)
    this.at = end
    const tag = this.#tag
    if (tag.closesParagraph && this.#innermost().name === 'p') this.#pop()
    const state = this.#handler.open(tag, this.#attributes, this.#state())
    const isChildless = tag.isVoid || (isSelfClosing && (this.#isXml || this.#foreignCount > 0))
    if (isChildless || this.#open.length >= depthMax) {
      this.#handler.close(tag, state)
      return
    }
    this.#open.push(tag)
    this.#states.push(state)
    this.#count(tag, 1)
    if (tag.isForeign) this.#foreignCount += 1
  }

  #pop(): void {
    const tag = this.#open.pop()
    const state = this.#states.pop()
    if (tag === undefined || state === undefined) return
    this.#count(tag, -1)
    if (tag.isForeign) this.#foreignCount -= 1
    this.#handler.close(tag, state)
  }

  #count({ index }: Tag, change: number): void {
    this.#openCounts[index] = (this.#openCounts[index] ?? 0) + change
  }
}

/** The attributes of one element that are read. Valid only while it is read: the list is used again for the next element. */
export type Attributes = Pick<AttributeList, 'get' | 'has' | 'inPlace' | 'names' | 'size'>

/** Elements have few attributes. Most values are not needed: they are cut out and decoded when they are asked for. */
class AttributeList {
  size = 0
  readonly #decode: ((text: string) => string) | undefined
  readonly #list: Attribute[] = []

  constructor(decode: ((text: string) => string) | undefined) {
    this.#decode = decode
  }

  get(name: string): string | undefined {
    const attribute = this.#find(name)
    if (attribute === undefined || attribute.value !== undefined) return attribute?.value
    const { text, start, end } = attribute
    const raw = text.slice(start, Math.min(end, start + rawCharsMax))
    const decoded = this.#decode !== undefined && raw.includes('&') ? this.#decode(raw) : raw
    attribute.value = decoded.slice(0, valueCharsMax)
    return attribute.value
  }

  has(name: string): boolean {
    return this.#find(name) !== undefined
  }

  names(): readonly string[] {
    return this.#list.slice(0, this.size).map(({ name }) => name)
  }

  /** Reads a value where it is, with its character references. Returns undefined without that attribute. */
  inPlace<Value>(name: string, read: (text: string, start: number, end: number) => Value): Value | undefined {
    const attribute = this.#find(name)
    return attribute && read(attribute.text, attribute.start, attribute.end)
  }

  /** The first attribute of each name counts. */
  add(name: string, text: string, start: number, end: number): void {
    if (this.size >= attributesMax || this.has(name)) return
    this.#list[this.size] = { name, text, start, end, value: undefined }
    this.size += 1
  }

  clear(): void {
    this.size = 0
  }

  #find(name: string): Attribute | undefined {
    for (let index = 0; index < this.size; index += 1)
      if (this.#list[index]?.name === name) return this.#list[index]
    return undefined
  }
}

interface Attribute {
  readonly name: string
  readonly text: string
  readonly start: number
  readonly end: number
  value: string | undefined
}

function partialReferenceChars(text: string): number {
  const tail = text.slice(-referenceCharsMax)
  const at = tail.lastIndexOf('&')
  return at >= 0 && /^&#?\w*$/.test(tail.slice(at)) ? tail.length - at : 0
}

/** The longest name is `&CounterClockwiseContourIntegral;`. */
const referenceCharsMax = 33
export const valueCharsMax = 8_192
/** A reference for one character has about eight, such as `&#x1F389;`. */
const rawCharsMax = 8 * valueCharsMax
/** More than any element of HTML has that are read. */
const attributesMax = 20
const space = 0x20
/** Names in one page. Elements of further names end where those around them do. */
const tagsMax = 320
const depthMax = 256
/** White space is text in it. */
const preIndex = tags.get('pre', 0, 3)?.index ?? 0
