import type { Attributes } from './attribute-list.ts'
import { dated, otherDate, published, traitsOf, updated } from './class-traits.ts'
import { CreditCollector } from './credit-collector.ts'
import { boilerplate, byline, elementFlags, inert, inheritedFlags, nested, silent } from './element-flags.ts'
import { ElementReader, type MarkupHandler } from './element-reader.ts'
import { HeadingLines } from './heading-lines.ts'
import { linkTarget } from './link-target.ts'
import { MarkupScanner } from './markup-scanner.ts'
import { emptyMetadata, type PageMetadata } from './page-metadata.ts'
import { readElement } from './read-element.ts'
import { RecentTexts } from './recent-texts.ts'
import { quietAttributes, type Tag } from './tag.ts'
import { type TextCollector, textCollectorFor } from './text-collector.ts'

/** Collects the metadata of an HTML page as its text arrives. */
export class MetadataCollector {
  readonly metadata: PageMetadata = emptyMetadata()
  readonly #scanner = new MarkupScanner(new ElementReader(new ElementHandler(this.metadata), outside))

  write(html: string): void {
    this.#scanner.write(html)
  }

  /** Whether the page has as many elements as are read. */
  isFull(): boolean {
    return isFull(this.metadata)
  }

  end(): void {
    this.#scanner.end()
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

/** A class, as the engine compiles methods once for all pages, and closures of a page again and again. */
class ElementHandler implements MarkupHandler<ElementState> {
  readonly #metadata: PageMetadata
  readonly #collectors: TextCollector[] = []
  readonly #credits: CreditCollector
  readonly #lines: HeadingLines
  readonly #recent = new RecentTexts()
  #isInHead = true

  constructor(metadata: PageMetadata) {
    this.#metadata = metadata
    this.#credits = new CreditCollector(metadata)
    this.#lines = new HeadingLines(metadata.headings)
  }

  open(tag: Tag, attributes: Attributes, outer: ElementState): ElementState {
    if (isFull(this.#metadata)) return outer
    this.#metadata.elements += 1
    this.#recent.endText()
    if (this.#isInHead && (outer.flags & silent) === 0) this.#isInHead = headElements.has(tag.name)
    if (!tag.isInline) this.#endLine()
    if ((outer.flags & inert) !== 0) return outer
    if (attributes.size === 0 && !tag.isTelling) return plainState(outer)
    const traits = tag.isWholePage ? 0 : traitsOf(attributes)
    const isQuiet = traits === 0 && (attributes.bits & ~quietAttributes) === 0
    if (isQuiet && !tag.isTelling && (outer.flags & byline) === 0) return plainState(outer)
    return this.#openTelling(tag.name, attributes, traits, outer.flags)
  }

  #openTelling(name: string, attributes: Attributes, traits: number, around: number): ElementState {
    const flags = elementFlags(name, attributes, traits, around)
    if ((flags & inert) !== 0) return { flags, collector: undefined }
    const [metadata, collectors] = [this.#metadata, this.#collectors]
    const target = name === 'a' ? (attributes.inPlace('href', linkTarget) ?? 0) : 0
    const isInHead = this.#isInHead && (around & silent) === 0
    const open = { metadata, around, traits, target, isInHead, collectors, recent: this.#recent }
    if ((around & nested) === 0 || !attributes.has('itemprop')) readElement(name, attributes, metadata, open)
    const collector = collectors.length < collectorsMax ? textCollectorFor(name, attributes, open) : undefined
    // The day of an event is read by nobody.
    if ((traits & otherDate) !== 0 && dateElements.has(name)) return { flags: flags | silent, collector }
    if (collector === undefined) return { flags, collector }
    collectors.push(collector)
    if (collector.addName !== undefined) return { flags: flags | byline, collector }
    // A date in the line of the author is not part of the name.
    const isDate = (around & byline) !== 0 && (name === 'time' || (traits & dates) !== 0)
    return { flags: isDate ? flags | silent : flags, collector }
  }

  #endLine(): void {
    this.#lines.endLine()
    this.#recent.endLine()
  }

  isListening({ flags, collector }: ElementState, text: string, start: number, end: number): boolean {
    if (isFull(this.#metadata)) return false
    if ((flags & silent) !== 0) return collector !== undefined
    this.#recent.add(text, start, end)
    if (this.#collectors.length > 0) return true
    if ((flags & boilerplate) !== 0) return false
    return this.#lines.areWanted() || this.#credits.isListening(text, start, end)
  }

  text(text: string, { flags, collector }: ElementState): void {
    if ((flags & silent) !== 0) return void collector?.add(text, flags)
    if ((flags & boilerplate) === 0) {
      this.#credits.add(text)
      this.#lines.add(text)
    }
    const collectors = this.#collectors
    for (let at = collectors.length - 1; at >= 0; at -= 1)
      if (collectors[at]?.add(text, flags) === false) collectors.splice(at, 1)
  }

  close({ isInline }: Tag, { collector }: ElementState): void {
    this.#recent.endText()
    if (!isInline) {
      this.#endLine()
      this.#credits.endLine()
    }
    if (collector === undefined) return
    remove(this.#collectors, collector)
    collector.done()
  }
}

/** The state of an element that says nothing itself. */
function plainState(outer: ElementState): ElementState {
  const flags = inheritedFlags(outer.flags)
  return outer.collector === undefined && flags === outer.flags ? outer : { flags, collector: undefined }
}

function remove<Item>(list: Item[], item: Item): void {
  const index = list.indexOf(item)
  if (index >= 0) list.splice(index, 1)
}

const headElements: ReadonlySet<string> = new Set(
  'html head title meta link base script style noscript template'.split(' '),
)
const dateElements: ReadonlySet<string> = new Set(['time', 'span', 'abbr'])
const dates = published | updated | dated
/** Nested elements whose text is collected at the same time. */
const collectorsMax = 12
