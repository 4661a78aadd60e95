import { decodeHTML } from 'entities'
import { AttributeList, type Attributes, rawValueCharsMax } from './attribute-list.ts'
import type { TokenHandler } from './markup-scanner.ts'
import { SubstringMap } from './substring-map.ts'
import { attributeNames, type Tag, tagOf } from './tag.ts'

/** Follows the elements of a page. `State` is what the handler keeps for each open element. */
export interface MarkupHandler<State> {
  /** Returns the state of a new element. `around` is the state of the element around it. */
  open(name: string, attributes: Attributes, around: State): State
  /** Whether text is needed now. Most text of a page never is. */
  isListening(text: string, start: number, end: number): boolean
  /** @param inside the state of the innermost open element */
  text(text: string, inside: State): void
  /** Also called for an element without an end tag, when an element around it ends. */
  close(name: string, state: State): void
}

/** Turns the tokens of a page into elements, by the rules of HTML for missing and stray end tags. */
export class ElementReader<State> implements TokenHandler {
  readonly #handler: MarkupHandler<State>
  readonly #outside: State
  /** The open elements, and what the handler keeps for each. */
  readonly #open: Tag[] = []
  readonly #states: State[] = []
  readonly #tags = new SubstringMap<Tag>(tagNamesMax)
  readonly #attributes = new AttributeList()
  #foreignCount = 0
  #tag = tagOf('')

  /** @param outside the state around the outermost element */
  constructor(handler: MarkupHandler<State>, outside: State) {
    this.#handler = handler
    this.#outside = outside
  }

  openTagName(text: string, start: number, end: number): void {
    this.#tag = this.#tagAt(text, start, end)
    this.#attributes.clear()
  }

  attribute(text: string, start: number, end: number, valueStart: number, valueEnd: number): void {
    const attribute = attributeNames.get(text, start, end)
    if (attribute === undefined || (this.#tag.attributes & attribute.bit) === 0) return
    if ((this.#attributes.bits & attribute.bit) !== 0) return
    this.#attributes.add(attribute.name, attribute.bit, text, valueStart, valueEnd)
  }

  openTagEnd(isSelfClosing: boolean): string | undefined {
    const tag = this.#tag
    const isRaw = tag.isRaw && this.#foreignCount === 0
    this.#openElement(tag, isSelfClosing)
    return isRaw ? tag.name : undefined
  }

  closeTag(text: string, start: number, end: number): void {
    const tag = this.#tagAt(text, start, end)
    if (tag.open === 0) return
    while (this.#open.length > 0 && this.#open.at(-1) !== tag) this.#pop()
    this.#pop()
  }

  text(text: string, start: number, end: number): void {
    if (!this.#handler.isListening(text, start, end)) return
    const part = text.slice(start, end)
    const hasReferences = this.#open.at(-1)?.hasReferences !== false && part.includes('&')
    this.#handler.text(hasReferences ? decodeHTML(part.slice(0, rawValueCharsMax)) : part, this.#state())
  }

  end(): void {
    while (this.#open.length > 0) this.#pop()
  }

  isInForeignContext(): boolean {
    return this.#foreignCount > 0
  }

  #state(): State {
    return this.#states.at(-1) ?? this.#outside
  }

  #tagAt(text: string, start: number, end: number): Tag {
    const known = this.#tags.get(text, start, end)
    if (known !== undefined) return known
    const name = text.slice(start, end).replace(asciiCapitals, (letters) => letters.toLowerCase())
    const tag = tagOf(name)
    if (!this.#tags.isFull) this.#tags.add(name, tag)
    return tag
  }

  #openElement(tag: Tag, isSelfClosing: boolean): void {
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
/** Different names beyond this number are read as well, but not cached. */
const tagNamesMax = 120
