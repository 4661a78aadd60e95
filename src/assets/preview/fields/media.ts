import { isJsonObject } from '../../../lib/json.ts'
import { asList, hrefOf } from '../linked-data.ts'
import type { BodyImage } from '../page-metadata.ts'
import { hasPlaceholderFile, nonEmptyText } from '../page-text.ts'
import type { PreviewImage, PreviewMedia } from '../preview.ts'
import { type FieldRule, listRule, meta, metaContents, type PreviewedPage, resolved } from '../rule.ts'

const places: readonly FieldRule<readonly PreviewImage[]>[] = [
  listRule('og:image', (page) =>
    mediaObjects(page, 'og:image').map((media) => ({ ...media, source: 'og:image' })),
  ),
  listRule('twitter:image', fromTwitter),
  fromUrls('link:image_src', ({ metadata }) =>
    metadata.links.filter(({ rel }) => rel.includes('image_src')).map(({ href }) => href),
  ),
  fromUrls('itemprop:image', (page) => metaContents(page, 'image', 'itemprop')),
  listRule('jsonld:image', (page) => fromLinkedData(page, 'image')),
  listRule('jsonld:thumbnailUrl', (page) => fromLinkedData(page, 'thumbnailUrl')),
  fromUrls('video:poster', ({ metadata }) => metadata.media.map(({ poster }) => poster ?? '')),
  listRule('img', largestBodyImage),
]

export const imageRules = places.map(({ source, find }) =>
  listRule(source, (page) => (find(page) ?? []).filter(({ url }) => !hasPlaceholderFile(url))),
)

export function image(url: string, source: string, rest: Partial<PreviewImage> = {}): PreviewImage {
  return { ...bareMedia(url), alt: null, source, ...rest }
}

function fromUrls(source: string, hrefsOf: (page: PreviewedPage) => readonly string[]) {
  return listRule(source, (page) =>
    [...new Set(hrefsOf(page).map(page.resolve))].flatMap((url) => (url ? [image(url, source)] : [])),
  )
}

function fromTwitter(page: PreviewedPage): readonly PreviewImage[] {
  const keys = ['twitter:image', 'twitter:image:src', 'twitter:image0', 'twitter:image0:src']
  const url = keys
    .flatMap((key) => metaContents(page, key))
    .map(page.resolve)
    .find((href) => href !== undefined)
  if (url === undefined) return []
  const [alt = null, width, height] = ['alt', 'width', 'height'].map(
    (name) => metaContents(page, `twitter:image:${name}`)[0],
  )
  return [image(url, 'twitter:image', { alt, width: dimension(width), height: dimension(height) })]
}

function fromLinkedData(
  { linkedData: { primary, follow }, resolve }: PreviewedPage,
  key: string,
): readonly PreviewImage[] {
  return asList(primary?.[key]).flatMap((value) => {
    const node = follow(value)
    const url = resolve(hrefOf(node))
    if (url === undefined) return []
    const { width, height } = isJsonObject(node) ? node : {}
    return [image(url, `jsonld:${key}`, { width: dimension(width), height: dimension(height) })]
  })
}

function largestBodyImage({ metadata, resolve }: PreviewedPage): readonly PreviewImage[] {
  const candidates = metadata.images.flatMap((bodyImage) => {
    const [width, height] = [dimension(bodyImage.width), dimension(bodyImage.height)]
    return isContent(bodyImage, width, height)
      ? [{ ...bodyImage, width, height, area: (width ?? 0) * (height ?? 0) }]
      : []
  })
  for (const { src, width, height, alt } of candidates.sort((one, other) => other.area - one.area)) {
    const url = resolve(src)
    if (url !== undefined) return [image(url, 'img', { width, height, alt: nonEmptyText(alt) ?? null })]
  }
  return []
}

const ratioMax = 4

/** An image without a size counts only in an article, because menus and counters are images as well. */
export function isContent({ src, part }: BodyImage, width: number | null, height: number | null): boolean {
  if (notContent.test(src)) return false
  if (width === null && height === null) return part === 'article'
  if (width === null || height === null)
    return (width ?? sideMinPx) >= sideMinPx && (height ?? sideMinPx) >= sideMinPx
  return width >= sideMinPx && height >= sideMinPx && Math.max(width / height, height / width) <= ratioMax
}

const notContent =
  /(?:^|[/_.-])(?:sprites?|pixel|spacer|blank|clear|transparent|tracking|counter|1x1|loading|spinner|placeholder|icons?|avatars?|gravatar|buttons?|btn|badges?|ads?|banners?|emoji|smil(?:ey|ies)|flags?)(?:[/_.?\d-]|$)|\/\/(?:[^/]*\.)?(?:doubleclick|scorecardresearch|quantserve|facebook\.com\/tr|google-analytics|feedburner|feeds\.wordpress|stats\.wp)\b/i
const sideMinPx = 100

const objectsMax = 20

/** Open Graph media: a property such as `og:image:width` describes the `og:image` before it. */
function mediaObjects({ metadata, resolve }: PreviewedPage, root: string) {
  const drafts: Draft[] = []
  for (const { key, content } of metadata.metas) {
    if (!key.startsWith(root)) continue
    // Some sites number their images: `og:image1`.
    const property = key.slice(root.length).replace(/^\d{1,2}(?=:|$)/, '')
    if (property === '' || property === ':url') addUrl(drafts, 'url', content.trim())
    else if (property === ':secure_url') addUrl(drafts, 'secureUrl', content.trim())
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

function addUrl(drafts: Draft[], name: 'url' | 'secureUrl', url: string): void {
  const last = drafts.at(-1)
  const isRepeated = name === 'url' && last?.url === url
  if (last !== undefined && (last[name] === undefined || isRepeated)) last[name] = url
  else drafts.push({ url: undefined, secureUrl: undefined, properties: new Map(), [name]: url })
}

function finish({ url, secureUrl, properties }: Draft, resolve: PreviewedPage['resolve']) {
  const other = resolve(secureUrl)
  const main = resolve(url) ?? other
  if (main === undefined) return []
  return [
    {
      url: main,
      secure_url: secureOnly(other) ?? secureOnly(main),
      type: nonEmptyText(properties.get(':type'))?.toLowerCase() ?? null,
      width: dimension(properties.get(':width')),
      height: dimension(properties.get(':height')),
      alt: nonEmptyText(properties.get(':alt')) ?? null,
    },
  ]
}

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

function fromOpenGraph(root: string) {
  return (page: PreviewedPage) => mediaObjects(page, root).map(({ alt: _, ...media }): PreviewMedia => media)
}

function fromBody(kind: 'video' | 'audio') {
  return ({ metadata, resolve }: PreviewedPage): readonly PreviewMedia[] =>
    metadata.media.flatMap((player) => {
      const url = player.kind === kind ? resolve(player.src) : undefined
      return url === undefined
        ? []
        : [{ ...bareMedia(url), type: player.type?.split(';')[0]?.trim().toLowerCase() ?? null }]
    })
}

export const videoRules: readonly FieldRule<readonly PreviewMedia[]>[] = [
  listRule('og:video', fromOpenGraph('og:video')),
  listRule('video', fromBody('video')),
]

export const audioRules: readonly FieldRule<readonly PreviewMedia[]>[] = [
  listRule('og:audio', fromOpenGraph('og:audio')),
  listRule('audio', fromBody('audio')),
]

export const playerRules = [resolved(meta('twitter:player'))]
