import { type CpuBudget, createCpuBudget, isTimeSliceOver } from '../../lib/cooperative-scheduler.ts'
import { type Charset, type CharsetDecoder, createCharsetDecoder } from '../../web/charset.ts'
import { FetchFailure } from '../../web/fetch-failure.ts'
import type { BodySink } from '../../web/read-body.ts'
import { filePreview, isHtml } from './file-preview.ts'
import { MetadataCollector } from './metadata-collector.ts'
import { moveOf, pageFields } from './page-fields.ts'
import type { PageMetadata } from './page-metadata.ts'
import { PageOutline } from './page-outline.ts'
import type { PageFields } from './preview.ts'
import type { PageOrigin, PreviewedPage } from './rule.ts'

export interface ParsedPage {
  readonly fields: PageFields
  readonly metadata: PageMetadata
  /** Facts that other rules than those of the fields read. */
  readonly page: PreviewedPage
  /** Empty unless it was asked for. */
  readonly outline: PageOutline
  readonly move: string | undefined
  readonly charset: Charset
  /** The page has more than is read, or the time of its site ran out before its end. */
  readonly cut: boolean
}

export interface PageParserOptions extends PageOrigin {
  readonly contentType?: string
  /** True if the links of the page are wanted, and how much of it there is to read. */
  readonly readsOutline?: boolean
  readonly cpuMsMax?: number
}

export function createPageParser(options: PageParserOptions): PageParser {
  return new PageParser(options)
}

const defaultCpuMsMax = 3_000

/** Parses a page while it arrives, in small steps that let other work run in between. */
export class PageParser implements BodySink {
  readonly #origin: PageOrigin
  readonly #budget: CpuBudget
  readonly #decoder: CharsetDecoder
  readonly #outline = new PageOutline()
  readonly #collector: MetadataCollector
  #pending: Uint8Array[] = []
  #pendingBytes = 0
  #chars = 0
  #running: Promise<unknown> | undefined
  #isEnding = false

  constructor({ contentType, cpuMsMax = defaultCpuMsMax, readsOutline, ...origin }: PageParserOptions) {
    this.#origin = origin
    this.#collector = new MetadataCollector(readsOutline === true ? this.#outline : undefined)
    this.#budget = createCpuBudget(cpuMsMax)
    const tld = new URL(origin.url).hostname.split('.').at(-1) ?? ''
    this.#decoder = createCharsetDecoder({
      contentType: contentType ?? origin.headers['content-type'] ?? '',
      tld,
    })
  }

  write(chunk: Uint8Array): Promise<boolean> | boolean {
    this.#pending.push(chunk)
    this.#pendingBytes += chunk.length
    if (this.#pendingBytes < pendingBytesMin) return true
    const bytes = this.#takePending()
    if (bytes.length > sliceBytes || isTimeSliceOver()) return this.#run(this.#readBytes(bytes))
    const text = this.#budget.measure(() => this.#decoder.push(bytes))
    if (text.length > sliceBytes) return this.#run(this.#readText(text))
    this.#budget.measure(() => this.#collect(text))
    return this.#wantsMore()
  }

  isUseful(): boolean {
    if (this.#running === undefined && !this.#hasTitle() && this.#wantsMore())
      this.#budget.measure(() =>
        this.#collect(this.#decoder.push(this.#takePending()) + this.#decoder.settle()),
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
    const cut = this.#isEnding || this.#isOverLimit()
    this.#budget.measure(() => this.#collector.end())
    const { metadata } = this.#collector
    const read = await this.#budget.run(this.#withinBudget(pageFields(metadata, this.#origin)))
    const move = moveOf(metadata, read.fields.refresh, this.#origin.url)
    return { metadata, outline: this.#outline, ...read, move, charset: this.#decoder.charset(), cut }
  }

  #wantsMore(): boolean {
    return !this.#isEnding && !this.#isOverLimit()
  }

  /** Limits of work are equal on every machine, however busy it is. */
  #isOverLimit(): boolean {
    return this.#chars > charsMax || this.#collector.isFull()
  }

  #collect(text: string): void {
    this.#collector.write(text.slice(0, Math.max(0, charsMax - this.#chars)))
    this.#chars += text.length
    this.#checkBudget()
  }

  /** The limits of work keep every page far below it: a page that gets here is a fault of ours. */
  #checkBudget(): void {
    if (this.#budget.isExhausted()) throw new FetchFailure('too_complex')
  }

  *#withinBudget<Result>(steps: Generator<void, Result>): Generator<void, Result> {
    for (let step = steps.next(); ; step = steps.next()) {
      if (step.done === true) return step.value
      this.#checkBudget()
      yield
    }
  }

  *#readBytes(bytes: Uint8Array): Generator<void, void> {
    for (let at = 0; at < bytes.length && this.#wantsMore(); at += sliceBytes) {
      yield* this.#readText(this.#decoder.push(bytes.subarray(at, at + sliceBytes)))
    }
  }

  *#readText(text: string): Generator<void, void> {
    for (let at = 0; at < text.length && this.#wantsMore(); at += sliceChars) {
      this.#collect(text.slice(at, at + sliceChars))
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
const charsMax = 2_097_152

export async function parsePreview(body: Uint8Array, { url, headers }: PageOrigin) {
  if (!isHtml(headers['content-type'] ?? ''))
    return { ...filePreview({ url, headers }), charset: { encoding: null, source: null }, truncated: false }
  const parser = createPageParser({ url, headers })
  await parser.write(body)
  const { fields, charset, cut } = await parser.finish()
  return { ...fields, charset, truncated: cut }
}
