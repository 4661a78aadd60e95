import { type Static, Type } from '@sinclair/typebox'
import { cacheLife, choice, decimal, formatted, integer, optional, text, toggle } from '../../lib/fields.ts'
import texts from './parameter-texts.json' with { type: 'json' }

export const avatarShapes = ['circle', 'rounded', 'square'] as const

export const avatarStyles = ['plain', 'gradient', 'shapes'] as const

export const avatarFormats = ['svg', 'png', 'json'] as const

export const avatarQuery = Type.Object({
  name: text(1, 128, texts.name),
  initials: Type.Optional(formatted('initials', texts.initials)),
  size: integer(16, 1024, { default: 128, ...texts.size }),
  length: choice(['auto', '1', '2', '3'], { default: 'auto', ...texts.length }),
  shape: Type.Optional(choice(avatarShapes, texts.shape)),
  style: choice(avatarStyles, { default: 'plain', ...texts.style }),
  ...optional({
    rounded: toggle(texts.rounded),
    background: formatted('color-or-auto', texts.background),
    color: formatted('color-or-auto', texts.color),
    seed: text(0, 128, texts.seed),
  }),
  bold: toggle({ default: false, ...texts.bold }),
  uppercase: toggle({ default: true, ...texts.uppercase }),
  'font-size': Type.Optional(decimal(0.1, 1, texts['font-size'])),
  text: choice(['auto', 'path', 'text'], { default: 'auto', ...texts.text }),
  ...optional({ lang: formatted('language-tag', texts.lang), title: text(0, 300, texts.title) }),
  format: choice(avatarFormats, { default: 'svg', ...texts.format }),
  cacheSeconds: cacheLife(86_400),
})

export type AvatarQuery = Static<typeof avatarQuery>
