import { type CpuBudget, createCpuBudget } from '../../lib/cooperative-scheduler.ts'
import { type CharsetDecoder, createCharsetDecoder } from '../../web/charset-decoder.ts'
import type { PageHead } from '../../web/fetched-page.ts'
import type { BodySink } from '../../web/read-body.ts'
import type { PageOrigin } from '../preview/page-fields.ts'
import { createPageParser, type PageParser, type ParsedPage } from '../preview/page-parser.ts'
import { PageOutline } from './page-outline.ts'

/** The contents of an HTML page of a site. */
export interface ReadPage {
  readonly parsed: ParsedPage
  readonly outline: PageOutline
  /** The beginning of the page, bytes as characters. */
  readonly markup: string
}

type PageBodyOptions = Pick<PageOrigin, 'nowMs' | 'allowsAddress'>

/** The body of an HTML page on its way to its readers. */
export class PageBody implements BodySink {
  readonly #outline = new PageOutline()
  readonly #parser: PageParser
  readonly #decoder: CharsetDecoder
  readonly #budget: CpuBudget = createCpuBudget()
  #markup = ''

  constructor({ url: { href, hostname }, headers }: PageHead, options: PageBodyOptions = {}) {
    const contentType = headers['content-type'] ?? ''
    this.#parser = createPageParser({ ...options, url: href, headers, contentType })
    this.#decoder = createCharsetDecoder({ contentType, tld: hostname.split('.').at(-1) ?? '' })
  }

  async write(chunk: Uint8Array): Promise<boolean> {
    if (this.#markup.length < markupCharsMax) this.#markup += Buffer.from(chunk).toString('latin1')
    const wantsMore = await this.#parser.write(chunk)
    await this.#budget.run(this.#readLinks(chunk))
    return wantsMore
  }

  isUseful(): boolean {
    return this.#parser.isUseful()
  }

  async finish(): Promise<ReadPage> {
    const parsed = await this.#parser.finish()
    await this.#budget.run(this.#outlineOf(this.#decoder.end()))
    this.#outline.finish()
    return { parsed, outline: this.#outline, markup: this.#markup.slice(0, markupCharsMax) }
  }

  *#readLinks(bytes: Uint8Array): Generator<void, void> {
    for (let at = 0; at < bytes.length; at += sliceBytes)
      yield* this.#outlineOf(this.#decoder.push(bytes.subarray(at, at + sliceBytes)))
  }

  *#outlineOf(text: string): Generator<void, void> {
    for (let at = 0; at < text.length; at += sliceChars) {
      this.#outline.write(text.slice(at, at + sliceChars))
      yield
    }
  }
}

const sliceBytes = 16_384
/** The longest step of the cooperative scheduler. */
const sliceChars = 4_096
const markupCharsMax = 65_536
