import { elementFlags, inert, nested, silent } from './element-flags.ts'
import { createMarkupReader } from './markup-reader.ts'
import { emptyMetadata, type PageMetadata } from './page-metadata.ts'
import { readElement } from './read-element.ts'
import { type TextCollector, textCollectorFor } from './text-collector.ts'

export interface MetadataCollector {
  readonly metadata: PageMetadata
  write(html: string): void
  end(): void
  /** Whether the reader waits at the end of the head for `resume` or `stop`. Nothing may be written until then. */
  readonly isPaused: () => boolean
  resume(): void
  /** Skips the rest of the page. */
  stop(): void
  readonly isStopped: () => boolean
}

interface ElementState {
  readonly flags: number
  readonly collector: TextCollector | undefined
}

/** Collects the metadata of an HTML page as its text arrives. */
export function createMetadataCollector(pausesAfterHead = false): MetadataCollector {
  const metadata = emptyMetadata()
  const collectors = new Set<TextCollector>()
  let inHead = true

  function leaveHead() {
    if (inHead && pausesAfterHead) reader.pause()
    inHead = false
  }

  const reader = createMarkupReader<ElementState>(
    {
      open(name, attributes, around) {
        if (name === 'body') leaveHead()
        const flags = elementFlags(name, attributes, around.flags)
        if ((flags & inert) !== 0) return { flags, collector: undefined }
        if ((around.flags & nested) === 0 || !attributes.has('itemprop'))
          readElement(name, attributes, metadata, around.flags)
        const collector =
          collectors.size < collectorsMax
            ? textCollectorFor(name, attributes, around.flags, metadata, collectors)
            : undefined
        if (collector !== undefined) collectors.add(collector)
        return { flags, collector }
      },
      isListening: () => collectors.size > 0,
      text(text, { flags, collector }) {
        if ((flags & silent) !== 0) return collector?.add(text)
        for (const open of collectors) open.add(text)
      },
      close(name, { collector }) {
        if (name === 'head') leaveHead()
        if (collector === undefined) return
        collectors.delete(collector)
        collector.done()
      },
    },
    { flags: 0, collector: undefined },
  )

  const { write, end, isPaused, resume, stop, isStopped } = reader
  return { metadata, write, end, isPaused, resume, stop, isStopped }
}

/** Of nested elements whose text is collected at the same time. */
const collectorsMax = 8
