import { asList, isObject, typesOf } from '../linked-data.ts'
import type { PreviewMedia } from '../preview.ts'
import { type FieldRule, listRule, meta, type PreviewedPage } from '../rule.ts'
import { dimension, mediaObjects } from './media-objects.ts'

function fromOpenGraph(root: string) {
  return (page: PreviewedPage) => mediaObjects(page, root).map(({ alt: _, ...media }): PreviewMedia => media)
}

function fromBody(kind: 'video' | 'audio') {
  return ({ metadata, resolve }: PreviewedPage): readonly PreviewMedia[] =>
    metadata.media.flatMap((player) => {
      const url = player.kind === kind ? resolve(player.src) : undefined
      return url === undefined
        ? []
        : [media(url, { type: player.type?.split(';')[0]?.trim().toLowerCase() ?? null })]
    })
}

function fromLinkedData(type: string) {
  return ({ linkedData: { nodes, primary }, resolve }: PreviewedPage): readonly PreviewMedia[] =>
    [...nodes, ...asList(primary?.['video']), ...asList(primary?.['audio'])].flatMap((node) => {
      if (!isObject(node) || !typesOf(node).includes(type)) return []
      const href = node['contentUrl'] ?? node['embedUrl']
      const url = typeof href === 'string' ? resolve(href) : undefined
      const size = { width: dimension(node['width']), height: dimension(node['height']) }
      return url === undefined ? [] : [media(url, size)]
    })
}

function media(url: string, rest: Partial<PreviewMedia> = {}): PreviewMedia {
  return {
    url,
    secure_url: url.startsWith('https:') ? url : null,
    type: null,
    width: null,
    height: null,
    ...rest,
  }
}

function fromPlayerStream(page: PreviewedPage): readonly PreviewMedia[] {
  const url = page.resolve(meta('twitter:player:stream').find(page))
  const type =
    meta('twitter:player:stream:content_type').find(page)?.split(';')[0]?.trim().toLowerCase() ?? null
  return url === undefined ? [] : [media(url, { type })]
}

export const videoRules: readonly FieldRule<readonly PreviewMedia[]>[] = [
  listRule('og:video', fromOpenGraph('og:video')),
  listRule('twitter:player:stream', fromPlayerStream),
  listRule('jsonld:VideoObject', fromLinkedData('VideoObject')),
  listRule('video', fromBody('video')),
]

export const audioRules: readonly FieldRule<readonly PreviewMedia[]>[] = [
  listRule('og:audio', fromOpenGraph('og:audio')),
  listRule('jsonld:AudioObject', fromLinkedData('AudioObject')),
  listRule('audio', fromBody('audio')),
]

/** The page of an embeddable player. */
export const playerRules: readonly FieldRule<string>[] = [meta('twitter:player')].map(({ source, find }) => ({
  source,
  find: (page) => page.resolve(find(page)),
}))
