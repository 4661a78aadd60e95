import { isJsonObject } from '../../../lib/json.ts'
import { nonEmptyText } from '../clean-text.ts'
import { asList } from '../linked-data.ts'
import type { BodyImage } from '../page-metadata.ts'
import { hasPlaceholderFile } from '../placeholder.ts'
import type { PreviewImage } from '../preview.ts'
import { type FieldRule, listRule, metaContents, type PreviewedPage } from '../rule.ts'
import { bareMedia, dimension, mediaObjects } from './media-objects.ts'

const places: readonly FieldRule<readonly PreviewImage[]>[] = [
  listRule('og:image', (page) =>
    mediaObjects(page, 'og:image').map((media) => ({ ...media, source: 'og:image' })),
  ),
  listRule('twitter:image', (page) => fromTwitter(page)),
  listRule('link:image_src', (page) =>
    urlImages(
      page,
      'link:image_src',
      page.metadata.links.filter(({ rel }) => rel.includes('image_src')).map(({ href }) => href),
    ),
  ),
  listRule('itemprop:image', (page) =>
    urlImages(page, 'itemprop:image', metaContents(page, 'image', 'itemprop')),
  ),
  listRule('jsonld:image', (page) => fromLinkedData(page, 'image')),
  listRule('jsonld:thumbnailUrl', (page) => fromLinkedData(page, 'thumbnailUrl')),
  listRule('video:poster', (page) =>
    urlImages(
      page,
      'video:poster',
      page.metadata.media.map(({ poster }) => poster ?? ''),
    ),
  ),
  listRule('img', (page) => largestBodyImage(page)),
]

/** All images of the first rule that finds any. */
export const imageRules = places.map(({ source, find }) =>
  listRule(source, (page) => (find(page) ?? []).filter(({ url }) => !hasPlaceholderFile(url))),
)

function image(url: string, source: string, rest: Partial<PreviewImage> = {}): PreviewImage {
  return { ...bareMedia(url), alt: null, source, ...rest }
}

function urlImages(
  { resolve }: PreviewedPage,
  source: string,
  hrefs: readonly string[],
): readonly PreviewImage[] {
  return [...new Set(hrefs.map(resolve))].flatMap((url) => (url === undefined ? [] : [image(url, source)]))
}

function fromTwitter(page: PreviewedPage): readonly PreviewImage[] {
  const keys = ['twitter:image', 'twitter:image:src', 'twitter:image0', 'twitter:image0:src']
  const url = keys
    .flatMap((key) => metaContents(page, key))
    .map(page.resolve)
    .find((href) => href !== undefined)
  if (url === undefined) return []
  function first(key: string) {
    return metaContents(page, key)[0]
  }
  const alt = first('twitter:image:alt') ?? null
  return [
    image(url, 'twitter:image', {
      alt,
      width: dimension(first('twitter:image:width')),
      height: dimension(first('twitter:image:height')),
    }),
  ]
}

function fromLinkedData(
  { linkedData: { primary, follow }, resolve }: PreviewedPage,
  key: string,
): readonly PreviewImage[] {
  return asList(primary?.[key]).flatMap((value) => {
    const node = follow(value)
    const href = isJsonObject(node) ? (node['url'] ?? node['contentUrl'] ?? node['@id']) : node
    const url = typeof href === 'string' ? resolve(href) : undefined
    if (url === undefined) return []
    const size = isJsonObject(node)
      ? { width: dimension(node['width']), height: dimension(node['height']) }
      : {}
    return [image(url, `jsonld:${key}`, size)]
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

/**
 * Decides whether an image belongs to the content. An image without a size counts only in an article, because menus
 * and counters are images as well.
 */
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
const ratioMax = 4
