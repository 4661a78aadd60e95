import type { Attributes } from './attribute-list.ts'
import { cleanText } from './clean-text.ts'
import { boilerplate, nested } from './element-flags.ts'
import { valueCharsMax } from './element-reader.ts'
import type { PageMetadata } from './page-metadata.ts'

/** Collects the text of one open element. */
export interface TextCollector {
  add(text: string): void
  /** The element has ended. */
  done(): void
  /** For the element of an author: sets the part that is the name alone. */
  readonly setName?: (name: string) => void
}

/** Returns undefined for elements whose text is not needed. `open` are the collectors of the elements around this one. */
export function textCollectorFor(
  name: string,
  attributes: Attributes,
  around: number,
  metadata: PageMetadata,
  open: ReadonlySet<TextCollector>,
): TextCollector | undefined {
  if (name === 'title')
    return metadata.title === undefined
      ? collectText((text) => (metadata.title ??= nonEmpty(text)))
      : undefined
  if (name === 'script') return isLinkedData(attributes) ? collectLinkedData(metadata) : undefined
  if ((around & boilerplate) !== 0) return undefined
  const author = attributes.size === 0 ? undefined : collectAuthor(attributes, around, metadata, open)
  if (author !== undefined) return author
  if (name === 'h1')
    return metadata.heading === undefined
      ? collectText((text) => (metadata.heading ??= nonEmpty(text)))
      : undefined
  if (name === 'p' && metadata.paragraph === undefined)
    return collectText((text) => (metadata.paragraph ??= paragraphOf(text)))
  return undefined
}

function collectText(keep: (text: string) => void, charsMax = valueCharsMax): TextCollector {
  let text = ''
  return {
    add(part) {
      if (text.length < charsMax) text += part.slice(0, charsMax - text.length)
    },
    done: () => keep(text),
  }
}

function nonEmpty(text: string): string | undefined {
  return text.trim() === '' ? undefined : text
}

/** Short paragraphs are labels and captions. Scripts without spaces say more with fewer characters. */
function paragraphOf(raw: string): string | undefined {
  const text = cleanText(raw)
  const charsMin = /[\u2e80-\u9fff\uac00-\ud7af\u0e00-\u0eff]/.test(text) ? 20 : 40
  return text.length >= charsMin ? text : undefined
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
): TextCollector | undefined {
  if (attributes.matches('itemprop', nameProperty)) return collectAuthorName(attributes, open)
  const kind = bylineKind(attributes, around)
  if (kind === undefined || metadata.bylines.length >= bylinesMax) return undefined
  let name: string | undefined
  const whole = collectText((text) => metadata.bylines.push({ kind, text: name ?? text }))
  return {
    ...whole,
    setName(text) {
      name ??= nonEmpty(text)
    },
  }
}

function collectAuthorName(
  attributes: Attributes,
  open: ReadonlySet<TextCollector>,
): TextCollector | undefined {
  const author = [...open].findLast((other) => other.setName !== undefined)
  if (author?.setName === undefined) return undefined
  const content = attributes.get('content')
  if (content === undefined) return collectText(author.setName)
  author.setName(content)
  return undefined
}

function bylineKind(attributes: Attributes, around: number) {
  const isOwn = (around & nested) === 0 && !attributes.has('content')
  if (isOwn && attributes.matches('itemprop', authorWord)) return 'itemprop'
  if (attributes.matches('rel', authorWord)) return 'rel'
  return attributes.matches('class', bylineClass) ? 'class' : undefined
}

const nameProperty = /(?:^|\s)name(?:$|\s)/i
const authorWord = /(?:^|\s)author(?:$|\s)/i
const bylineClass = /(?:^|[\s_-])(?:author|byline)(?:[-_]+name)?(?:$|\s)/i

const linkedDataCharsMax = 524_288
const linkedDataMax = 20
const bylinesMax = 10
