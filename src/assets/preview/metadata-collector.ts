import { elementFlags, inheritedFlags, inside, type Traits, trait, traitsOf } from './element-flags.ts'
import { type Attributes, type MarkupHandler, MarkupReader } from './markup-reader.ts'
import { PageLines } from './page-lines.ts'
import { PageMetadata, type Part } from './page-metadata.ts'
import type { PageOutline } from './page-outline.ts'
import { raisedEnd, raisedStart } from './page-text.ts'
import { partOf, readElement } from './read-element.ts'
import type { Tag } from './tags.ts'
import { type TextCollector, textCollectorFor } from './text-collector.ts'

export class MetadataCollector {
  readonly metadata = new PageMetadata()
  readonly #outline: PageOutline | undefined
  readonly #reader: MarkupReader<ElementState>

  constructor(outline?: PageOutline) {
    this.#outline = outline
    this.#reader = new MarkupReader(new ElementHandler(this.metadata, outline), outside)
  }

  write(html: string): void {
    this.#outline?.addMarkup(html)
    this.#reader.write(html)
  }

  isFull(): boolean {
    return isFull(this.metadata)
  }

  end(): void {
    this.#reader.end()
  }
}

/** Elements and texts behind are not read, wherever the page is cut into pieces. */
function isFull({ elements }: PageMetadata): boolean {
  return elements >= elementsMax
}

/** Three times what real pages of 1 MB have. */
const elementsMax = 100_000

interface ElementState {
  readonly flags: number
  readonly collector: TextCollector | undefined
}

const outside: ElementState = { flags: 0, collector: undefined }

/** Nested elements whose text is collected at the same time. */
const collectorsMax = 12

/** A class, as the engine compiles methods once for all pages, and closures of a page again and again. */
class ElementHandler implements MarkupHandler<ElementState> {
  readonly #metadata: PageMetadata
  readonly #outline: PageOutline | undefined
  readonly #collectors: TextCollector[] = []
  readonly #lines: PageLines
  #isInHead = true
  /** The last text ended within a word, which goes on where no element begins or ends. */
  #isInWord = false

  constructor(metadata: PageMetadata, outline: PageOutline | undefined) {
    this.#metadata = metadata
    this.#outline = outline
    this.#lines = new PageLines(metadata)
  }

  open(tag: Tag, attributes: Attributes, outer: ElementState): ElementState {
    if (isFull(this.#metadata)) return outer
    this.#metadata.elements += 1
    this.#isInWord = false
    if ((outer.flags & inside.unseen) === 0) this.#outline?.open(tag.name, attributes)
    if (this.#isInHead && (outer.flags & inside.silent) === 0) this.#isInHead = headElements.has(tag.name)
    if (!tag.isInline) this.#lines.endLine(tag.name)
    if (tag.name === 'th') this.#metadata.isTabular = true
    if (tag.name === 'br') this.#mark('\n', outer)
    if (tag.name === 'sup') this.#mark(raisedStart, outer)
    if ((outer.flags & inside.inert) !== 0) return outer
    if (attributes.size === 0 && !tag.isTelling) return plainState(outer)
    const traits = tag.isWholePage ? 0 : traitsOf(attributes)
    const isQuiet =
      traits === 0 && !tag.isTelling && (outer.flags & inside.byline) === 0 && areQuiet(attributes)
    return isQuiet ? plainState(outer) : this.#openTelling(tag.name, attributes, traits, outer.flags)
  }

  #openTelling(name: string, attributes: Attributes, traits: Traits, around: number): ElementState {
    const flags = elementFlags(name, attributes, traits, around)
    if ((flags & inside.inert) !== 0) return { flags, collector: undefined }
    const [metadata, collectors] = [this.#metadata, this.#collectors]
    const isInHead = this.#isInHead && (around & inside.silent) === 0
    const open = { metadata, around, traits, isInHead, collectors, lines: this.#lines }
    if ((around & inside.nested) === 0 || !attributes.has('itemprop'))
      readElement(name, attributes, metadata, open)
    const collector = collectors.length < collectorsMax ? textCollectorFor(name, attributes, open) : undefined
    // Nothing reads the day of an event.
    if ((traits & trait.otherDate) !== 0 && dateElements.has(name))
      return { flags: flags | inside.silent, collector }
    if (collector === undefined) return { flags, collector }
    collectors.push(collector)
    if (collector.addName !== undefined) return { flags: flags | inside.byline, collector }
    // A date in the line of the author is not part of the name.
    const isDate = (around & inside.byline) !== 0 && (name === 'time' || (traits & dates) !== 0)
    return { flags: isDate ? flags | inside.silent : flags, collector }
  }

  isListening({ flags, collector }: ElementState, text: string, start: number, end: number): boolean {
    if (isFull(this.#metadata)) return false
    if ((flags & inside.silent) !== 0) return collector !== undefined || this.#isSeen(flags)
    if ((flags & unread) === 0) this.#countWords(partOf(flags), text, start, end)
    this.#lines.add(text, start, end, flags)
    return this.#collectors.length > 0 || this.#isSeen(flags)
  }

  /** Two and a half characters of a script without spaces, or five of Thai and its like, are worth a word. */
  #countWords(part: Part, text: string, start: number, end: number): void {
    let words = 0
    for (let at = start; at < end; at += 1) {
      const code = text.charCodeAt(at)
      const worth = code < firstDenseCode ? 0 : worthOf(code)
      const isLetter = worth === 0 && code > lastSignCode && code !== noBreakSpace
      if (isLetter && !this.#isInWord) words += 1
      words += worth
      this.#isInWord = isLetter || (this.#isInWord && worth === 0 && code > space && code !== noBreakSpace)
    }
    this.#metadata.words[part] += words
  }

  #isSeen(flags: number): boolean {
    return this.#outline !== undefined && (flags & inside.unseen) === 0
  }

  #mark(mark: string, { flags }: ElementState): void {
    if ((flags & inside.silent) !== 0) return
    this.#lines.add(mark, 0, 1, flags)
    for (const collector of this.#collectors) collector.add(mark, flags)
  }

  text(text: string, { flags, collector }: ElementState): void {
    if (this.#isSeen(flags)) this.#outline?.text(text)
    if ((flags & inside.silent) !== 0) return void collector?.add(text, flags)
    const collectors = this.#collectors
    for (let at = collectors.length - 1; at >= 0; at -= 1)
      if (collectors[at]?.add(text, flags) === false) collectors.splice(at, 1)
  }

  close({ name, isInline }: Tag, state: ElementState): void {
    const { flags, collector } = state
    this.#isInWord = false
    if (name === 'table') this.#metadata.isTabular = false
    if (name === 'sup') this.#mark(raisedEnd, state)
    if ((flags & inside.unseen) === 0) this.#outline?.close(name)
    if (!isInline) this.#lines.endLine()
    if (collector === undefined) return
    const index = this.#collectors.indexOf(collector)
    if (index >= 0) this.#collectors.splice(index, 1)
    collector.done()
  }
}

function plainState(outer: ElementState): ElementState {
  const flags = inheritedFlags(outer.flags)
  return outer.collector === undefined && flags === outer.flags ? outer : { flags, collector: undefined }
}

function areQuiet(attributes: Attributes): boolean {
  return attributes.names().every((name) => quietAttributes.has(name))
}

const space = 0x20
const lastSignCode = 0x2f
const noBreakSpace = 0xa0
const firstDenseCode = 0xe00
/** Thai and Lao, Burmese, Khmer, kana, Chinese. */
const denseScripts: readonly { readonly from: number; readonly to: number; readonly worth: number }[] = [
  { from: 0xe00, to: 0xeff, worth: 0.2 },
  { from: 0x1000, to: 0x109f, worth: 0.2 },
  { from: 0x1780, to: 0x17ff, worth: 0.2 },
  { from: 0x3040, to: 0x30ff, worth: 0.4 },
  { from: 0x3400, to: 0x9fff, worth: 0.4 },
]

function worthOf(code: number): number {
  for (const { from, to, worth } of denseScripts) if (code >= from && code <= to) return worth
  return 0
}

const quietAttributes: ReadonlySet<string> = new Set(['class', 'id', 'title', 'content'])
const headElements: ReadonlySet<string> = new Set(
  'html head title meta link base script style noscript template'.split(' '),
)
const dateElements: ReadonlySet<string> = new Set(['time', 'span', 'abbr'])
const dates = trait.published | trait.updated | trait.dated
const unread = inside.boilerplate | inside.preformatted | inside.footnote | inside.margin
