import { isJsonObject } from '../../../lib/json.ts'
import { listOf, typesOf } from '../linked-data.ts'
import type { PreviewMedia } from '../preview.ts'
import { listRule, meta, type Page, type Rule } from '../rule.ts'
import { bareMedia, dimension, mediaObjects } from './media-objects.ts'

function fromOpenGraph(root: string) {
  return (page: Page) => mediaObjects(page, root).map(({ alt: _, ...media }): PreviewMedia => media)
}

function fromBody(kind: 'video' | 'audio') {
  return ({ metadata, resolve }: Page): readonly PreviewMedia[] =>
    metadata.media.flatMap((player) => {
      const url = player.kind === kind ? resolve(player.src) : undefined
      return url === undefined
        ? []
        : [{ ...bareMedia(url), type: player.type?.split(';')[0]?.trim().toLowerCase() ?? null }]
    })
}

function fromLinkedData(type: string) {
  return ({ linkedData: { nodes, primary }, resolve }: Page): readonly PreviewMedia[] =>
    [...nodes, ...listOf(primary?.['video']), ...listOf(primary?.['audio'])].flatMap((node) => {
      if (!isJsonObject(node) || !typesOf(node).includes(type)) return []
      const href = node['contentUrl'] ?? node['embedUrl']
      const url = typeof href === 'string' ? resolve(href) : undefined
      const size = { width: dimension(node['width']), height: dimension(node['height']) }
      return url === undefined ? [] : [{ ...bareMedia(url), ...size }]
    })
}

function fromPlayerStream(page: Page): readonly PreviewMedia[] {
  const url = page.resolve(meta('twitter:player:stream').find(page))
  const type =
    meta('twitter:player:stream:content_type').find(page)?.split(';')[0]?.trim().toLowerCase() ?? null
  return url === undefined ? [] : [{ ...bareMedia(url), type }]
}

export const videoRules: readonly Rule<readonly PreviewMedia[]>[] = [
  listRule('og:video', fromOpenGraph('og:video')),
  listRule('twitter:player:stream', fromPlayerStream),
  listRule('jsonld:VideoObject', fromLinkedData('VideoObject')),
  listRule('video', fromBody('video')),
]

export const audioRules: readonly Rule<readonly PreviewMedia[]>[] = [
  listRule('og:audio', fromOpenGraph('og:audio')),
  listRule('jsonld:AudioObject', fromLinkedData('AudioObject')),
  listRule('audio', fromBody('audio')),
]

/** The page of an embeddable player. */
export const playerRules: readonly Rule<string>[] = [meta('twitter:player')].map(({ source, find }) => ({
  source,
  find: (page) => page.resolve(find(page)),
}))
