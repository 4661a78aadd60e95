import { type Static, Type } from '@sinclair/typebox'
import { cacheLife, choice, decimal, formatted, integer, optional, text, toggle } from '../../lib/fields.ts'
import { avatarShapes, avatarStyles } from './avatar.ts'

export const avatarFormats = ['svg', 'png', 'json'] as const

export const avatarQuery = Type.Object({
  name: text(1, 128, {
    description: 'The name, handle or e-mail address of the person',
    example: 'Ada Lovelace',
  }),
  initials: Type.Optional(
    formatted('initials', {
      description: 'The letters to show, 1 to 3, in place of those of the name',
      whenMissing: 'those of the name',
      example: 'AL',
    }),
  ),
  size: integer(16, 1024, { default: 128, description: 'Width and height in pixels' }),
  length: choice(['auto', '1', '2', '3'], {
    default: 'auto',
    description: 'The number of initials; auto is the usual number for the script',
  }),
  shape: Type.Optional(choice(avatarShapes, { description: 'The outline', whenMissing: 'circle' })),
  style: choice(avatarStyles, {
    default: 'plain',
    description: 'plain and gradient have letters; shapes has figures in their place',
  }),
  ...optional({
    rounded: toggle({
      description: 'true is shape=circle, false is shape=square',
      whenMissing: 'as shape says',
    }),
    background: formatted('color-or-auto', {
      description: 'The background; auto chooses by name; random is auto',
      whenMissing: 'auto',
    }),
    color: formatted('color-or-auto', {
      description: 'The letters; auto is readable on the background',
      whenMissing: 'auto',
    }),
    seed: text(0, 128, {
      description: 'A text that chooses the background in place of the name',
      whenMissing: 'the name',
      example: 'ada',
    }),
  }),
  bold: toggle({ default: false, description: 'Bold letters' }),
  uppercase: toggle({ default: true, description: 'Capital letters; false keeps the case of the name' }),
  'font-size': Type.Optional(
    decimal(0.1, 1, {
      description: 'The size of the letters as a fraction of the size',
      whenMissing: 'what fits the letters',
    }),
  ),
  text: choice(['auto', 'path', 'text'], {
    default: 'auto',
    description: 'auto and path draw outlines; text leaves the letters to the fonts of the viewer',
  }),
  ...optional({
    lang: formatted('language-tag', { description: 'The language: chooses casing and Han forms' }),
    title: text(0, 300, { description: 'The accessible name', whenMissing: 'the name', example: 'Ada' }),
  }),
  format: choice(avatarFormats, { default: 'svg', description: 'The response format' }),
  cacheSeconds: cacheLife(86_400),
})

export type AvatarQuery = Static<typeof avatarQuery>
