import { type CpuBudget, createCpuBudget, isTimeSliceOver } from '../../lib/cooperative-scheduler.ts'
import { type CharsetDecoder, createCharsetDecoder } from '../../web/charset-decoder.ts'
import type { Charset } from '../../web/choose-charset.ts'
import { MetadataCollector } from './metadata-collector.ts'
import { type PageOrigin, pageFields } from './page-fields.ts'
import type { PageMetadata } from './page-metadata.ts'
import type { PageFields } from './preview.ts'

export interface ParsedPage {
  readonly fields: PageFields
  readonly metadata: PageMetadata
  readonly charset: Charset
  /** The processor time or the time of the site ran out before the end of the page. */
  readonly cut: boolean
}

/** Parses a page while it arrives, in small steps that let other work run in between. */
export interface PageParser {
  /** Returns false if no more is needed. */
  write(chunk: Uint8Array): Promise<boolean> | boolean
  /** Whether the part read so far is worth an answer. */
  isUseful(): boolean
  finish(): Promise<ParsedPage>
}

export interface PageParserOptions extends PageOrigin {
  readonly contentType: string
  /** Collects the links of the page, for a crawler. */
  readonly collectsAnchors?: boolean
  readonly cpuMsMax?: number
}

export function createPageParser(options: PageParserOptions): PageParser {
  return new SteppedPageParser(options)
}

class SteppedPageParser implements PageParser {
  readonly #origin: PageOrigin
  readonly #budget: CpuBudget
  readonly #decoder: CharsetDecoder
  readonly #collector: MetadataCollector
  #pending: Uint8Array[] = []
  #pendingBytes = 0
  #running: Promise<unknown> | undefined
  #isEnding = false

  constructor({
    contentType,
    collectsAnchors = false,
    cpuMsMax = defaultCpuMsMax,
    ...origin
  }: PageParserOptions) {
    this.#origin = origin
    this.#budget = createCpuBudget(cpuMsMax)
    const tld = new URL(origin.url).hostname.split('.').at(-1) ?? ''
    this.#decoder = createCharsetDecoder({ contentType, tld })
    this.#collector = new MetadataCollector(collectsAnchors)
  }

  write(chunk: Uint8Array): Promise<boolean> | boolean {
    this.#pending.push(chunk)
    this.#pendingBytes += chunk.length
    if (this.#pendingBytes < pendingBytesMin) return true
    const bytes = this.#takePending()
    if (bytes.length > sliceBytes || isTimeSliceOver()) return this.#run(this.#readBytes(bytes))
    const text = this.#budget.measure(() => this.#decoder.push(bytes))
    if (text.length > sliceBytes) return this.#run(this.#readText(text))
    this.#budget.measure(() => this.#collector.write(text))
    return this.#wantsMore()
  }

  isUseful(): boolean {
    if (this.#running === undefined && !this.#hasTitle() && this.#wantsMore())
      this.#budget.measure(() =>
        this.#collector.write(this.#decoder.push(this.#takePending()) + this.#decoder.settle()),
      )
    return this.#hasTitle()
  }

  async finish(): Promise<ParsedPage> {
    // The time of the site may be over while a long chunk is still being read. Then the part read so far counts.
    this.#isEnding = this.#running !== undefined
    await this.#running
    if (this.#wantsMore()) {
      await this.#run(this.#readBytes(this.#takePending()))
      await this.#run(this.#readText(this.#decoder.end()))
    }
    const cut = this.#isEnding || this.#budget.isExhausted()
    this.#budget.measure(() => this.#collector.end())
    const { metadata } = this.#collector
    const fields = await createCpuBudget().run(pageFields(metadata, this.#origin))
    return { metadata, fields, charset: this.#decoder.charset(), cut }
  }

  #wantsMore(): boolean {
    return !this.#isEnding && !this.#budget.isExhausted()
  }

  *#readBytes(bytes: Uint8Array): Generator<void, void> {
    for (let at = 0; at < bytes.length && this.#wantsMore(); at += sliceBytes) {
      yield* this.#readText(this.#decoder.push(bytes.subarray(at, at + sliceBytes)))
    }
  }

  *#readText(text: string): Generator<void, void> {
    for (let at = 0; at < text.length && this.#wantsMore(); at += sliceChars) {
      this.#collector.write(text.slice(at, at + sliceChars))
      yield
    }
  }

  async #run(steps: Generator<void, void>): Promise<boolean> {
    this.#running = this.#budget.run(steps).finally(() => {
      this.#running = undefined
    })
    await this.#running
    return this.#wantsMore()
  }

  #hasTitle(): boolean {
    const { title, metas } = this.#collector.metadata
    return title !== undefined || metas.some(({ key }) => key === 'og:title')
  }

  #takePending(): Uint8Array {
    const bytes = this.#pending.length === 1 ? this.#pending[0] : Buffer.concat(this.#pending)
    this.#pending = []
    this.#pendingBytes = 0
    return bytes ?? new Uint8Array()
  }
}

/** Smaller chunks are collected first: a step has its cost however few bytes it reads. */
const pendingBytesMin = 1_024
const sliceBytes = 16_384
/** The longest step of the cooperative scheduler: half a millisecond for real pages, a few for hostile ones. */
const sliceChars = 4_096
const defaultCpuMsMax = 250
