import { type Capture, captureFor } from './captures.ts'
import { elementFlags, INERT, NESTED, SILENT } from './element-flags.ts'
import { emptyFacts, type PageFacts } from './facts.ts'
import { createMarkupReader } from './markup.ts'
import { readElement } from './read-element.ts'

export interface FactCollector {
  readonly facts: PageFacts
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
  readonly capture: Capture | null
}

/**
 * Reads a page and writes down everything that the rules may ask for, with an upper bound on each kind.
 * @param pausesAfterHead so that its owner can decide whether the head is enough
 */
export const createFactCollector = (pausesAfterHead = false): FactCollector => {
  const facts = emptyFacts()
  const capturing = new Set<Capture>()
  let inHead = true

  const leaveHead = () => {
    if (inHead && pausesAfterHead) reader.pause()
    inHead = false
  }

  const reader = createMarkupReader<ElementState>(
    {
      open(name, attributes, around) {
        if (name === 'body') leaveHead()
        const flags = elementFlags(name, attributes, around.flags)
        if ((flags & INERT) !== 0) return { flags, capture: null }
        if ((around.flags & NESTED) === 0 || !attributes.has('itemprop'))
          readElement(name, attributes, facts, around.flags)
        const capture =
          capturing.size < CAPTURES_MAX ? captureFor(name, attributes, around.flags, facts, capturing) : null
        if (capture !== null) capturing.add(capture)
        return { flags, capture }
      },
      isListening: () => capturing.size > 0,
      text(text, { flags, capture }) {
        if ((flags & SILENT) !== 0) return capture?.add(text)
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
  return { facts, write, end, isPaused, resume, stop, isStopped }
}

/** Nested elements whose text is collected at the same time. */
const CAPTURES_MAX = 8
