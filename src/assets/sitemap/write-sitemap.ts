export interface SitemapEntry {
  /** Absolute URL. */
  readonly loc: string
  /** A W3C date or instant. */
  readonly lastmod?: string | null
}

/** A sitemap in pieces of some kilobytes, so that a long one need not be in memory as a whole. */
export function* sitemapPieces(entries: Iterable<SitemapEntry>): Generator<string, void> {
  let piece = head
  for (const { loc, lastmod } of entries) {
    piece +=
      lastmod === undefined || lastmod === null
        ? `<url><loc>${xmlText(loc)}</loc></url>\n`
        : `<url><loc>${xmlText(loc)}</loc><lastmod>${xmlText(lastmod)}</lastmod></url>\n`
    if (piece.length > pieceChars) {
      yield piece
      piece = ''
    }
  }
  yield `${piece}</urlset>\n`
}

export function writeSitemap(entries: Iterable<SitemapEntry>): string {
  return [...sitemapPieces(entries)].join('')
}

const head =
  '<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'
const pieceChars = 16_384

export function xmlText(text: string): string {
  return special.test(text)
    ? text
        .toWellFormed()
        .replace(impossible, '')
        .replace(reserved, (character) => escapes[character] ?? '')
    : text
}

const special = /[&<>"']|[^\u0020-\u007e]/
const reserved = /[&<>"']/g
// biome-ignore lint/suspicious/noControlCharactersInRegex: XML 1.0 forbids them
const impossible = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g
const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
}
