import { decodeHTML, decodeHTMLAttribute } from 'entities'
import type { TokenizerCallbacks } from 'htmlparser2'
import { AttributeList, type Attributes } from './attribute-list.ts'
import { SubstringMap } from './substring-map.ts'
import { attributeNames, type Tag, tagOf } from './tag.ts'
import type { TextWindow } from './text-window.ts'

/** Follows the elements of a page. `State` is what the handler keeps for each open element. */
export interface MarkupHandler<State> {
  /** Returns the state of a new element. `around` is the state of the element around it. */
  open(name: string, attributes: Attributes, around: State): State
  /** Whether text is needed now. Most text of a page never is. */
  isListening(): boolean
  /** @param inside the state of the innermost open element */
  text(text: string, inside: State): void
  /** Also called for an element without an end tag, when an element around it ends. */
  close(name: string, state: State): void
}

/** Turns the tokens of a page into elements, by the rules of HTML for missing and stray end tags. */
export class ElementReader<State> implements TokenizerCallbacks {
  readonly #handler: MarkupHandler<State>
  readonly #outside: State
  readonly #window: TextWindow
  /** The open elements, and what the handler keeps for each. */
  readonly #open: Tag[] = []
  readonly #states: State[] = []
  readonly #tags = new SubstringMap<Tag>(tagNamesMax)
  readonly #attributes = new AttributeList()
  #foreignCount = 0
  #tag = tagOf('')
  #attribute: string | undefined
  #value = ''

  constructor(handler: MarkupHandler<State>, outside: State, window: TextWindow) {
    this.#handler = handler
    this.#outside = outside
    this.#window = window
  }

  onopentagname(start: number, end: number): void {
    this.#tag = this.#tagAt(start, end)
    this.#attributes.clear()
  }

  onattribname(start: number, end: number): void {
    const attribute = this.#window.find(attributeNames, start, end)
    const isRead = attribute !== undefined && (this.#tag.attributes & attribute.bit) !== 0
    this.#attribute = isRead ? attribute.name : undefined
    this.#value = ''
  }

  onattribdata(start: number, end: number): void {
    if (this.#attribute === undefined || this.#value.length >= rawValueCharsMax) return
    const part = this.#window.slice(start, Math.min(end, start + rawValueCharsMax - this.#value.length))
    this.#value = this.#value === '' ? part : this.#value + part
  }

  onattribend(): void {
    if (this.#attribute === undefined || this.#attributes.has(this.#attribute)) return
    const decoded = this.#value.includes('&') ? decodeHTMLAttribute(this.#value) : this.#value
    this.#attributes.add(
      this.#attribute,
      decoded.length > valueCharsMax ? decoded.slice(0, valueCharsMax) : decoded,
    )
  }

  onopentagend(): void {
    this.#finishOpenTag(false)
  }

  onselfclosingtag(): void {
    this.#finishOpenTag(true)
  }

  onclosetag(start: number, end: number): void {
    const tag = this.#tagAt(start, end)
    if (tag.open === 0) return
    while (this.#open.length > 0 && this.#open.at(-1) !== tag) this.#pop()
    this.#pop()
  }

  ontext(start: number, end: number): void {
    if (!this.#handler.isListening()) return
    const text = this.#window.slice(start, end)
    const hasReferences = this.#open.at(-1)?.isRaw !== true && text.includes('&')
    this.#handler.text(hasReferences ? decodeHTML(text) : text, this.#state())
  }

  onend(): void {
    while (this.#open.length > 0) this.#pop()
  }

  isInForeignContext(): boolean {
    return this.#foreignCount > 0
  }

  onattribentity(): void {}
  ontextentity(): void {}
  oncdata(): void {}
  oncomment(): void {}
  ondeclaration(): void {}
  onprocessinginstruction(): void {}

  #state(): State {
    return this.#states.at(-1) ?? this.#outside
  }

  #tagAt(start: number, end: number): Tag {
    const known = this.#window.find(this.#tags, start, end)
    if (known !== undefined) return known
    const name = this.#window.slice(start, end).replace(asciiCapitals, (letters) => letters.toLowerCase())
    const tag = tagOf(name)
    if (!this.#tags.isFull) this.#tags.add(name, tag)
    return tag
  }

  #finishOpenTag(isSelfClosing: boolean): void {
    const tag = this.#tag
    if (tag.closesParagraph && this.#open.at(-1)?.name === 'p') this.#pop()
    const state = this.#handler.open(tag.name, this.#attributes, this.#state())
    const isChildless = tag.isVoid || (isSelfClosing && this.#foreignCount > 0)
    if (isChildless || this.#open.length >= depthMax) {
      this.#handler.close(tag.name, state)
      return
    }
    this.#open.push(tag)
    this.#states.push(state)
    tag.open += 1
    if (tag.isForeign) this.#foreignCount += 1
  }

  #pop(): void {
    const tag = this.#open.pop()
    const state = this.#states.pop()
    if (tag === undefined || state === undefined) return
    tag.open -= 1
    if (tag.isForeign) this.#foreignCount -= 1
    this.#handler.close(tag.name, state)
  }
}

/** HTML ignores the case of ASCII letters only. */
const asciiCapitals = /[A-Z]+/g

const depthMax = 256
/** Of one attribute or text, after decoding. */
export const valueCharsMax = 8_192
/** Before decoding: a reference for one character has about eight, such as `&#x1F389;`. */
const rawValueCharsMax = 8 * valueCharsMax
/** Different names beyond this number are read as well, but not cached. */
const tagNamesMax = 120
