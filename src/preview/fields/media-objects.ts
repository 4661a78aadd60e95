import type { PreviewMedia } from '../preview.ts'
import type { Page } from '../rule.ts'
import { textOrNull } from '../text.ts'

export interface MediaObject extends PreviewMedia {
  readonly alt: string | null
}

/**
 * The pictures, films or sounds that Open Graph tags describe, in order. A tag such as `og:image:width` belongs to the
 * `og:image` above it. `root` is `og:image`, `og:video` or `og:audio`. Objects without a usable URL are left out.
 */
export const mediaObjects = ({ facts, resolve }: Page, root: string): readonly MediaObject[] => {
  const drafts: Draft[] = []
  for (const { key, content } of facts.metas) {
    if (!key.startsWith(root)) continue
    const property = key.slice(root.length)
    if (property === '' || property === ':url') addUrl(drafts, content.trim())
    else if (property === ':secure_url') addSecureUrl(drafts, content.trim())
    else drafts.at(-1)?.properties.set(property, content)
  }
  const objects = drafts.flatMap((draft) => finish(draft, resolve))
  return [...new Map(objects.map((object) => [object.url, object])).values()].slice(0, OBJECTS_MAX)
}

interface Draft {
  url: string | null
  secureUrl: string | null
  readonly properties: Map<string, string>
}

/** The URL may be given twice, as `og:image` and as `og:image:url`: that is one picture. */
const addUrl = (drafts: Draft[], url: string): void => {
  const last = drafts.at(-1)
  if (last !== undefined && (last.url === null || last.url === url)) last.url = url
  else drafts.push({ url, secureUrl: null, properties: new Map() })
}

const addSecureUrl = (drafts: Draft[], secureUrl: string): void => {
  const last = drafts.at(-1)
  if (last !== undefined && last.secureUrl === null) last.secureUrl = secureUrl
  else drafts.push({ url: null, secureUrl, properties: new Map() })
}

const finish = ({ url, secureUrl, properties }: Draft, resolve: Page['resolve']): readonly MediaObject[] => {
  const secure = resolve(secureUrl)
  const main = resolve(url) ?? secure
  if (main === null) return []
  return [
    {
      url: main,
      secure_url: secure ?? (main.startsWith('https:') ? main : null),
      type: textOrNull(properties.get(':type'))?.toLowerCase() ?? null,
      width: dimension(properties.get(':width')),
      height: dimension(properties.get(':height')),
      alt: textOrNull(properties.get(':alt')),
    },
  ]
}

/** A whole number of pixels; `630`, `630.0` and `630px` are one, `wide` and `100%` are none. */
export const dimension = (raw: unknown): number | null => {
  const text = typeof raw === 'number' ? String(raw) : typeof raw === 'string' ? raw.trim() : ''
  const pixels = Number(/^(\d{1,6})(?:\.\d+)?(?:px)?$/i.exec(text)?.[1] ?? 0)
  return pixels > 0 && pixels <= 100_000 ? pixels : null
}

const OBJECTS_MAX = 20
