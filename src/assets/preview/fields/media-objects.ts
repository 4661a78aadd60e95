import { isJsonObject } from '../../../lib/json.ts'
import { nonEmptyText } from '../clean-text.ts'
import type { PreviewMedia } from '../preview.ts'
import type { PreviewedPage } from '../rule.ts'

export interface MediaObject extends PreviewMedia {
  readonly alt: string | null
}

/** Open Graph media: a property such as `og:image:width` describes the `og:image` before it. */
export function mediaObjects({ metadata, resolve }: PreviewedPage, root: string): readonly MediaObject[] {
  const drafts: Draft[] = []
  for (const { key, content } of metadata.metas) {
    if (!key.startsWith(root)) continue
    // Some sites number their images: `og:image1`.
    const property = key.slice(root.length).replace(/^\d{1,2}(?=:|$)/, '')
    if (property === '' || property === ':url') addUrl(drafts, content.trim())
    else if (property === ':secure_url') addSecureUrl(drafts, content.trim())
    else drafts.at(-1)?.properties.set(property, content)
  }
  const objects = drafts.flatMap((draft) => finish(draft, resolve))
  return [...new Map(objects.map((object) => [object.url, object])).values()].slice(0, objectsMax)
}

interface Draft {
  url: string | undefined
  secureUrl: string | undefined
  readonly properties: Map<string, string>
}

function addUrl(drafts: Draft[], url: string): void {
  const last = drafts.at(-1)
  if (last !== undefined && (last.url === undefined || last.url === url)) last.url = url
  else drafts.push({ url, secureUrl: undefined, properties: new Map() })
}

function addSecureUrl(drafts: Draft[], secureUrl: string): void {
  const last = drafts.at(-1)
  if (last !== undefined && last.secureUrl === undefined) last.secureUrl = secureUrl
  else drafts.push({ url: undefined, secureUrl, properties: new Map() })
}

function finish(
  { url, secureUrl, properties }: Draft,
  resolve: PreviewedPage['resolve'],
): readonly MediaObject[] {
  const secure = secureOnly(resolve(secureUrl))
  const other = secure === null ? resolve(secureUrl) : secure
  const main = resolve(url) ?? other
  if (main === undefined) return []
  return [
    {
      url: main,
      secure_url: secure ?? secureOnly(main),
      type: nonEmptyText(properties.get(':type'))?.toLowerCase() ?? null,
      width: dimension(properties.get(':width')),
      height: dimension(properties.get(':height')),
      alt: nonEmptyText(properties.get(':alt')) ?? null,
    },
  ]
}

/** The media that a URL alone names. */
export function bareMedia(url: string): PreviewMedia {
  return { url, secure_url: secureOnly(url), type: null, width: null, height: null }
}

/** Some sites name an `http:` URL their secure one. */
function secureOnly(url: string | undefined): string | null {
  return url?.startsWith('https:') ? url : null
}

/** Returns a width or height in pixels, or null where there is none. JSON-LD may have a `QuantitativeValue`. */
export function dimension(raw: unknown): number | null {
  const value = isJsonObject(raw) ? (raw['value'] ?? raw['name']) : raw
  const text = typeof value === 'number' ? String(value) : typeof value === 'string' ? value.trim() : ''
  const pixels = Number(/^(\d{1,6})(?:\.\d+)?\s?(?:px|pixels)?$/i.exec(text)?.[1] ?? 0)
  return pixels > 0 && pixels <= 100_000 ? pixels : null
}

const objectsMax = 20
