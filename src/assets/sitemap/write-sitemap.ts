import { escapeXml } from '../../svg/escape-xml.ts'

export interface SitemapEntry {
  /** Absolute URL. */
  readonly loc: string
  /** A W3C date or instant. */
  readonly lastmod?: string | undefined
}

/** Writes a sitemap in chunks of some kilobytes, so that a long one takes no long step. */
export function* sitemapChunks(entries: Iterable<SitemapEntry>): Generator<string, void> {
  let chunk = head
  for (const { loc, lastmod } of entries) {
    chunk +=
      lastmod === undefined
        ? `<url><loc>${escapeXml(loc)}</loc></url>\n`
        : `<url><loc>${escapeXml(loc)}</loc><lastmod>${escapeXml(lastmod)}</lastmod></url>\n`
    if (chunk.length > chunkChars) {
      yield chunk
      chunk = ''
    }
  }
  yield `${chunk}</urlset>\n`
}

export function writeSitemap(entries: Iterable<SitemapEntry>): string {
  return [...sitemapChunks(entries)].join('')
}

const head =
  '<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'
const chunkChars = 16_384
