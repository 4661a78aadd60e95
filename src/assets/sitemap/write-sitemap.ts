import { escapeXml } from '../../svg/escape-xml.ts'

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
        ? `<url><loc>${escapeXml(loc)}</loc></url>\n`
        : `<url><loc>${escapeXml(loc)}</loc><lastmod>${escapeXml(lastmod)}</lastmod></url>\n`
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
