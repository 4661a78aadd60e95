import { isJsonObject } from '../../../lib/json.ts'
import { linkHeader } from '../file-preview.ts'
import { hrefOf, type LinkedData } from '../linked-data.ts'
import type { Link } from '../page-metadata.ts'
import { nonEmptyText } from '../page-text.ts'
import type { Preview, PreviewIcon } from '../preview.ts'
import { type FieldRule, meta, type PreviewedPage, resolved } from '../rule.ts'

function link(rel: string): FieldRule<string> {
  return {
    source: `link:${rel}`,
    find: ({ metadata: { links }, resolve }) =>
      links.flatMap((entry) => (entry.rel.includes(rel) && resolve(entry.href)) || [])[0],
  }
}

export const canonicalRules: readonly FieldRule<string>[] = [
  link('canonical'),
  resolved({ source: 'header:link', find: ({ headers }) => linkHeader(headers['link'] ?? '', 'canonical') }),
  resolved(meta('og:url')),
]

export const manifestRules: readonly FieldRule<string>[] = [link('manifest')]

export const logoRules: readonly FieldRule<string>[] = [
  resolved({
    source: 'jsonld:publisher.logo',
    find: ({ linkedData }) => logoOf(linkedData, linkedData.follow(linkedData.primary?.['publisher'])),
  }),
]

/** Where a page declares no icon, browsers ask for `/favicon.ico`. */
export function iconsOf({ metadata, resolve, url }: PreviewedPage): readonly PreviewIcon[] {
  const declared = metadata.links
    .flatMap(({ rel, href, sizes }) => {
      const kind = iconRels.find((name) => rel.includes(name))
      const url = kind === undefined ? undefined : resolve(href)
      return url === undefined || kind === undefined
        ? []
        : [{ url, sizes: nonEmptyText(sizes) ?? null, rel: kind }]
    })
    .slice(0, listMax)
  return declared.length > 0
    ? declared
    : [{ url: new URL('/favicon.ico', url).href, sizes: null, rel: 'default' }]
}

export function bestIcon(icons: readonly PreviewIcon[]): PreviewIcon | null {
  return icons.reduce<PreviewIcon | null>(
    (best, icon) => (best === null || iconRank(icon) > iconRank(best) ? icon : best),
    null,
  )
}

export function feedsOf(links: readonly AlternateLink[]): Preview['feeds'] {
  return links
    .filter(({ type }) => feedTypes.has(type))
    .map(({ url, type, title }) => ({ url, type, title: nonEmptyText(title) ?? null }))
}

export function alternatesOf(links: readonly AlternateLink[]): Preview['alternates'] {
  return links.flatMap(({ url, type, hreflang }) => {
    const lang = nonEmptyText(hreflang)
    return lang === undefined || feedTypes.has(type) ? [] : [{ url, lang }]
  })
}

export function oembedOf(links: readonly AlternateLink[]): Preview['oembed'] {
  for (const [format, types] of oembedTypes) {
    const url = links.find(({ type }) => types.includes(type))?.url
    if (url !== undefined) return { url, format }
  }
  return null
}

const oembedTypes: readonly (readonly ['json' | 'xml', readonly string[]])[] = [
  ['json', ['application/json+oembed']],
  ['xml', ['text/xml+oembed', 'application/xml+oembed']],
]

type AlternateLink = Link & { readonly url: string }

export function alternateLinks({ metadata, resolve }: PreviewedPage): readonly AlternateLink[] {
  return metadata.links
    .flatMap((entry) => {
      const url =
        entry.rel.includes('alternate') || entry.rel.includes('alternative') ? resolve(entry.href) : undefined
      return url === undefined ? [] : [{ ...entry, url }]
    })
    .slice(0, listMax)
}

const iconRels = ['apple-touch-icon', 'apple-touch-icon-precomposed', 'mask-icon', 'fluid-icon', 'icon']
const feedFormats = ['rss+xml', 'atom+xml', 'rdf+xml', 'feed+json']
const feedTypes: ReadonlySet<string> = new Set(feedFormats.map((format) => `application/${format}`))
const listMax = 100

const urlEndChars = 60

/** Ranks an icon by the size that the link gives, or that its URL has: `favicon-32x32.png`. */
function iconRank({ url, sizes, rel }: PreviewIcon): number {
  if (rel === 'mask-icon') return -1
  if (sizes?.toLowerCase() === 'any') return 100_000
  const sides = [...(sizes ?? url.slice(-urlEndChars)).matchAll(/(\d{1,5})x\d{1,5}/gi)].map((match) =>
    Number(match[1]),
  )
  return Math.max(rel === 'icon' ? 1 : 2, ...sides)
}

function logoOf({ follow }: LinkedData, owner: unknown): string | undefined {
  return isJsonObject(owner) ? hrefOf(follow(owner['logo'])) : undefined
}
