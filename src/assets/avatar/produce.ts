import { addressBlock } from '../../lib/address-block.ts'
import { textBody } from '../../lib/body.ts'
import type { AssetParts } from '../asset-parts.ts'
import type { Producer } from '../kit/producer.ts'
import { fileHead, jsonBody, pictureBody, unlessBusy } from '../picture-files.ts'
import { slug } from '../slug.ts'
import { createAvatarRenderer } from './avatar-renderer.ts'
import { avatarJson, avatarOf, type avatarQuery } from './query.ts'

/** `GET /api/avatar`: initials as SVG, PNG or JSON. */
export function createAvatarProducer(
  parts: Pick<AssetParts, 'text' | 'raster'>,
): Producer<typeof avatarQuery> {
  const avatars = createAvatarRenderer(parts.text)
  return {
    describe: ({ name, format }) => fileHead(format, slug(name, 'avatar')),
    async produce(query, context) {
      // A rasteriser has no fonts: it needs outlines.
      const avatar = avatarOf(query.format === 'png' ? { ...query, text: 'path' } : query)
      if (query.format === 'json') return jsonBody(avatarJson(avatar))
      function client() {
        return addressBlock(context.clientAddress)
      }
      const svg = await unlessBusy(avatars.svg(avatar, client))
      if (query.format === 'svg') return textBody(svg)
      return pictureBody(parts.raster.svgPng(svg, client()))
    },
  }
}
