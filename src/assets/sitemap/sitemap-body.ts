import { createCpuBudget } from '../../lib/cooperative-scheduler.ts'
import { createCharsetDecoder } from '../../web/charset-decoder.ts'
import type { PageHead } from '../../web/fetched-page.ts'
import { createGunzip, type Gunzip } from '../../web/gunzip.ts'
import type { BodySink } from '../../web/read-body.ts'
import type { SitemapReader } from './read-sitemap.ts'

/** The body of a sitemap, packed or not, on its way to its reader. */
export class SitemapBody implements BodySink {
  /** Unpacked. */
  bytes = 0
  #isCut = false
  readonly #reader: SitemapReader
  readonly #bytesMax: number
  readonly #decoder: ReturnType<typeof createCharsetDecoder>
  readonly #budget = createCpuBudget()
  #begun = new Uint8Array()
  #gunzip: Gunzip | undefined
  #isKnown = false

  constructor({ url, headers }: PageHead, reader: SitemapReader, bytesMax: number) {
    this.#reader = reader
    this.#bytesMax = bytesMax
    const tld = url.hostname.split('.').at(-1) ?? ''
    this.#decoder = createCharsetDecoder({ contentType: headers['content-type'] ?? '', tld })
  }

  write(chunk: Uint8Array): Promise<boolean> | boolean {
    if (this.#isKnown) return this.#pass(chunk)
    this.#begun = Buffer.concat([this.#begun, chunk])
    return this.#begun.length < 2 || this.#begin()
  }

  isUseful(): boolean {
    return this.bytes > 0
  }

  /** Resolves once everything that has arrived is read: with false if the file was not read to its end. */
  async finish(): Promise<boolean> {
    if (!this.#isKnown) await this.#begin()
    if (this.#gunzip !== undefined && !(await this.#gunzip.end())) this.#isCut = true
    await this.#budget.run(this.#reader.read(this.#decoder.end()))
    await this.#budget.run(this.#reader.end())
    return !this.#isCut && !this.#reader.isCut()
  }

  #begin(): Promise<boolean> {
    const begun = this.#begun
    this.#isKnown = true
    if (begun[0] === 0x1f && begun[1] === 0x8b) this.#gunzip = createGunzip((bytes) => this.#read(bytes))
    return this.#pass(begun)
  }

  #pass(chunk: Uint8Array): Promise<boolean> {
    return this.#gunzip?.write(chunk) ?? this.#read(chunk)
  }

  async #read(bytes: Uint8Array): Promise<boolean> {
    const allowed = bytes.subarray(0, this.#bytesMax - this.bytes)
    this.bytes += allowed.length
    if (allowed.length < bytes.length) this.#isCut = true
    for (let at = 0; at < allowed.length && !this.#reader.isDone(); at += sliceBytes) {
      const text = this.#decoder.push(allowed.subarray(at, at + sliceBytes))
      await this.#budget.run(this.#reader.read(text))
    }
    return !this.#isCut && !this.#reader.isDone()
  }
}

const sliceBytes = 16_384
