import { textBody } from '../../lib/body.ts'
import { loadedOnce } from '../../lib/memo.ts'
import type { AssetParts } from '../asset-parts.ts'
import type { Producer } from '../kit/producer.ts'
import { DrawingClient, fileHead, jsonBody, slug, unlessBusy } from '../picture-files.ts'
import type { avatarQuery } from './query.ts'

export function createAvatarProducer(
  parts: Pick<AssetParts, 'text' | 'raster'>,
): Producer<typeof avatarQuery> {
  // Loaded with the first avatar, because many servers draw other assets alone, and many processes none.
  const withAvatars = loadedOnce(async () => {
    const { createAvatarRenderer } = await import('./avatar-renderer.ts')
    return { ...(await import('./avatar-of.ts')), draw: createAvatarRenderer(parts.text) }
  })
  return {
    describe: ({ name, format }) => fileHead(format, slug(name, 'avatar')),
    async produce(query, context) {
      const { avatarOf, avatarJson, draw } = await withAvatars((loaded) => loaded)
      // A rasteriser has no fonts: it needs outlines.
      const avatar = avatarOf(query.format === 'png' ? { ...query, text: 'path' } : query)
      if (query.format === 'json') return jsonBody(avatarJson(avatar))
      const client = new DrawingClient(context)
      const svg = await unlessBusy(draw(avatar, client))
      if (query.format === 'svg') return textBody(svg)
      return unlessBusy(parts.raster.svgPng(svg, client))
    },
  }
}
