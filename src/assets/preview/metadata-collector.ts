import { dated, published, traitsOf, updated } from './class-traits.ts'
import { CreditCollector } from './credit-collector.ts'
import { boilerplate, byline, elementFlags, inert, inheritedFlags, nested, silent } from './element-flags.ts'
import { ElementReader } from './element-reader.ts'
import { linkTarget } from './link-target.ts'
import { MarkupScanner } from './markup-scanner.ts'
import { emptyMetadata, type PageMetadata } from './page-metadata.ts'
import { readElement } from './read-element.ts'
import { quietAttributes } from './tag.ts'
import { type TextCollector, textCollectorFor } from './text-collector.ts'

export interface MetadataCollector {
  readonly metadata: PageMetadata
  write(html: string): void
  end(): void
}

interface ElementState {
  readonly flags: number
  readonly collector: TextCollector | undefined
}

/** Collects the metadata of an HTML page as its text arrives. */
export function createMetadataCollector(collectsAnchors = false): MetadataCollector {
  const metadata = emptyMetadata(collectsAnchors)
  const collectors: TextCollector[] = []
  const credits = new CreditCollector(metadata)
  /** How many headings have enough text below. */
  let full = 0

  /** What stands between two texts below a heading. */
  let gap: '' | ' ' | '\n' = ''

  function addBelow(text: string) {
    const last = metadata.headings.at(-1)
    if (last === undefined || last.below.length >= belowCharsMax) return
    const words = text.trim()
    if (gap === '' && (words === '' || isSpace(text, 0))) gap = ' '
    if (words === '') return
    last.below += `${gap}${words.slice(0, belowCharsMax).replaceAll('\n', ' ')}`
    gap = isSpace(text, text.length - 1) ? ' ' : ''
    if (last.below.length >= belowCharsMax) full = metadata.headings.length
  }

  const reader = new ElementReader<ElementState>(
    {
      open(tag, attributes, outer) {
        metadata.elements += 1
        if (metadata.headings.length > full && !tag.isInline) gap = '\n'
        const { flags: around } = outer
        if ((around & inert) !== 0) return outer
        const { name, isTelling } = tag
        if (attributes.size === 0 && !isTelling) return plainState(outer)
        const traits = traitsOf(attributes)
        const isQuiet = traits === 0 && (attributes.bits & ~quietAttributes) === 0
        if (isQuiet && !isTelling && (around & byline) === 0) return plainState(outer)
        let flags = elementFlags(name, attributes, traits, around)
        if ((flags & inert) !== 0) return { flags, collector: undefined }
        const target = name === 'a' ? (attributes.inPlace('href', linkTarget) ?? 0) : 0
        const open = { metadata, around, traits, target, collectors }
        if ((around & nested) === 0 || !attributes.has('itemprop'))
          readElement(name, attributes, metadata, open)
        const collector =
          collectors.length < collectorsMax ? textCollectorFor(name, attributes, open) : undefined
        if (collector === undefined) return { flags, collector }
        if (collector.addName !== undefined) flags |= byline
        // A date in the line of the author is not part of the name.
        else if ((around & byline) !== 0 && (name === 'time' || (traits & dates) !== 0)) flags |= silent
        collectors.push(collector)
        return { flags, collector }
      },
      isListening({ flags, collector }, text, start, end) {
        if ((flags & silent) !== 0) return collector !== undefined
        if (collectors.length > 0) return true
        if ((flags & boilerplate) !== 0) return false
        return metadata.headings.length > full || credits.isListening(text, start, end)
      },
      text(text, { flags, collector }) {
        if ((flags & (silent | boilerplate)) === 0) credits.add(text)
        if (metadata.headings.length > full && (flags & (silent | boilerplate)) === 0) addBelow(text)
        if ((flags & silent) !== 0) return void collector?.add(text, flags)
        for (let at = collectors.length - 1; at >= 0; at -= 1)
          if (collectors[at]?.add(text, flags) === false) collectors.splice(at, 1)
      },
      close({ isInline }, { collector }) {
        if (!isInline) {
          if (metadata.headings.length > full) gap = '\n'
          credits.endLine()
        }
        if (collector === undefined) return
        remove(collectors, collector)
        collector.done()
      },
    },
    { flags: 0, collector: undefined },
  )
  const scanner = new MarkupScanner(reader)
  return { metadata, write: (html) => scanner.write(html), end: () => scanner.end() }
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

function isSpace(text: string, at: number): boolean {
  return text.charCodeAt(at) <= 0x20
}

const dates = published | updated | dated
/** The lines below a heading that may have author and date. */
const belowCharsMax = 500
/** Of nested elements whose text is collected at the same time. */
const collectorsMax = 12
