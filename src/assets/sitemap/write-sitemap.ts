import { escapeXml } from '../../svg/escape-xml.ts'
import { extensionKinds, extensionNamespaces } from './sitemap-extensions.ts'

export interface SitemapEntry {
  /** Absolute URL. */
  readonly loc: string
  /** A W3C date or instant. */
  readonly lastmod?: string | undefined
  /** Elements of other languages, images, news and videos, from `writeExtension`. */
  readonly extensions?: string | undefined
}

/** Writes a sitemap in chunks of some kilobytes, so that a long one takes no long step. */
export function* sitemapChunks(entries: readonly SitemapEntry[]): Generator<string, void> {
  const used = extensionKinds.filter((kind) =>
    entries.some(({ extensions }) => extensions?.includes(`<${kind}:`)),
  )
  const namespaces = used.map((kind) => ` xmlns:${kind}="${extensionNamespaces[kind]}"`).join('')
  let chunk = `${head}${namespaces}>\n`
  for (const { loc, lastmod, extensions = '' } of entries) {
    const date = lastmod === undefined ? '' : `<lastmod>${escapeXml(lastmod)}</lastmod>`
    chunk += `<url><loc>${escapeXml(loc)}</loc>${date}${extensions}</url>\n`
    if (chunk.length > chunkChars) {
      yield chunk
      chunk = ''
    }
  }
  yield `${chunk}</urlset>\n`
}

export function writeSitemap(entries: readonly SitemapEntry[]): string {
  return [...sitemapChunks(entries)].join('')
}

const head =
  '<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
const chunkChars = 16_384
