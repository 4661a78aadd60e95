import { textOrNull } from '../clean-text.ts'
import type { PreviewMedia } from '../preview.ts'
import type { Page } from '../rule.ts'

export interface MediaObject extends PreviewMedia {
  readonly alt: string | null
}

export function mediaObjects({ metadata: facts, resolve }: Page, root: string): readonly MediaObject[] {
  const drafts: Draft[] = []
  for (const { key, content } of facts.metas) {
    if (!key.startsWith(root)) continue
    const property = key.slice(root.length)
    if (property === '' || property === ':url') addUrl(drafts, content.trim())
    else if (property === ':secure_url') addSecureUrl(drafts, content.trim())
    else drafts.at(-1)?.properties.set(property, content)
  }
  const objects = drafts.flatMap((draft) => finish(draft, resolve))
  return [...new Map(objects.map((object) => [object.url, object])).values()].slice(0, objectsMax)
}

interface Draft {
  url: string | null
  secureUrl: string | null
  readonly properties: Map<string, string>
}

function addUrl(drafts: Draft[], url: string): void {
  const last = drafts.at(-1)
  if (last !== undefined && (last.url === null || last.url === url)) last.url = url
  else drafts.push({ url, secureUrl: null, properties: new Map() })
}

function addSecureUrl(drafts: Draft[], secureUrl: string): void {
  const last = drafts.at(-1)
  if (last !== undefined && last.secureUrl === null) last.secureUrl = secureUrl
  else drafts.push({ url: null, secureUrl, properties: new Map() })
}

function finish({ url, secureUrl, properties }: Draft, resolve: Page['resolve']): readonly MediaObject[] {
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

export function dimension(raw: unknown): number | null {
  const text = typeof raw === 'number' ? String(raw) : typeof raw === 'string' ? raw.trim() : ''
  const pixels = Number(/^(\d{1,6})(?:\.\d+)?(?:px)?$/i.exec(text)?.[1] ?? 0)
  return pixels > 0 && pixels <= 100_000 ? pixels : null
}

const objectsMax = 20
