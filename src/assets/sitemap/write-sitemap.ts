import { escapeXml } from '../../svg/svg-values.ts'
import { extensionKinds, extensionNamespaces } from './sitemap-extensions.ts'

export interface SitemapEntry {
  /** Absolute URL. */
  readonly loc: string
  /** A W3C date or instant. */
  readonly lastmod?: string | undefined
  readonly changefreq?: string | undefined
  readonly priority?: string | undefined
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
  for (const { loc, extensions = '', ...rest } of entries) {
    chunk += `<url>${element('loc', loc)}${hints(rest)}${extensions}</url>\n`
    if (chunk.length > chunkChars) {
      yield chunk
      chunk = ''
    }
  }
  yield `${chunk}</urlset>\n`
}

/** The elements that the protocol allows, in its order. */
function hints({ lastmod, changefreq, priority }: Omit<SitemapEntry, 'loc'>): string {
  return element('lastmod', lastmod) + element('changefreq', changefreq) + element('priority', priority)
}

function element(name: string, text: string | undefined): string {
  return text === undefined ? '' : `<${name}>${escapeXml(text)}</${name}>`
}

export function writeSitemap(entries: readonly SitemapEntry[]): string {
  return [...sitemapChunks(entries)].join('')
}

const head =
  '<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
const chunkChars = 16_384
