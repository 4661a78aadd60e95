import type { Attributes } from './attribute-list.ts'
import { cleanText } from './clean-text.ts'
import { boilerplate, nested } from './element-flags.ts'
import { valueCharsMax } from './markup-reader.ts'
import type { PageMetadata } from './page-metadata.ts'

/** Collects the text of one element. */
export interface TextCollector {
  add(text: string): void
  /** The element has ended. */
  done(): void
  /** For the element of an author: the part that is the name alone. */
  readonly setName?: (name: string) => void
}

export function textCollectorFor(
  name: string,
  attributes: Attributes,
  around: number,
  metadata: PageMetadata,
  open: ReadonlySet<TextCollector>,
): TextCollector | null {
  if (name === 'title')
    return metadata.title === null ? collectText((text) => (metadata.title ??= nonEmpty(text))) : null
  if (name === 'script') return isLinkedData(attributes) ? collectLinkedData(metadata) : null
  if ((around & boilerplate) !== 0) return null
  const author = attributes.size === 0 ? null : collectAuthor(attributes, around, metadata, open)
  if (author !== null) return author
  if (name === 'h1')
    return metadata.heading === null ? collectText((text) => (metadata.heading ??= nonEmpty(text))) : null
  if (name === 'p' && metadata.paragraph === null)
    return collectText((text) => (metadata.paragraph ??= paragraphOf(text)))
  return null
}

function collectText(keep: (text: string) => void, charsMax = valueCharsMax): TextCollector {
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

function collectLinkedData(metadata: PageMetadata): TextCollector {
  return collectText((text) => {
    const chars = metadata.linkedData.reduce((sum, block) => sum + block.length, text.length)
    if (chars <= linkedDataCharsMax && metadata.linkedData.length < linkedDataMax)
      metadata.linkedData.push(text)
  }, linkedDataCharsMax + 1)
}

function collectAuthor(
  attributes: Attributes,
  around: number,
  metadata: PageMetadata,
  open: ReadonlySet<TextCollector>,
): TextCollector | null {
  if (attributes.matches('itemprop', nameProperty)) return collectAuthorName(attributes, open)
  const kind = bylineKind(attributes, around)
  if (kind === null || metadata.bylines.length >= bylinesMax) return null
  let name: string | null = null
  const whole = collectText((text) => metadata.bylines.push({ kind, text: name ?? text }))
  return {
    ...whole,
    setName(text) {
      name ??= nonEmpty(text)
    },
  }
}

function collectAuthorName(attributes: Attributes, open: ReadonlySet<TextCollector>): TextCollector | null {
  const author = [...open].findLast((other) => other.setName !== undefined)
  if (author?.setName === undefined) return null
  const content = attributes.get('content')
  if (content === undefined) return collectText(author.setName)
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
