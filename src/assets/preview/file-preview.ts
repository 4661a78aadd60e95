import { percentDecode } from '../../lib/query-pairs.ts'
import { encodingOf } from '../../web/charset.ts'
import nothing from './data/no-fields.json' with { type: 'json' }
import { bareMedia } from './fields/media.ts'
import { nonEmptyText } from './page-text.ts'
import type { PageFields, PreviewImage } from './preview.ts'
import type { PageOrigin } from './rule.ts'

/** The preview of a file that is no HTML: its name, and its URL as image, video or audio. */
export function filePreview({ url, headers }: PageOrigin): PageFields {
  const type = mediaType(headers['content-type'] ?? '')
  const kind = kindOf(type)
  const media = { ...bareMedia(url), type }
  const image: PreviewImage | null = kind === 'image' ? { ...media, alt: null, source: 'url' } : null
  const name = fileName(url, headers['content-disposition'] ?? '')
  return {
    ...nothing,
    type: kind,
    title: name.title,
    image,
    images: image === null ? [] : [image],
    videos: kind === 'video' ? [media] : [],
    audios: kind === 'audio' ? [media] : [],
    robots: { meta: null, header: nonEmptyText(headers['x-robots-tag']) ?? null },
    sources: { type: 'content-type', title: name.source, ...(image !== null && { image: 'url' }) },
    warnings: ['not_html'],
  }
}

function kindOf(type: string): string {
  const [family = ''] = type.split('/')
  return ['image', 'video', 'audio'].includes(family) ? family : 'file'
}

function fileName(url: string, disposition: string): { readonly title: string; readonly source: string } {
  const parameters = headerParameters(disposition)
  const declared =
    baseName(extendedText(parameters.get('filename*'))) ??
    baseName(percentDecoded(parameters.get('filename')))
  if (declared !== undefined) return { title: declared, source: 'header:content-disposition' }
  const { pathname, hostname } = new URL(url)
  const last = pathname.split('/').at(-1)
  return { title: nonEmptyText(percentDecoded(last)) ?? hostname, source: 'url' }
}

function baseName(path: string): string | undefined {
  return nonEmptyText(nonEmptyText(path)?.split(/[\\/]/).at(-1))
}

/** Decodes a value such as `UTF-8'en'%e2%82%ac` (RFC 8187). */
function extendedText(value = ''): string {
  const [, label = '', text = ''] = /^([^']*)'[^']*'(.*)$/s.exec(value) ?? []
  const encoding = encodingOf(label)
  if (encoding === undefined) return ''
  const raw = text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(Buffer.from(raw, 'latin1'))
  } catch {
    return ''
  }
}

function percentDecoded(text = ''): string {
  return percentDecode(text) ?? text
}

/** Parameters of a header value, such as `filename` of Content-Disposition; names in lower case. */
function headerParameters(text: string): ReadonlyMap<string, string> {
  const parameters = new Map<string, string>()
  for (const [, name = '', quoted, plain = ''] of text.matchAll(parameter)) {
    const key = name.toLowerCase()
    const value = quoted === undefined ? plain.trim().replace(/^"/, '') : quoted.replace(escaped, '$1')
    if (!parameters.has(key)) parameters.set(key, value)
  }
  return parameters
}

const headerCharsMax = 8_192

/** Returns the target of a Link header (RFC 8288) with this relation to the page itself. */
export function linkHeader(header: string, relation: string): string | undefined {
  for (const [, target = '', rest = ''] of header.slice(0, headerCharsMax).matchAll(link)) {
    const parameters = headerParameters(rest)
    const relations = (parameters.get('rel') ?? '').toLowerCase().split(/\s+/)
    // A link with an anchor belongs to another resource.
    if (relations.includes(relation) && !parameters.has('anchor')) return target.trim()
  }
  return undefined
}

const parameter = /(?:^|;)\s*([^\s=;"]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;]*))/g

/** A comma ends a link, except within its target or quotes. */
const link = /<([^<>]*)>((?:"(?:[^"\\]|\\.)*"|[^",])*)/g

/** Other backslashes stay: some servers send a Windows path, where they escape nothing. */
const escaped = /\\(["\\])/g

/** The lower-case media type without its parameters. Empty for text that is none. */
export function mediaType(contentType: string): string {
  const type = contentType.split(';')[0]?.trim().toLowerCase() ?? ''
  return /^[\w.+-]+\/[\w.+-]+$/.test(type) ? type : ''
}

export function isHtml(contentType: string): boolean {
  return ['', 'text/html', 'application/xhtml+xml'].includes(mediaType(contentType))
}
