import { Parser } from 'htmlparser2'
import { countWork, isTurnOver, nextTurn } from '../preview/turns.ts'
import type { SitemapEntry } from './sitemap-writer.ts'
import { w3cDate } from './w3c-date.ts'

export interface SitemapFile {
  readonly entries: readonly SitemapEntry[]
  /** Sitemaps that an index names, as it names them: not always absolute URLs. */
  readonly children: readonly string[]
}

/** Reads a sitemap or a sitemap index, in XML or as one URL a line, up to so many entries. What is broken gives what was read before. */
export const readSitemap = async (text: string, entriesMax: number): Promise<SitemapFile> => {
  const trimmed = text.trimStart().replace(/^\ufeff/, '')
  return trimmed.startsWith('<')
    ? readXml(trimmed, entriesMax)
    : { entries: readLines(trimmed, entriesMax), children: [] }
}

const readLines = (text: string, entriesMax: number): readonly SitemapEntry[] =>
  text
    .split(/\r?\n/, entriesMax * 2)
    .map((line) => line.trim())
    .filter((line) => /^https?:\/\//i.test(line))
    .slice(0, entriesMax)
    .map((loc) => ({ loc }))

const readXml = async (text: string, entriesMax: number): Promise<SitemapFile> => {
  const entries: SitemapEntry[] = []
  const children: string[] = []
  const path: string[] = []
  let loc = ''
  let lastmod = ''

  const finish = (name: string) => {
    if (name !== 'url' && name !== 'sitemap') return
    if (loc.trim() !== '' && name === 'url' && entries.length < entriesMax) {
      entries.push({ loc: loc.trim(), lastmod: w3cDate(lastmod) })
    }
    if (loc.trim() !== '' && name === 'sitemap' && children.length < CHILDREN_MAX) children.push(loc.trim())
    loc = ''
    lastmod = ''
  }

  const parser = new Parser(
    {
      onopentagname: (name) => {
        if (path.length < DEPTH_MAX) path.push(localName(name))
      },
      ontext(data) {
        const [parent, name] = path.slice(-2)
        if (parent !== 'url' && parent !== 'sitemap') return
        if (name === 'loc' && loc.length < LOC_CHARS_MAX) loc += data
        else if (name === 'lastmod' && lastmod.length < 64) lastmod += data
      },
      onclosetag(name) {
        path.pop()
        finish(localName(name))
      },
    },
    { xmlMode: true },
  )
  for (
    let at = 0;
    at < text.length && entries.length < entriesMax && path.length < DEPTH_MAX;
    at += SLICE_CHARS
  ) {
    if (isTurnOver()) await nextTurn()
    const startedAt = performance.now()
    parser.write(text.slice(at, at + SLICE_CHARS))
    countWork(performance.now() - startedAt)
  }
  return { entries, children }
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1).toLowerCase()

const SLICE_CHARS = 32_768
const DEPTH_MAX = 16
const LOC_CHARS_MAX = 4_096
const CHILDREN_MAX = 500
