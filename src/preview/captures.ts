import type { Attributes } from './attributes.ts'
import { BOILERPLATE, NESTED } from './element-flags.ts'
import type { PageFacts } from './facts.ts'
import { VALUE_CHARS_MAX } from './markup.ts'
import { cleanText } from './text.ts'

/** Collects the text of one element. */
export interface Capture {
  add(text: string): void
  /** The element has ended. */
  done(): void
  /** For the element of an author: the part that is the name alone. */
  readonly setName?: (name: string) => void
}

/** A capture for an element whose text matters, given what is known already. */
export const captureFor = (
  name: string,
  attributes: Attributes,
  around: number,
  facts: PageFacts,
  open: ReadonlySet<Capture>,
): Capture | null => {
  if (name === 'title')
    return facts.title === null ? capture((text) => (facts.title ??= nonEmpty(text))) : null
  if (name === 'script') return isLinkedData(attributes) ? linkedDataCapture(facts) : null
  if ((around & BOILERPLATE) !== 0) return null
  const author = attributes.size === 0 ? null : authorCapture(attributes, around, facts, open)
  if (author !== null) return author
  if (name === 'h1')
    return facts.heading === null ? capture((text) => (facts.heading ??= nonEmpty(text))) : null
  if (name === 'p' && facts.paragraph === null)
    return capture((text) => (facts.paragraph ??= paragraphOf(text)))
  return null
}

const capture = (keep: (text: string) => void, charsMax = VALUE_CHARS_MAX): Capture => {
  let text = ''
  return {
    add(piece) {
      if (text.length < charsMax) text += piece.slice(0, charsMax - text.length)
    },
    done: () => keep(text),
  }
}

const nonEmpty = (text: string): string | null => (text.trim() === '' ? null : text)

/** Long enough to be a sentence; scripts without spaces say more with fewer characters. */
const paragraphOf = (raw: string): string | null => {
  const text = cleanText(raw)
  const enough = /[\u2e80-\u9fff\uac00-\ud7af\u0e00-\u0eff]/.test(text) ? 20 : 40
  return text.length >= enough ? text : null
}

const isLinkedData = (attributes: Attributes): boolean =>
  attributes.matches('type', /^\s*application\/ld\+json\b/i)

/** A block that makes all of them too long is left out: half a block cannot be read. */
const linkedDataCapture = (facts: PageFacts): Capture =>
  capture((text) => {
    const chars = facts.linkedData.reduce((sum, block) => sum + block.length, text.length)
    if (chars <= LINKED_DATA_CHARS_MAX && facts.linkedData.length < LINKED_DATA_MAX)
      facts.linkedData.push(text)
  }, LINKED_DATA_CHARS_MAX + 1)

const authorCapture = (
  attributes: Attributes,
  around: number,
  facts: PageFacts,
  open: ReadonlySet<Capture>,
): Capture | null => {
  if (attributes.matches('itemprop', NAME_PROPERTY)) return nameCapture(attributes, open)
  const kind = bylineKind(attributes, around)
  if (kind === null || facts.bylines.length >= BYLINES_MAX) return null
  let name: string | null = null
  const whole = capture((text) => facts.bylines.push({ kind, text: name ?? text }))
  return {
    ...whole,
    setName(text) {
      name ??= nonEmpty(text)
    },
  }
}

/** The name inside the innermost element of an author. */
const nameCapture = (attributes: Attributes, open: ReadonlySet<Capture>): Capture | null => {
  const author = [...open].findLast((other) => other.setName !== undefined)
  if (author?.setName === undefined) return null
  const content = attributes.get('content')
  if (content === undefined) return capture(author.setName)
  author.setName(content)
  return null
}

const bylineKind = (attributes: Attributes, around: number) => {
  const isOwn = (around & NESTED) === 0 && !attributes.has('content')
  if (isOwn && attributes.matches('itemprop', AUTHOR_WORD)) return 'itemprop'
  if (attributes.matches('rel', AUTHOR_WORD)) return 'rel'
  return attributes.matches('class', BYLINE_CLASS) ? 'class' : null
}

const NAME_PROPERTY = /(?:^|\s)name(?:$|\s)/i
const AUTHOR_WORD = /(?:^|\s)author(?:$|\s)/i
const BYLINE_CLASS = /(?:^|[\s_-])(?:author|byline)(?:[-_]+name)?(?:$|\s)/i

const LINKED_DATA_CHARS_MAX = 524_288
const LINKED_DATA_MAX = 20
const BYLINES_MAX = 10
