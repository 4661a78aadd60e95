import { inside, type Traits, trait } from './element-flags.ts'
import { type Attributes, valueCharsMax } from './markup-reader.ts'
import type { PageLines } from './page-lines.ts'
import {
  announced,
  type Byline,
  type DateMark,
  firstParagraph,
  keep,
  type PageMetadata,
  type Part,
} from './page-metadata.ts'
import { readableText, withRaised } from './page-text.ts'
import { addMeta, logoTextsMax, type Place, partOf } from './read-element.ts'

export interface TextCollector {
  /** Returns false if no more is needed. @param flags of the element around the text */
  add(text: string, flags: number): boolean
  done(): void
  /** For the element of an author: adds a part that is a name alone. */
  readonly addName?: (name: string, isProperty: boolean) => void
  /** A link in it says that it leads to the author. */
  readonly sign?: () => void
}

export interface OpenElements extends Place {
  readonly metadata: PageMetadata
  readonly collectors: readonly TextCollector[]
  readonly lines: PageLines
}

type Collect = (name: string, attributes: Attributes, open: OpenElements) => TextCollector | undefined

export const textCollectorFor: Collect = (name, attributes, open) => {
  const { metadata, around, traits } = open
  if (name === 'title')
    return metadata.title === undefined
      ? new LimitedText((text) => (metadata.title ??= nonEmpty(text)))
      : undefined
  if (name === 'script')
    return matches(attributes, 'type', linkedDataType) ? collectLinkedData(metadata) : undefined
  if ((around & inside.boilerplate) !== 0 || (traits & trait.foreign) !== 0) return undefined
  if (attributes.size > 0) {
    const part = collectName(name, attributes, open) ?? collectByline(name, attributes, open)
    const mark = part === undefined ? collectDate(name, attributes, open) : undefined
    if (part !== undefined || mark !== undefined) return part ?? mark
  } else if (name === 'time') return collectDate(name, attributes, open)
  if (name === 'h1' || name === 'h2') return collectHeading(name, metadata)
  if (metadata.logoTexts.length < logoTextsMax && isLogo(name, attributes, traits))
    return new LimitedText(
      (text) => nonEmpty(text) && keep(metadata, metadata.logoTexts, text, logoTextsMax, text),
      nameCharsMax,
      true,
    )
  if ((traits & trait.heading) !== 0) return collectHeading('h1', metadata)
  if (name === 'pre') return collectCode(metadata, around)
  const own = (traits & trait.marginal) === 0 ? around : around | inside.margin
  return name === 'p' ? collectParagraph(own, metadata) : undefined
}

function isLogo(name: string, attributes: Attributes, traits: Traits): boolean {
  return (traits & trait.logo) !== 0 || (name === 'a' && matches(attributes, 'href', homeUrl))
}

function matches(attributes: Attributes, name: string, pattern: RegExp): boolean {
  const value = attributes.get(name)
  return value !== undefined && pattern.test(value)
}

/** Collects up to `charsMax` characters. Of a short text with more, nothing is kept: it is not what it seemed to be. */
class LimitedText implements TextCollector {
  readonly #keepText: (text: string) => unknown
  readonly #charsMax: number
  readonly #isShort: boolean
  #text = ''

  constructor(keepText: (text: string) => unknown, charsMax = valueCharsMax, isShort = false) {
    this.#keepText = keepText
    this.#charsMax = charsMax
    this.#isShort = isShort
  }

  add(part: string, _flags: number): boolean {
    if (this.#text.length <= this.#charsMax)
      this.#text += part.slice(0, this.#charsMax + 1 - this.#text.length)
    return this.#text.length <= this.#charsMax
  }

  done(): void {
    const text = withRaised(this.#text)
    if (text.length <= this.#charsMax) this.#keepText(text)
    else if (!this.#isShort) this.#keepText(text.slice(0, this.#charsMax))
  }
}

function nonEmpty(text: string): string | undefined {
  return text.trim() === '' ? undefined : text
}

function collectHeading(name: 'h1' | 'h2', metadata: PageMetadata): TextCollector | undefined {
  if (metadata.headings.length >= headingsMax) return undefined
  const [level, at] = [name === 'h1' ? 1 : 2, metadata.elements] as const
  return new LimitedText((text) => {
    const isHeaded = (metadata.headings.at(-1)?.at ?? 0) > at
    if (nonEmpty(text) !== undefined && !isHeaded)
      keep(metadata, metadata.headings, { level, text, at, below: '' }, headingsMax, text)
  })
}

function collectParagraph(around: number, metadata: PageMetadata): TextCollector | undefined {
  const { paragraphs, headings, definitions } = metadata
  const isDefined = (around & inside.defined) !== 0
  const isOther = isDefined && (definitions !== 1 || metadata.definition !== undefined)
  if ((around & inside.listed) !== 0 || isOther || metadata.isTabular) return undefined
  const section = headings.length
  const part = (around & (inside.defined | inside.footnote | inside.quoted)) === 0 ? partOf(around) : 'margin'
  const better: readonly Part[] =
    part === 'article' ? ['article'] : part === 'body' ? ['article', 'body'] : allParts
  const isLater = better.some((other) => paragraphs[other] !== undefined)
  if (isLater && (part === 'margin' || metadata.laterParagraphs.length >= laterMax)) return undefined
  const last = headings.findLastIndex(({ level }) => level === 1)
  const nearest = headings.slice(Math.max(0, last))
  const isFirst =
    isDefined ||
    (last >= 0 &&
      nearest.every(({ below }, at) =>
        ['', nearest[at + 1]?.text.trim()].includes(below.replace(dayLine, '').trim()),
      ))
  return new Paragraph((text) => {
    metadata.isIntroduced ||= metadata.articles === 0 && part !== 'margin'
    if (!text.endsWith(':')) keepParagraph(text)
    else if (part !== 'margin' && !isLater)
      metadata.leadIn ??= {
        text: text.endsWith('::') ? '' : `${text.slice(0, -1).trimEnd()}.`,
        section,
        part,
        items: [],
        isOver: false,
      }
  }, isFirst)

  function keepParagraph(text: string): void {
    const { leadIn } = metadata
    const isAnnounced = leadIn !== undefined && leadIn.part === part && leadIn.section !== section
    metadata.sections.set(text, section)
    if (isDefined) metadata.definition ??= text
    else if (!isLater) paragraphs[part] ??= (isAnnounced && announced(leadIn)) || text
    else if (metadata.laterParagraphs.length < laterMax) metadata.laterParagraphs.push(text)
  }
}

/** The day of an article, alone in its line. */
const dayLine = /^[^\n.!?]{0,24}\b(?:19|20)\d\d(?:-\d\d-\d\d)?$/m
const laterMax = 2

/** More than a card shows. */
const codeCharsMax = 2_048

function collectCode(metadata: PageMetadata, around: number): TextCollector | undefined {
  if (metadata.code !== undefined || (around & (inside.footnote | inside.margin)) !== 0) return undefined
  const { elements: at } = metadata
  const isFirst = (around & (inside.listed | inside.defined)) === 0 && firstParagraph(metadata) === undefined
  return new CodeText((text) => {
    const { name, at: namedAt } = metadata.codeLanguage
    // Numbers of lines may stand in a table before their lines.
    if (metadata.code === undefined && /[^\d\s]/.test(text))
      metadata.code = { text, isFirst, language: namedAt > at - elementsAroundCode ? name : undefined }
  }, codeCharsMax)
}

/** Code without the links that lead from it to its documentation. */
class CodeText extends LimitedText {
  override add(text: string, flags: number): boolean {
    return super.add((flags & inside.link) !== 0 && backLink.test(text) ? '' : text, flags)
  }
}

const backLink = /^\s*(?:\[[a-z]+\]|[#¶])\s*$/

/** Between the element that names the language of code and the code. */
const elementsAroundCode = 6

class Paragraph extends LimitedText {
  #linkChars = 0

  constructor(keepText: (text: string) => void, isFirst: boolean) {
    super((text) => {
      const readable = readableText(text, this.#linkChars, isFirst)
      if (readable !== undefined) keepText(readable)
    })
  }

  override add(text: string, flags: number): boolean {
    if ((flags & inside.link) !== 0) this.#linkChars += text.length
    return super.add(text, flags)
  }
}

const allParts: readonly Part[] = ['article', 'body', 'margin']

function collectLinkedData(metadata: PageMetadata): TextCollector {
  return new LimitedText((text) => {
    const chars = metadata.linkedData.reduce((sum, block) => sum + block.length, text.length)
    if (chars <= linkedDataCharsMax && metadata.linkedData.length < 20) metadata.linkedData.push(text)
  }, linkedDataCharsMax + 1)
}

const collectName: Collect = (name, attributes, { around, collectors }) => {
  if ((around & inside.byline) === 0) return undefined
  const isProperty = matches(attributes, 'itemprop', nameProperty) || matches(attributes, 'class', nameClass)
  if (!isProperty && (name !== 'a' || !attributes.has('href'))) return undefined
  const line = collectors.findLast((other) => other.addName !== undefined)
  if (line === undefined) return undefined
  if (matches(attributes, 'rel', authorWord)) line.sign?.()
  const content = attributes.get('content')
  if (content === undefined)
    return new LimitedText((text) => line.addName?.(text, isProperty), nameCharsMax, true)
  line.addName?.(content, isProperty)
  return undefined
}

const bylinesMax = 30

const collectByline: Collect = (name, attributes, open) => {
  const { around, traits, metadata } = open
  const kind = (around & inside.byline) === 0 ? bylineKind(name, attributes, open) : undefined
  if (kind === undefined || metadata.bylines.length >= bylinesMax) return undefined
  const [at, part] = [metadata.elements, (traits & trait.marginal) !== 0 ? 'margin' : partOf(around)] as const
  return new BylineText(metadata, { kind, at, part })
}

class BylineText extends LimitedText {
  readonly #properties: string[] = []
  readonly #links: string[] = []
  #isSigned = false

  constructor({ bylines }: PageMetadata, place: Pick<Byline, 'kind' | 'at' | 'part'>) {
    super((text) => {
      const names = this.#properties.length > 0 ? this.#properties : this.#links
      if (names.length > 0 || text.length <= bylineCharsMax)
        bylines.push({
          ...place,
          ...(this.#isSigned && { kind: 'rel' }),
          text: text.slice(0, bylineCharsMax),
          names,
        })
    }, bylineCharsMax)
  }

  sign(): void {
    this.#isSigned = true
  }

  /** Names are wanted also where the text is too long. */
  override add(text: string, flags: number): boolean {
    super.add(text, flags)
    return true
  }

  addName(text: string, isProperty: boolean): void {
    const list = isProperty ? this.#properties : this.#links
    if (nonEmpty(text) !== undefined && list.length < 10) list.push(text)
  }
}

function bylineKind(name: string, attributes: Attributes, { around, traits }: Place) {
  const isOwn = (around & inside.nested) === 0 && !attributes.has('content')
  if (isOwn && matches(attributes, 'itemprop', authorWord)) return 'itemprop'
  if (matches(attributes, 'rel', authorWord)) return 'rel'
  // Generators make the id of a heading of its words.
  if ((traits & trait.author) !== 0 && (!/^h[1-6]$/.test(name) || attributes.has('class'))) return 'class'
  return name === 'a' && matches(attributes, 'href', authorPath) ? 'href' : undefined
}

const collectDate: Collect = (name, attributes, { around, traits, metadata, lines }) => {
  if ((traits & trait.otherDate) !== 0) return undefined
  const property = attributes.get('itemprop')
  if (property !== undefined && textProperty.test(property) && (around & inside.nested) === 0)
    return collectProperty(property, attributes, metadata)
  if (property !== undefined && otherProperty.test(property)) return undefined
  const isInByline = name === 'time' && (around & inside.byline) !== 0
  const kind = isInByline ? 'published' : dateKind(name, attributes, traits)
  if (kind === undefined || metadata.dates.length >= datesMax) return undefined
  const [at, label] = [metadata.elements, lines.label()]
  const part = (traits & trait.marginal) !== 0 ? 'margin' : partOf(around)
  const given = [attributes.get('datetime'), attributes.get('title')].filter((value) => value !== undefined)
  return new LimitedText(
    (text) => {
      const values = [...given, text]
      keep(metadata, metadata.dates, { kind, label, values, at, part }, datesMax, ...values)
    },
    dateCharsMax,
    given.length === 0,
  )
}

function collectProperty(property: string, attributes: Attributes, metadata: PageMetadata) {
  if (attributes.has('content') || attributes.has('datetime')) return undefined
  const title = attributes.get('title')
  return new LimitedText((text) => addMeta(metadata, property, title ?? text, 'itemprop'), dateCharsMax, true)
}

function dateKind(name: string, attributes: Attributes, traits: number): DateMark['kind'] | undefined {
  if ((traits & trait.updated) !== 0 && (traits & trait.published) === 0) return 'updated'
  if (name === 'time')
    return attributes.has('pubdate') ? 'pubdate' : (traits & trait.published) !== 0 ? 'published' : 'time'
  if ((traits & trait.published) !== 0) return 'published'
  return (traits & (trait.dated | trait.summary)) !== 0 ? 'dated' : undefined
}

const nameProperty = /(?:^|\s)name(?:$|\s)/i
const nameClass = /(?:^|[\s_-])(?:fn|p-name|(?:author|byline)[-_]+name)(?:$|\s)/i
const authorWord = /(?:^|\s)(?:author|creator)(?:$|\s)/i
const authorPath =
  /\/(?:authors?|autor(?:e[ns]?|es)?|auteurs?|journalists?|reporters?|contributors?|columnists?)\/[^/?#]/i
const homeUrl = /^(?:https?:\/\/[^/?#]+\/?|\/)$/i
/** Dates in the life of what the page is about. */
const otherProperty = /start|end|birth|death|founding|dissolution|valid|expir|door|deadline/i
/** Properties whose text is read, not only the value that an attribute gives. */
const textProperty =
  /^(?:datePublished|dateCreated|uploadDate|dateModified|startDate|endDate|location|softwareVersion|jobTitle)$/i

const linkedDataType = /^\s*application\/ld\+json\b/i
const linkedDataCharsMax = 524_288
const headingsMax = 20
const bylineCharsMax = 300
const nameCharsMax = 120
const datesMax = 60
const dateCharsMax = 160
