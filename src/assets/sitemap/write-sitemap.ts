import { drained } from '../../lib/json.ts'
import { escapeXml } from '../../svg/svg-values.ts'

export interface SitemapEntry {
  readonly loc: string
  readonly lastmod?: string | undefined
  readonly changefreq?: string | undefined
  readonly priority?: string | undefined
  /** Elements of other languages, images, news and videos, from `writeExtension`. */
  readonly extensions?: string | undefined
}

const stepChars = 16_384

/** Writes a sitemap. Yields after some kilobytes, so that a long one takes no long step. */
export function* sitemapSteps(entries: readonly SitemapEntry[]): Generator<void, string> {
  const used = extensionKinds.filter((kind) =>
    entries.some(({ extensions }) => extensions?.includes(`<${kind}:`)),
  )
  const namespaces = used.map((kind) => ` xmlns:${kind}="${extensionNamespaces[kind]}"`).join('')
  let text = `${head}${namespaces}>\n`
  let stepEnd = stepChars
  for (const { loc, extensions = '', ...rest } of entries) {
    const hints = hintNames.map((name) => element(name, rest[name])).join('')
    text += `<url>${element('loc', loc)}${hints}${extensions}</url>\n`
    if (text.length > stepEnd) {
      yield
      stepEnd = text.length + stepChars
    }
  }
  return `${text}</urlset>\n`
}

function element(name: string, text: string | undefined): string {
  return text === undefined ? '' : `<${name}>${escapeXml(text)}</${name}>`
}

export function writeSitemap(entries: readonly SitemapEntry[]): string {
  return drained(sitemapSteps(entries))
}

const head =
  '<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
/** In the order of the protocol. */
const hintNames = ['lastmod', 'changefreq', 'priority'] as const

const extensionNamespaces = {
  xhtml: 'http://www.w3.org/1999/xhtml',
  image: 'http://www.google.com/schemas/sitemap-image/1.1',
  news: 'http://www.google.com/schemas/sitemap-news/0.9',
  video: 'http://www.google.com/schemas/sitemap-video/1.1',
} as const

export type ExtensionKind = keyof typeof extensionNamespaces

export const extensionKinds = Object.keys(extensionNamespaces) as readonly ExtensionKind[]

export function kindOfNamespace(uri: string): ExtensionKind | undefined {
  if (uri === extensionNamespaces.xhtml) return 'xhtml'
  return extensionKinds.find((kind) => uri.includes(`/schemas/sitemap-${kind}/`))
}

interface ExtensionElement {
  readonly kind: ExtensionKind
  readonly name: string
  readonly attributes: ReadonlyMap<string, string>
  readonly text: string
  /** Elements inside, as this function wrote them. */
  readonly inner: string
}

/** Writes an element of an extension with the usual prefix. Returns an empty string for one that says nothing of use. */
export function writeExtension({ kind, name, attributes, text, inner }: ExtensionElement): string {
  if (kind === 'xhtml') return name === 'link' ? writeAlternate(attributes) : ''
  if (kind === 'image' && name === 'image' && !inner.includes('<image:loc>')) return ''
  const isUrl = /(?:^|_)(?:loc|license)$/.test(name)
  const body = inner !== '' ? inner : isUrl && !isWebUrl(text) ? '' : escapeXml(text)
  if (body === '' || !/^[a-z_]{1,32}$/.test(name)) return ''
  return `<${kind}:${name}${writeAttributes(attributes, keptAttributes)}>${body}</${kind}:${name}>`
}

function writeAlternate(attributes: ReadonlyMap<string, string>): string {
  const isAlternate = attributes.get('rel')?.toLowerCase() === 'alternate'
  if (!isAlternate || !isWebUrl(attributes.get('href') ?? '')) return ''
  return `<xhtml:link${writeAttributes(attributes, ['rel', 'hreflang', 'media', 'href'])}/>`
}

function writeAttributes(attributes: ReadonlyMap<string, string>, names: readonly string[]): string {
  return names
    .filter((name) => attributes.has(name))
    .map((name) => ` ${name}="${escapeXml(attributes.get(name) ?? '')}"`)
    .join('')
}

const keptAttributes = ['relationship', 'currency', 'type', 'resolution', 'info', 'allow_embed', 'autoplay']

const urlCharsMax = 2_048

function isWebUrl(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text) && text.length <= urlCharsMax
}
