import { elementFlags, inert, nested, silent } from './element-flags.ts'
import { createMarkupReader } from './markup-reader.ts'
import { emptyMetadata, type PageMetadata } from './page-metadata.ts'
import { readElement } from './read-element.ts'
import { type TextCollector, textCollectorFor } from './text-collector.ts'

export interface MetadataCollector {
  readonly metadata: PageMetadata
  write(html: string): void
  end(): void
  /** The head has ended and waits for `resume` or `stop`; nothing may be written until then. */
  readonly isPaused: () => boolean
  resume(): void
  /** Leaves the page early, because its head said enough. */
  stop(): void
  readonly isStopped: () => boolean
}

interface ElementState {
  readonly flags: number
  /** Collects the text of this element. */
  readonly capture: TextCollector | null
}

export function createMetadataCollector(pausesAfterHead = false): MetadataCollector {
  const metadata = emptyMetadata()
  const capturing = new Set<TextCollector>()
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
        if ((flags & inert) !== 0) return { flags, capture: null }
        if ((around.flags & nested) === 0 || !attributes.has('itemprop'))
          readElement(name, attributes, metadata, around.flags)
        const capture =
          capturing.size < capturesMax
            ? textCollectorFor(name, attributes, around.flags, metadata, capturing)
            : null
        if (capture !== null) capturing.add(capture)
        return { flags, capture }
      },
      isListening: () => capturing.size > 0,
      text(text, { flags, capture }) {
        if ((flags & silent) !== 0) return capture?.add(text)
        for (const open of capturing) open.add(text)
      },
      close(name, { capture }) {
        if (name === 'head') leaveHead()
        if (capture === null) return
        capturing.delete(capture)
        capture.done()
      },
    },
    { flags: 0, capture: null },
  )

  const { write, end, isPaused, resume, stop, isStopped } = reader
  return { metadata, write, end, isPaused, resume, stop, isStopped }
}

/** Nested elements whose text is collected at the same time. */
const capturesMax = 8
