import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2'
import { attributeName, type Tag, tagOf } from './tags.ts'

export type Attributes = ReadonlyMap<string, string>

/** Follows the elements of a page. `State` is what the handler wants to know about each open one. */
export interface MarkupHandler<State> {
  /** Answers with the state of the new element, from that of the one around it. */
  open(name: string, attributes: Attributes, around: State): State
  /** Whether text is wanted now; most of it never is. */
  isListening(): boolean
  /** @param inside the state of the innermost open element */
  text(text: string, inside: State): void
  /** Also called for elements whose end tag is missing, when something around them ends. */
  close(name: string, state: State): void
}

export interface MarkupReader {
  write(text: string): void
  end(): void
  /** Ignores everything that follows. */
  stop(): void
  readonly isStopped: () => boolean
}

/**
 * Reads HTML as a stream of elements, with bounded work for any input: a tree deeper than `DEPTH_MAX` grows no further,
 * values are cut at `VALUE_CHARS_MAX`, and only the attributes in `ATTRIBUTES` are looked at.
 */
export const createMarkupReader = <State>(handler: MarkupHandler<State>, outside: State): MarkupReader => {
  const stack: { readonly tag: Tag; readonly state: State }[] = []
  const tags = new Map<string, Tag>()
  let foreign = 0
  let before = ''
  let current = ''
  let currentAt = 0

  let tag = tagOf('')
  let attributes = NO_ATTRIBUTES
  let attribute: string | undefined
  let value = ''
  let stopped = false

  /** A name may begin in the piece before this one. What is longer is nobody's name. */
  const slice = (start: number, end: number) =>
    start >= currentAt
      ? current.slice(start - currentAt, end - currentAt)
      : (before + current).slice(
          Math.max(0, start - currentAt + before.length),
          end - currentAt + before.length,
        )

  const inside = () => stack.at(-1)?.state ?? outside

  /** One record for each name as it is written, so that the rest of the work needs no more names. */
  const lookUp = (written: string): Tag => {
    const known = tags.get(written)
    if (known !== undefined) return known
    const name = written.toLowerCase()
    const record = name === written ? tagOf(name) : lookUp(name)
    if (tags.size < TAG_NAMES_MAX) tags.set(written, record)
    return record
  }

  const pop = () => {
    const element = stack.pop()
    if (element === undefined) return
    element.tag.open -= 1
    if (element.tag.isForeign) foreign -= 1
    handler.close(element.tag.name, element.state)
  }

  const close = (ended: Tag) => {
    if (ended.open === 0) return
    while (stack.length > 0 && stack.at(-1)?.tag !== ended) pop()
    pop()
  }

  const finishOpenTag = (selfClosing: boolean) => {
    if (tag.closesParagraph && stack.at(-1)?.tag.name === 'p') pop()
    const state = handler.open(tag.name, attributes, inside())
    const isChildless = tag.isVoid || (selfClosing && foreign > 0)
    if (isChildless || stack.length >= DEPTH_MAX) return handler.close(tag.name, state)
    stack.push({ tag, state })
    tag.open += 1
    if (tag.isForeign) foreign += 1
  }

  const callbacks: TokenizerCallbacks = {
    onopentagname(start, end) {
      tag = lookUp(slice(start, end))
      attributes = NO_ATTRIBUTES
    },
    onattribname(start, end) {
      attribute = end - start > ATTRIBUTE_CHARS_MAX ? undefined : attributeName(slice(start, end))
      value = ''
    },
    onattribdata(start, end) {
      if (attribute !== undefined && value.length < VALUE_CHARS_MAX) {
        value += slice(start, Math.min(end, start + VALUE_CHARS_MAX - value.length))
      }
    },
    onattribentity(codePoint) {
      if (attribute !== undefined && value.length < VALUE_CHARS_MAX) value += String.fromCodePoint(codePoint)
    },
    onattribend() {
      if (attribute === undefined || attributes.has(attribute)) return
      if (attributes === NO_ATTRIBUTES) attributes = new Map()
      attributes.set(attribute, value)
    },
    onopentagend: () => finishOpenTag(false),
    onselfclosingtag: () => finishOpenTag(true),
    onclosetag: (start, end) => close(lookUp(slice(start, end))),
    ontext(start, end) {
      if (handler.isListening()) handler.text(slice(start, end), inside())
    },
    ontextentity(codePoint) {
      if (handler.isListening()) handler.text(String.fromCodePoint(codePoint), inside())
    },
    isInForeignContext: () => foreign > 0,
    oncdata() {},
    oncomment() {},
    ondeclaration() {},
    onprocessinginstruction() {},
    onend() {
      while (stack.length > 0) pop()
    },
  }
  const tokenizer = new Tokenizer({ decodeEntities: true }, callbacks)

  return {
    isStopped: () => stopped,
    stop() {
      stopped = true
      tokenizer.pause()
    },
    write(text) {
      if (stopped) return
      currentAt += current.length
      before = before.length + current.length < NAME_CHARS_MAX ? before + current : current
      current = text
      tokenizer.write(text)
    },
    end() {
      tokenizer.end()
    },
  }
}

const NO_ATTRIBUTES: Map<string, string> = new Map()

const DEPTH_MAX = 256
export const VALUE_CHARS_MAX = 8_192
const NAME_CHARS_MAX = 1_024
const ATTRIBUTE_CHARS_MAX = 32
/** Names beyond this number are read all the same, but not remembered. */
const TAG_NAMES_MAX = 500
