import { Type } from '@sinclair/typebox'
import { cacheLife, choice, formatted, integer, text } from '../../lib/fields.ts'
import {
  formatLabels,
  lossyFormatNames,
  pictureFormatNames,
  pixelFormatNames,
} from '../../raster/picture-formats.ts'
import { sizeNames } from './card-sizes.ts'
import { schemes } from './theme.ts'
import { themeNames, usualTheme } from './themes.ts'

const ellipsis = { parameter: 'overflow', value: 'ellipsis' } as const

/** Default quality of JPEG and WebP. */
export const usualQuality = 82

/** The parameters of a card. */
export const ogQuery = Type.Object({
  title: text(1, 80, {
    description: 'The words of the card',
    example: 'Hello, world',
    longer: { ...ellipsis, maxLength: 300 },
  }),
  subtitle: Type.Optional(
    text(0, 120, {
      description: 'A line below the title',
      example: 'Cards from a URL',
      longer: { ...ellipsis, maxLength: 500 },
    }),
  ),
  author: Type.Optional(text(0, 80, { description: 'Who wrote it', example: 'Ada Lovelace' })),
  url: Type.Optional(
    text(0, 120, { description: 'Where it is published; shown as a domain', example: 'example.com' }),
  ),
  overflow: choice(['error', 'ellipsis'], {
    default: 'error',
    description:
      'What becomes of a longer title or subtitle: it is an error, or it is fitted, then cut with an ellipsis',
  }),
  theme: Type.Optional(
    choice(themeNames, { description: 'The look', whenMissing: `${usualTheme}, or the brand’s` }),
  ),
  scheme: Type.Optional(
    choice(schemes, {
      description: 'The colour scheme; every theme has both',
      whenMissing: 'the brand’s, or the theme’s own',
    }),
  ),
  size: choice(sizeNames, {
    default: 'og',
    description:
      'What the card is composed for: og 1200×630, github 1280×640, x 1600×900, square 1080×1080, portrait 1080×1350, pin 1000×1500',
  }),
  accent: Type.Optional(
    formatted('css-color', {
      description: 'The accent colour, moved where text would not be readable',
      whenMissing: 'the brand’s, or chosen from url or title',
      example: '7c3aed',
    }),
  ),
  logo: Type.Optional(
    formatted('logo', {
      description:
        'A mark on the card, kept readable on its ground: the name of an icon of Simple Icons, or data:image/…;base64, (svg+xml, png, jpeg, webp) of at most 8 KiB; logos are trademarks of their owners',
      example: 'github',
    }),
  ),
  brand: Type.Optional(
    formatted('brand', {
      description:
        'Whose look the card has: colours, logo, fonts and picture; slug is the newest revision, slug@3 the third for ever',
    }),
  ),
  lang: Type.Optional(
    formatted('language-tag', {
      description: 'The language: chooses Han forms and casing',
      whenMissing: 'guessed from the text',
    }),
  ),
  format: choice(pictureFormatNames, { default: 'svg', description: 'The response format' }),
  quality: Type.Optional(
    integer(40, 95, {
      description: `How much of the picture a ${formatLabels(lossyFormatNames)} keeps, less where the file would have more than 600,000 bytes; every pixel keeps its own colour in a JPEG from 90 on`,
      whenMissing: String(usualQuality),
    }),
  ),
  width: Type.Optional(
    integer(300, 2400, {
      description: `The width in pixels of a ${formatLabels(pixelFormatNames)}; the height follows the size`,
      whenMissing: 'the size’s own',
    }),
  ),
  cacheSeconds: cacheLife(86_400),
})
