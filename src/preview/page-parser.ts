import { createCharsetDecoder } from '../web/charset.ts'
import type { Charset } from '../web/choose-charset.ts'
import { createFactCollector } from './collect-facts.ts'
import type { PageFacts } from './facts.ts'
import { isHeadEnough, type PageOrigin, pageFields } from './page-fields.ts'
import type { PageFields } from './preview.ts'
import { countWork, isTurnOver, nextTurn } from './turns.ts'

export interface ParsedPage {
  readonly fields: PageFields
  readonly facts: PageFacts
  readonly charset: Charset
  /** The parser's own time ran out before the page did. */
  readonly cut: boolean
}

/** Reads a page while it arrives, in slices, letting other work run in between. */
export interface PageParser {
  /** Answers false when nothing more is needed. */
  write(chunk: Uint8Array): Promise<boolean> | boolean
  /** Enough was read to be worth an answer. */
  isUseful(): boolean
  finish(): ParsedPage
}

export interface PageParserOptions extends PageOrigin {
  readonly contentType: string
  /** Read to the end even when the head says enough. */
  readonly whole?: boolean
  readonly cpuMsMax?: number
}

export const createPageParser = (options: PageParserOptions): PageParser => {
  const { url, headers, contentType, whole = false, cpuMsMax = CPU_MS_MAX } = options
  const decoder = createCharsetDecoder({ contentType, tld: new URL(url).hostname.split('.').at(-1) ?? '' })
  const collector = createFactCollector((facts) => !whole && isHeadEnough(facts, { url, headers }))
  let pending: Uint8Array[] = []
  let pendingBytes = 0
  let spentMs = 0

  const parse = (text: string) => {
    const startedAt = performance.now()
    collector.write(text)
    const tookMs = performance.now() - startedAt
    spentMs += tookMs
    countWork(tookMs)
  }
  const wantsMore = () => !collector.isStopped() && spentMs < cpuMsMax

  const parseSlices = async (text: string) => {
    for (let at = 0; at < text.length && wantsMore(); at += SLICE_CHARS) {
      if (isTurnOver()) await nextTurn()
      parse(text.slice(at, at + SLICE_CHARS))
    }
    return wantsMore()
  }

  const isTitled = () =>
    collector.facts.title !== null || collector.facts.metas.some(({ key }) => key === 'og:title')

  const takePending = () => {
    const bytes = pending.length === 1 ? pending[0] : Buffer.concat(pending)
    pending = []
    pendingBytes = 0
    return decoder.push(bytes ?? new Uint8Array())
  }

  return {
    write(chunk) {
      pending.push(chunk)
      pendingBytes += chunk.length
      if (pendingBytes < PENDING_BYTES) return true
      const text = takePending()
      if (text.length > SLICE_CHARS || isTurnOver()) return parseSlices(text)
      parse(text)
      return wantsMore()
    },
    isUseful() {
      if (!isTitled() && wantsMore()) parse(takePending() + decoder.settle())
      return isTitled()
    },
    finish() {
      const rest = takePending() + decoder.end()
      if (wantsMore()) parse(rest)
      const cut = spentMs >= cpuMsMax && !collector.isStopped()
      collector.end()
      const { facts } = collector
      return { facts, fields: pageFields(facts, { url, headers }), charset: decoder.charset(), cut }
    },
  }
}

/** Smaller pieces wait for more: looking at single bytes costs more than they say. */
const PENDING_BYTES = 1_024
const SLICE_CHARS = 16_384
const CPU_MS_MAX = 250
