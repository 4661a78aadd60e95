import { escapeXml } from '../../svg/svg-values.ts'

/** The namespaces of a sitemap's elements that are kept beside those of the protocol. */
export const extensionNamespaces = {
  xhtml: 'http://www.w3.org/1999/xhtml',
  image: 'http://www.google.com/schemas/sitemap-image/1.1',
  news: 'http://www.google.com/schemas/sitemap-news/0.9',
  video: 'http://www.google.com/schemas/sitemap-video/1.1',
} as const

export type ExtensionKind = keyof typeof extensionNamespaces

export const extensionKinds = Object.keys(extensionNamespaces) as readonly ExtensionKind[]

/** The kind that a namespace declares, whichever version of it. */
export function kindOfNamespace(uri: string): ExtensionKind | undefined {
  if (uri === extensionNamespaces.xhtml) return 'xhtml'
  return extensionKinds.find((kind) => uri.includes(`/schemas/sitemap-${kind}/`))
}

export interface ExtensionElement {
  readonly kind: ExtensionKind
  /** Without its prefix. */
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

/** A link to the page in another language or for another device. */
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

/** Attributes of elements of videos. */
const keptAttributes = ['relationship', 'currency', 'type', 'resolution', 'info', 'allow_embed', 'autoplay']

function isWebUrl(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text) && text.length <= urlCharsMax
}

const urlCharsMax = 2_048
