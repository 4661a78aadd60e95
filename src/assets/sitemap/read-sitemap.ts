import { decodeXML } from 'entities'
import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2'
import { type CpuBudget, createCpuBudget } from '../../lib/cooperative-scheduler.ts'
import { w3cDate } from './w3c-date.ts'
import type { SitemapEntry } from './write-sitemap.ts'

export interface SitemapFile {
  readonly entries: readonly SitemapEntry[]
  /** The sitemaps that an index names, as it has them: not always absolute URLs. */
  readonly children: readonly string[]
}

/**
 * Reads a sitemap or a sitemap index, in XML or as one URL a line, up to `entriesMax` entries. Of a file that is broken,
 * nested too deep or takes too long, returns the entries before.
 */
export async function readSitemap(
  text: string,
  entriesMax: number,
  budget: CpuBudget = createCpuBudget(cpuMsMax),
): Promise<SitemapFile> {
  const trimmed = text.trimStart().replace(/^\ufeff/, '')
  if (!trimmed.startsWith('<')) return { entries: readLines(trimmed, entriesMax), children: [] }
  const handler = new SitemapHandler(trimmed, entriesMax)
  await budget.run(tokenize(trimmed, handler, budget))
  return { entries: handler.entries, children: handler.children }
}

function readLines(text: string, entriesMax: number): readonly SitemapEntry[] {
  return text
    .split(/\r?\n/, entriesMax * 2)
    .map((line) => line.trim())
    .filter((line) => /^https?:\/\//i.test(line))
    .slice(0, entriesMax)
    .map((loc) => ({ loc }))
}

function* tokenize(text: string, handler: SitemapHandler, budget: CpuBudget): Generator<void, void> {
  const tokenizer = new Tokenizer({ xmlMode: true, decodeEntities: false }, handler)
  for (let at = 0; at < text.length && !handler.isDone() && !budget.isExhausted(); at += sliceChars) {
    tokenizer.write(text.slice(at, at + sliceChars))
    yield
  }
}

/**
 * Collects the entries of an XML sitemap. The tokenizer has no stack of its own, so this path of open elements is all
 * that a sequence of tags can make grow, and it has at most `depthMax` names.
 */
class SitemapHandler implements TokenizerCallbacks {
  readonly entries: SitemapEntry[] = []
  readonly children: string[] = []
  readonly #text: string
  readonly #entriesMax: number
  readonly #path: string[] = []
  #name = ''
  #loc = ''
  #lastmod = ''
  #isTooDeep = false

  constructor(text: string, entriesMax: number) {
    this.#text = text
    this.#entriesMax = entriesMax
  }

  isDone(): boolean {
    return this.#isTooDeep || this.entries.length >= this.#entriesMax
  }

  onopentagname(start: number, end: number): void {
    this.#name = localName(this.#text, start, end)
    if (this.#path.length < depthMax) this.#path.push(this.#name)
    else this.#isTooDeep = true
  }

  onselfclosingtag(): void {
    this.#close(this.#name)
  }

  onclosetag(start: number, end: number): void {
    this.#close(localName(this.#text, start, end))
  }

  ontext(start: number, end: number): void {
    this.#addText(start, end, false)
  }

  oncdata(start: number, end: number, endOffset: number): void {
    this.#addText(start, end - endOffset, true)
  }

  onopentagend(): void {}
  onattribname(): void {}
  onattribdata(): void {}
  onattribentity(): void {}
  onattribend(): void {}
  ontextentity(): void {}
  oncomment(): void {}
  ondeclaration(): void {}
  onprocessinginstruction(): void {}
  onend(): void {}

  #close(name: string): void {
    const index = this.#path.lastIndexOf(name)
    if (index < 0 || this.isDone()) return
    for (const ended of this.#path.splice(index).reverse()) this.#finish(ended)
  }

  #finish(name: string): void {
    if (name !== 'url' && name !== 'sitemap') return
    const href = decodeXML(this.#loc).trim()
    if (href !== '' && name === 'url')
      this.entries.push({ loc: href, lastmod: w3cDate(decodeXML(this.#lastmod)) })
    if (href !== '' && name === 'sitemap' && this.children.length < childrenMax) this.children.push(href)
    this.#loc = ''
    this.#lastmod = ''
  }

  /** Keeps the markup as it is until the element ends: text may arrive in pieces that cut a character reference. */
  #addText(start: number, end: number, isPlain: boolean): void {
    const parent = this.#path.at(-2)
    if (parent !== 'url' && parent !== 'sitemap') return
    const raw = this.#text.slice(start, Math.min(end, start + valueCharsMax))
    const markup = isPlain ? raw.replaceAll('&', '&amp;') : raw
    if (this.#path.at(-1) === 'loc') this.#loc += markup.slice(0, valueCharsMax - this.#loc.length)
    else if (this.#path.at(-1) === 'lastmod')
      this.#lastmod += markup.slice(0, valueCharsMax - this.#lastmod.length)
  }
}

function localName(text: string, start: number, end: number): string {
  const name = text.slice(start, Math.min(end, start + nameCharsMax))
  return name.slice(name.indexOf(':') + 1).toLowerCase()
}

/** The longest step of the cooperative scheduler. */
const sliceChars = 8_192
const cpuMsMax = 500
const depthMax = 16
const nameCharsMax = 64
/** Longest URL before decoding: twice the length that the sitemap format allows. */
const valueCharsMax = 4_096
const childrenMax = 500
