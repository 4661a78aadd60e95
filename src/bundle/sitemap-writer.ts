export interface SitemapEntry {
  /** Absolute URL. */
  readonly loc: string
  /** A W3C date or instant. */
  readonly lastmod?: string | null
}

/** A sitemap in pieces of some kilobytes, so that a long one need not be in memory as a whole. */
export function* sitemapPieces(entries: Iterable<SitemapEntry>): Generator<string, void> {
  let piece = HEAD
  for (const { loc, lastmod } of entries) {
    piece +=
      lastmod === undefined || lastmod === null
        ? `<url><loc>${xmlText(loc)}</loc></url>\n`
        : `<url><loc>${xmlText(loc)}</loc><lastmod>${xmlText(lastmod)}</lastmod></url>\n`
    if (piece.length > PIECE_CHARS) {
      yield piece
      piece = ''
    }
  }
  yield `${piece}</urlset>\n`
}

export const writeSitemap = (entries: Iterable<SitemapEntry>): string => [...sitemapPieces(entries)].join('')

const HEAD =
  '<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'
const PIECE_CHARS = 16_384

/** Escapes what XML reserves and drops what it cannot carry at all. */
export const xmlText = (text: string): string =>
  SPECIAL.test(text)
    ? text
        .toWellFormed()
        .replace(IMPOSSIBLE, '')
        .replace(RESERVED, (character) => ESCAPES[character] ?? '')
    : text

const SPECIAL = /[&<>"']|[^\u0020-\u007e]/
const RESERVED = /[&<>"']/g
// biome-ignore lint/suspicious/noControlCharactersInRegex: XML 1.0 forbids them
const IMPOSSIBLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g
const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
}
