import { decodeHTML, decodeHTMLAttribute } from 'entities'
import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2'
import { AttributeList, type Attributes } from './attribute-list.ts'
import { SubstringMap } from './substring-map.ts'
import { attributeNames, type Tag, tagOf } from './tag.ts'

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
  /** Holds the rest of what was written back, from within the handler. */
  pause(): void
  readonly isPaused: () => boolean
  /** Reads what was held back; may be paused again. */
  resume(): void
  /** Ignores everything that follows. */
  stop(): void
  readonly isStopped: () => boolean
}

export function createMarkupReader<State>(handler: MarkupHandler<State>, outside: State): MarkupReader {
  const stack: { readonly tag: Tag; readonly state: State }[] = []
  const tags = new SubstringMap<Tag>(tagNamesMax)
  let foreign = 0
  let before = ''
  let current = ''
  let currentAt = 0
  /** The beginning of a character reference that the next piece completes. */
  let carried = ''

  let tag = tagOf('')
  const attributes = new AttributeList()
  let attribute: string | undefined
  let value = ''
  let stopped = false
  let paused = false

  function slice(start: number, end: number) {
    return start >= currentAt
      ? current.slice(start - currentAt, end - currentAt)
      : (before + current).slice(
          Math.max(0, start - currentAt + before.length),
          end - currentAt + before.length,
        )
  }

  function inside() {
    return stack.at(-1)?.state ?? outside
  }

  function find<T>(table: SubstringMap<T>, start: number, end: number): T | undefined {
    if (start >= currentAt) return table.get(current, start - currentAt, end - currentAt)
    const name = slice(start, end)
    return table.get(name, 0, name.length)
  }

  function tagAt(start: number, end: number): Tag {
    const known = find(tags, start, end)
    if (known !== undefined) return known
    const record = tagOf(slice(start, end).replace(capitals, (letters) => letters.toLowerCase()))
    if (!tags.isFull) tags.add(record.name, record)
    return record
  }

  function pop() {
    const element = stack.pop()
    if (element === undefined) return
    element.tag.open -= 1
    if (element.tag.isForeign) foreign -= 1
    handler.close(element.tag.name, element.state)
  }

  function close(ended: Tag) {
    if (ended.open === 0) return
    while (stack.length > 0 && stack.at(-1)?.tag !== ended) pop()
    pop()
  }

  function finishOpenTag(selfClosing: boolean) {
    if (tag.closesParagraph && stack.at(-1)?.tag.name === 'p') pop()
    const state = handler.open(tag.name, attributes, inside())
    const isChildless = tag.isVoid || (selfClosing && foreign > 0)
    if (isChildless || stack.length >= depthMax) return handler.close(tag.name, state)
    stack.push({ tag, state })
    tag.open += 1
    if (tag.isForeign) foreign += 1
  }

  const callbacks: TokenizerCallbacks = {
    onopentagname(start, end) {
      tag = tagAt(start, end)
      attributes.clear()
    },
    onattribname(start, end) {
      attribute = find(attributeNames, start, end)
      value = ''
    },
    onattribdata(start, end) {
      if (attribute !== undefined && value.length < writtenCharsMax) {
        value += slice(start, Math.min(end, start + writtenCharsMax - value.length))
      }
    },
    onattribentity() {},
    onattribend() {
      if (attribute === undefined || attributes.has(attribute)) return
      const plain = value.includes('&') ? decodeHTMLAttribute(value) : value
      attributes.add(attribute, plain.slice(0, valueCharsMax))
    },
    onopentagend: () => finishOpenTag(false),
    onselfclosingtag: () => finishOpenTag(true),
    onclosetag: (start, end) => close(tagAt(start, end)),
    ontext(start, end) {
      if (!handler.isListening()) return
      const text = slice(start, end)
      const isMarkup = stack.at(-1)?.tag.isRaw !== true && text.includes('&')
      handler.text(isMarkup ? decodeHTML(text) : text, inside())
    },
    ontextentity() {},
    isInForeignContext: () => foreign > 0,
    oncdata() {},
    oncomment() {},
    ondeclaration() {},
    onprocessinginstruction() {},
    onend() {
      while (stack.length > 0) pop()
    },
  }
  // Most text and most values are nobody's: to decode only what is wanted takes half the time.
  const tokenizer = new Tokenizer({ decodeEntities: false }, callbacks)

  function read(text: string) {
    currentAt += current.length
    before = before.length + current.length < nameCharsMax ? before + current : current
    current = text
    tokenizer.write(text)
  }

  return {
    pause() {
      paused = true
      tokenizer.pause()
    },
    isPaused: () => paused && !stopped,
    resume() {
      paused = false
      if (!stopped) tokenizer.resume()
    },
    isStopped: () => stopped,
    stop() {
      stopped = true
      tokenizer.pause()
    },
    write(text) {
      if (stopped) return
      const all = carried + text
      const cut = all.length - cutReference(all)
      carried = all.slice(cut)
      if (cut > 0) read(all.slice(0, cut))
    },
    end() {
      if (carried !== '') read(carried)
      tokenizer.end()
    },
  }
}

function cutReference(text: string): number {
  const end = text.slice(-referenceCharsMax)
  const at = end.lastIndexOf('&')
  return at < 0 || !halfReference.test(end.slice(at)) ? 0 : end.length - at
}

/** HTML ignores the case of these and of no other letters. */
const capitals = /[A-Z]+/g

const halfReference = /^&#?\w*$/

const depthMax = 256
export const valueCharsMax = 8_192
/** A character may be written with some eight: `&#x1F389;`. */
const writtenCharsMax = 8 * valueCharsMax
/** The longest name is `&CounterClockwiseContourIntegral;`. */
const referenceCharsMax = 33
const nameCharsMax = 1_024
/** Names beyond this number are read all the same, but not remembered. */
const tagNamesMax = 500
