import { decodeXML } from 'entities'
import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2'
import { type CpuBudget, createCpuBudget } from '../../lib/cooperative-scheduler.ts'
import { w3cDate } from './w3c-date.ts'
import type { SitemapEntry } from './write-sitemap.ts'

export interface SitemapFile {
  readonly entries: readonly SitemapEntry[]
  /** Sitemaps that an index names, as it names them: not always absolute URLs. */
  readonly children: readonly string[]
}

/**
 * Reads a sitemap or a sitemap index, in XML or as one URL a line, up to so many entries. What is broken, nested deeper
 * than a sitemap is or takes too long to read gives what was read before.
 */
export async function readSitemap(
  text: string,
  entriesMax: number,
  budget: CpuBudget = createCpuBudget(cpuMsMax),
): Promise<SitemapFile> {
  const trimmed = text.trimStart().replace(/^\ufeff/, '')
  if (!trimmed.startsWith('<')) return { entries: readLines(trimmed, entriesMax), children: [] }
  const file = createXmlSitemap(trimmed, entriesMax)
  await budget.run(slices(trimmed, file, budget))
  return { entries: file.entries, children: file.children }
}

function readLines(text: string, entriesMax: number): readonly SitemapEntry[] {
  return text
    .split(/\r?\n/, entriesMax * 2)
    .map((line) => line.trim())
    .filter((line) => /^https?:\/\//i.test(line))
    .slice(0, entriesMax)
    .map((loc) => ({ loc }))
}

interface XmlSitemap extends SitemapFile {
  readonly tokenizer: Tokenizer
  readonly isDone: () => boolean
}

function* slices(text: string, { tokenizer, isDone }: XmlSitemap, budget: CpuBudget): Generator<void, void> {
  for (let at = 0; at < text.length && !isDone() && !budget.isExhausted(); at += sliceChars) {
    tokenizer.write(text.slice(at, at + sliceChars))
    yield
  }
}

/**
 * The open elements are kept here and nowhere else: the tokenizer has no stack, so that no sequence of tags, balanced or
 * not, can make anything grow beyond `DEPTH_MAX`.
 */
function createXmlSitemap(text: string, entriesMax: number): XmlSitemap {
  const entries: SitemapEntry[] = []
  const children: string[] = []
  const path: string[] = []
  let name = ''
  let loc = ''
  let lastmod = ''
  let isTooDeep = false

  function isDone() {
    return isTooDeep || entries.length >= entriesMax
  }

  function open(opened: string) {
    if (path.length < depthMax) {
      path.push(opened)
      return
    }
    isTooDeep = true
    tokenizer.pause()
  }

  function close(closed: string) {
    const place = path.lastIndexOf(closed)
    if (place < 0) return
    for (const ended of path.splice(place).reverse()) finish(ended)
    if (isDone()) tokenizer.pause()
  }

  function finish(ended: string) {
    if (ended !== 'url' && ended !== 'sitemap') return
    const href = decodeXML(loc).trim()
    if (href !== '' && ended === 'url') entries.push({ loc: href, lastmod: w3cDate(decodeXML(lastmod)) })
    if (href !== '' && ended === 'sitemap' && children.length < childrenMax) children.push(href)
    loc = ''
    lastmod = ''
  }

  /** Text may come in pieces that cut a character reference in two, so it is decoded when the element ends. */
  function add(start: number, end: number, isPlain = false) {
    const parent = path.at(-2)
    if (parent !== 'url' && parent !== 'sitemap') return
    const written = text.slice(start, Math.min(end, start + valueCharsMax))
    const markup = isPlain ? written.replaceAll('&', '&amp;') : written
    if (path.at(-1) === 'loc') loc += markup.slice(0, valueCharsMax - loc.length)
    else if (path.at(-1) === 'lastmod') lastmod += markup.slice(0, valueCharsMax - lastmod.length)
  }

  const callbacks: TokenizerCallbacks = {
    onopentagname(start, end) {
      name = localName(text, start, end)
      open(name)
    },
    onselfclosingtag: () => close(name),
    onclosetag: (start, end) => close(localName(text, start, end)),
    ontext: (start, end) => add(start, end),
    oncdata: (start, end, endOffset) => add(start, end - endOffset, true),
    onopentagend() {},
    onattribname() {},
    onattribdata() {},
    onattribentity() {},
    onattribend() {},
    ontextentity() {},
    oncomment() {},
    ondeclaration() {},
    onprocessinginstruction() {},
    onend() {},
  }
  const tokenizer = new Tokenizer({ xmlMode: true, decodeEntities: false }, callbacks)
  return { entries, children, tokenizer, isDone }
}

function localName(text: string, start: number, end: number): string {
  const name = text.slice(start, Math.min(end, start + nameCharsMax))
  return name.slice(name.indexOf(':') + 1).toLowerCase()
}

/** The longest step between two looks at the clock. */
const sliceChars = 8_192
const cpuMsMax = 500
const depthMax = 16
const nameCharsMax = 64
/** Twice what a URL in a sitemap may have, written with character references. */
const valueCharsMax = 4_096
const childrenMax = 500
