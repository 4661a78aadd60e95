import { Type } from '@sinclair/typebox'
import { string } from '../../lib/answer-schemas.ts'
import { type Asset, mediaTypesOf } from '../kit/asset.ts'
import playground from './playground.json' with { type: 'json' }
import { avatarFormats, avatarQuery } from './query.ts'

export const avatar: Asset<typeof avatarQuery> = {
  id: 'avatar',
  title: 'Avatar',
  path: '/api/avatar',
  kind: 'avatar',
  compatibilityUrl: { service: 'ui-avatars.com', url: '/api/?name=Ada+Lovelace&rounded=true' },
  priceMicros: 10_000,
  summary: 'An avatar with the initials of a name, in every script',
  query: avatarQuery,
  example: { name: 'Ada Lovelace' },
  mediaTypes: mediaTypesOf(avatarFormats),
  answers: {
    Avatar: Type.Object({
      kind: Type.Literal('avatar'),
      name: string,
      initials: string,
      glyph: string,
      background: string,
      color: string,
      contrast: Type.Number(),
      size: Type.Integer(),
      shape: string,
    }),
  },
  revision: 6,
  metric: { name: 'avatars_today', label: 'avatars today' },
  playground,
  errorPicture: {
    words: ['avatar', 'avatars', 'initials'],
    draw: async (size, text) => (await import('../kit/error-picture.ts')).errorAvatar(size, text),
  },
  createProducer: async (parts) => (await import('./produce.ts')).createAvatarProducer(parts),
}
