import { decodeHTML } from 'entities'
import { AttributeList, type Attributes, rawValueCharsMax } from './attribute-list.ts'
import type { TokenHandler } from './markup-scanner.ts'
import { SubstringMap } from './substring-map.ts'
import { attributeNames, knownTags, type Tag, tagOf, tagsMax } from './tag.ts'

/** Follows the elements of a page. `State` is what the handler keeps for each open element. */
export interface MarkupHandler<State> {
  /** Returns the state of a new element. `around` is the state of the element around it. */
  open(tag: Tag, attributes: Attributes, around: State): State
  /** Whether a text is needed. Most text of a page never is. */
  isListening(inside: State, text: string, start: number, end: number): boolean
  /** @param inside the state of the innermost open element */
  text(text: string, inside: State): void
  /** Also called for an element without an end tag, when an element around it ends. */
  close(tag: Tag, state: State): void
}

/** Turns the tokens of a page into elements, by the rules of HTML for missing and stray end tags. */
export class ElementReader<State> implements TokenHandler {
  readonly #handler: MarkupHandler<State>
  readonly #outside: State
  /** The open elements, and what the handler keeps for each; the first is what is around all of them. */
  readonly #open: Tag[] = [noTag]
  readonly #states: State[]
  /** How many elements of each name are open. */
  readonly #openCounts = new Uint16Array(tagsMax + 1)
  /** Names that are not of HTML. */
  #otherTags: SubstringMap<Tag> | undefined
  readonly #attributes = new AttributeList()
  #foreignCount = 0
  #tag = noTag

  /** @param outside the state around the outermost element */
  constructor(handler: MarkupHandler<State>, outside: State) {
    this.#handler = handler
    this.#states = [outside]
    this.#outside = outside
  }

  openTagName(text: string, start: number, end: number): void {
    this.#tag = this.#tagAt(text, start, end)
    this.#attributes.clear()
  }

  attribute(text: string, start: number, end: number, valueStart: number, valueEnd: number): void {
    // Nothing is read from drawings.
    if (this.#foreignCount > 0) return
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
    if (this.#openCounts[tag.index] === 0 || tag.index === tagsMax) return
    while (this.#innermost() !== tag) this.#pop()
    this.#pop()
  }

  text(text: string, start: number, end: number): void {
    const state = this.#state()
    if (!this.#handler.isListening(state, text, start, end)) return
    this.#handler.text(isBlank(text, start, end) ? ' ' : this.#decoded(text.slice(start, end)), state)
  }

  #decoded(text: string): string {
    const hasReferences = this.#innermost().hasReferences && text.includes('&')
    return hasReferences ? decodeHTML(text.slice(0, rawValueCharsMax)) : text
  }

  end(): void {
    while (this.#open.length > 1) this.#pop()
  }

  isInForeignContext(): boolean {
    return this.#foreignCount > 0
  }

  #innermost(): Tag {
    return this.#open[this.#open.length - 1] ?? noTag
  }

  #state(): State {
    return this.#states[this.#states.length - 1] ?? this.#outside
  }

  #tagAt(text: string, start: number, end: number): Tag {
    return knownTags.get(text, start, end) ?? this.#otherTag(text, start, end)
  }

  #otherTag(text: string, start: number, end: number): Tag {
    this.#otherTags ??= new SubstringMap<Tag>(tagsMax - knownTags.size)
    const cached = this.#otherTags.get(text, start, end)
    if (cached !== undefined) return cached
    const name = text.slice(start, end).replace(asciiCapitals, (letters) => letters.toLowerCase())
    const tag = tagOf(name, this.#otherTags.isFull ? tagsMax : knownTags.size + this.#otherTags.size)
    if (!this.#otherTags.isFull) this.#otherTags.add(name, tag)
    return tag
  }

  #openElement(tag: Tag, isSelfClosing: boolean): void {
    if (tag.closesParagraph && this.#innermost() === paragraph) this.#pop()
    const state = this.#handler.open(tag, this.#attributes, this.#state())
    const isChildless = tag.isVoid || (isSelfClosing && this.#foreignCount > 0)
    if (isChildless || this.#open.length > depthMax) {
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

/** Pages are indented: most of their texts are white space. */
function isBlank(text: string, start: number, end: number): boolean {
  let at = start
  while (at < end && text.charCodeAt(at) <= space) at += 1
  return at === end
}

const space = 0x20

/** HTML ignores the case of ASCII letters only. */
const asciiCapitals = /[A-Z]+/g

const depthMax = 256
const paragraph = knownTags.get('p', 0, 1)
const noTag = tagOf('', tagsMax)
