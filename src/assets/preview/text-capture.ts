import type { Attributes } from './attributes.ts'
import { boilerplate, nested } from './element-flags.ts'
import { valueCharsMax } from './markup.ts'
import type { PageMetadata } from './page-metadata.ts'
import { cleanText } from './text.ts'

/** Collects the text of one element. */
export interface Capture {
  add(text: string): void
  /** The element has ended. */
  done(): void
  /** For the element of an author: the part that is the name alone. */
  readonly setName?: (name: string) => void
}

export function captureFor(
  name: string,
  attributes: Attributes,
  around: number,
  metadata: PageMetadata,
  open: ReadonlySet<Capture>,
): Capture | null {
  if (name === 'title')
    return metadata.title === null ? capture((text) => (metadata.title ??= nonEmpty(text))) : null
  if (name === 'script') return isLinkedData(attributes) ? linkedDataCapture(metadata) : null
  if ((around & boilerplate) !== 0) return null
  const author = attributes.size === 0 ? null : authorCapture(attributes, around, metadata, open)
  if (author !== null) return author
  if (name === 'h1')
    return metadata.heading === null ? capture((text) => (metadata.heading ??= nonEmpty(text))) : null
  if (name === 'p' && metadata.paragraph === null)
    return capture((text) => (metadata.paragraph ??= paragraphOf(text)))
  return null
}

function capture(keep: (text: string) => void, charsMax = valueCharsMax): Capture {
  let text = ''
  return {
    add(piece) {
      if (text.length < charsMax) text += piece.slice(0, charsMax - text.length)
    },
    done: () => keep(text),
  }
}

function nonEmpty(text: string): string | null {
  return text.trim() === '' ? null : text
}

function paragraphOf(raw: string): string | null {
  const text = cleanText(raw)
  const enough = /[\u2e80-\u9fff\uac00-\ud7af\u0e00-\u0eff]/.test(text) ? 20 : 40
  return text.length >= enough ? text : null
}

function isLinkedData(attributes: Attributes): boolean {
  return attributes.matches('type', /^\s*application\/ld\+json\b/i)
}

function linkedDataCapture(metadata: PageMetadata): Capture {
  return capture((text) => {
    const chars = metadata.linkedData.reduce((sum, block) => sum + block.length, text.length)
    if (chars <= linkedDataCharsMax && metadata.linkedData.length < linkedDataMax)
      metadata.linkedData.push(text)
  }, linkedDataCharsMax + 1)
}

function authorCapture(
  attributes: Attributes,
  around: number,
  metadata: PageMetadata,
  open: ReadonlySet<Capture>,
): Capture | null {
  if (attributes.matches('itemprop', nameProperty)) return nameCapture(attributes, open)
  const kind = bylineKind(attributes, around)
  if (kind === null || metadata.bylines.length >= bylinesMax) return null
  let name: string | null = null
  const whole = capture((text) => metadata.bylines.push({ kind, text: name ?? text }))
  return {
    ...whole,
    setName(text) {
      name ??= nonEmpty(text)
    },
  }
}

function nameCapture(attributes: Attributes, open: ReadonlySet<Capture>): Capture | null {
  const author = [...open].findLast((other) => other.setName !== undefined)
  if (author?.setName === undefined) return null
  const content = attributes.get('content')
  if (content === undefined) return capture(author.setName)
  author.setName(content)
  return null
}

function bylineKind(attributes: Attributes, around: number) {
  const isOwn = (around & nested) === 0 && !attributes.has('content')
  if (isOwn && attributes.matches('itemprop', authorWord)) return 'itemprop'
  if (attributes.matches('rel', authorWord)) return 'rel'
  return attributes.matches('class', bylineClass) ? 'class' : null
}

const nameProperty = /(?:^|\s)name(?:$|\s)/i
const authorWord = /(?:^|\s)author(?:$|\s)/i
const bylineClass = /(?:^|[\s_-])(?:author|byline)(?:[-_]+name)?(?:$|\s)/i

const linkedDataCharsMax = 524_288
const linkedDataMax = 20
const bylinesMax = 10
