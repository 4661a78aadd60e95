import { createCpuBudget, isTimeSliceOver } from '../../lib/cooperative-scheduler.ts'
import { createCharsetDecoder } from '../../web/charset-decoder.ts'
import type { Charset } from '../../web/choose-charset.ts'
import { createMetadataCollector } from './metadata-collector.ts'
import { headCheck, type PageOrigin, pageFields } from './page-fields.ts'
import type { PageMetadata } from './page-metadata.ts'
import type { PageFields } from './preview.ts'

export interface ParsedPage {
  readonly fields: PageFields
  readonly metadata: PageMetadata
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
  finish(): Promise<ParsedPage>
}

export interface PageParserOptions extends PageOrigin {
  readonly contentType: string
  /** Read to the end even when the head says enough. */
  readonly whole?: boolean
  readonly cpuMsMax?: number
}

export function createPageParser(options: PageParserOptions): PageParser {
  const { url, headers, contentType, whole = false, cpuMsMax = defaultCpuMsMax } = options
  const origin = { url, headers }
  const budget = createCpuBudget(cpuMsMax)
  const decoder = createCharsetDecoder({ contentType, tld: new URL(url).hostname.split('.').at(-1) ?? '' })
  const collector = createMetadataCollector(!whole)
  const { metadata: facts } = collector
  let pending: Uint8Array[] = []
  let pendingBytes = 0
  let running: Promise<unknown> | undefined
  let isEnding = false

  function wantsMore() {
    return !isEnding && !collector.isStopped() && !budget.isExhausted()
  }

  function* readBytes(bytes: Uint8Array): Generator<void, void> {
    for (let at = 0; at < bytes.length && wantsMore(); at += sliceBytes) {
      yield* readText(decoder.push(bytes.subarray(at, at + sliceBytes)))
    }
  }

  function* readText(text: string): Generator<void, void> {
    for (let at = 0; at < text.length && wantsMore(); at += sliceChars) {
      collector.write(text.slice(at, at + sliceChars))
      yield
      yield* settleHead()
    }
  }

  function* settleHead(): Generator<void, void> {
    if (!collector.isPaused()) return
    if (yield* headCheck(facts, origin)) collector.stop()
    else collector.resume()
  }

  async function run(steps: Generator<void, void>): Promise<boolean> {
    running = budget.run(steps).finally(() => {
      running = undefined
    })
    await running
    return wantsMore()
  }

  function isTitled() {
    return facts.title !== null || facts.metas.some(({ key }) => key === 'og:title')
  }

  function takePending(): Uint8Array {
    const bytes = pending.length === 1 ? pending[0] : Buffer.concat(pending)
    pending = []
    pendingBytes = 0
    return bytes ?? new Uint8Array()
  }

  return {
    write(chunk) {
      pending.push(chunk)
      pendingBytes += chunk.length
      if (pendingBytes < pendingBytesMin) return true
      const bytes = takePending()
      if (bytes.length > sliceBytes || isTimeSliceOver()) return run(readBytes(bytes))
      const text = budget.measure(() => decoder.push(bytes))
      if (text.length > sliceBytes) return run(readText(text))
      budget.measure(() => collector.write(text))
      return collector.isPaused() ? run(settleHead()) : wantsMore()
    },
    isUseful() {
      const isIdle = running === undefined && !collector.isPaused()
      if (isIdle && !isTitled() && wantsMore())
        budget.measure(() => collector.write(decoder.push(takePending()) + decoder.settle()))
      return isTitled()
    },
    async finish() {
      // The site's time may be over while a long piece is still being read: what was read counts.
      isEnding = running !== undefined
      await running
      if (wantsMore()) {
        await run(readBytes(takePending()))
        await run(readText(decoder.end()))
      }
      const cut = !collector.isStopped() && (isEnding || budget.isExhausted())
      budget.measure(collector.end)
      const fields = await createCpuBudget().run(pageFields(facts, origin))
      return { metadata: facts, fields, charset: decoder.charset(), cut }
    },
  }
}

/** Smaller pieces wait for more: looking at single bytes costs more than they say. */
const pendingBytesMin = 1_024
const sliceBytes = 16_384
/** The longest step of the cooperative scheduler: half a millisecond for honest pages, a few for hostile ones. */
const sliceChars = 4_096
const defaultCpuMsMax = 250
