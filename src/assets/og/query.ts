import { type Static, Type } from '@sinclair/typebox'
import { cacheLife, choice, formatted, integer, optional, text } from '../../lib/fields.ts'
import {
  formatLabels,
  lossyFormatNames,
  pictureFormatNames,
  pixelFormatNames,
  usualQuality,
} from '../../raster/picture-formats.ts'
import { sizeNames } from './card-sizes.ts'
import { templateRoles, withTemplates } from './templates.ts'
import { alignments, schemes } from './theme.ts'
import { themeNames, usualTheme } from './themes.ts'

export const cardFormats = [...pictureFormatNames, 'json'] as const

const ellipsis = { parameter: 'overflow', value: 'ellipsis' } as const

/** The texts of every card. */
const texts = {
  title: text(1, 80, {
    description: 'The headline of the card',
    example: 'Hello, world',
    longer: { ...ellipsis, maxLength: 300 },
  }),
  ...optional({
    eyebrow: text(0, 40, {
      description: 'A short line above the title: a category, a series, a version',
      example: 'Field notes',
    }),
    subtitle: text(0, 120, {
      description: 'A line below the title',
      example: 'Cards from a URL',
      longer: { ...ellipsis, maxLength: 500 },
    }),
    author: text(0, 80, {
      description: 'The author, or several with commas between them',
      example: 'Ada Lovelace',
    }),
    url: text(0, 120, {
      description: 'The address of the page; the card shows its domain',
      example: 'example.com',
    }),
  }),
}

/** The parameters that a card of texts and one of a page share. */
export const lookFields = {
  ...optional({
    theme: choice(themeNames, { description: 'The theme', whenMissing: `${usualTheme}, or the brand’s` }),
    scheme: choice(schemes, {
      description: 'The colour scheme; every theme has both',
      whenMissing: 'the brand’s, or the theme’s own',
    }),
  }),
  size: choice(sizeNames, {
    default: 'og',
    description:
      'The size of the card: og 1200×630, github 1280×640, x 1600×900, square 1080×1080, portrait 1080×1350, pin 1000×1500',
  }),
  ...optional({
    align: choice(alignments, {
      description:
        'Where texts, labels and logo stand: at the side where the language starts, or about the middle, on a wide card within its middle square',
      whenMissing: 'the theme’s own',
    }),
    accent: formatted('css-color', {
      description: 'The accent colour, adjusted for contrast',
      whenMissing: 'the brand’s, or chosen from url or title',
      example: '7c3aed',
    }),
    logo: formatted('logo', {
      description:
        'A mark on the card, kept readable on its background: the name of an icon of Simple Icons, or data:image/…;base64, (svg+xml, png, jpeg, webp) of at most 8 KiB; logos are trademarks of their owners',
      example: 'github',
    }),
    brand: formatted('brand', {
      description:
        'The brand whose colours, logo, fonts and picture the card has; slug is its newest revision, slug@3 always the third',
    }),
    lang: formatted('language-tag', {
      description: 'The language: chooses Han forms and casing',
      whenMissing: 'guessed from the text',
    }),
  }),
  format: choice(cardFormats, {
    default: 'svg',
    description: 'The response format; json says how the card is laid out: lines, sizes, and what is cut',
  }),
  ...optional({
    quality: integer(40, 95, {
      description: `The quality of a ${formatLabels(lossyFormatNames)}, lowered if the file would have more than 600,000 bytes; from 90, a JPEG keeps the colour of every pixel; in a WebP without a photograph, how many colours its background keeps`,
      whenMissing: String(usualQuality),
    }),
    width: integer(300, 2400, {
      description: `The width in pixels of a ${formatLabels(pixelFormatNames)}; the height follows the size`,
      whenMissing: 'the size’s own',
    }),
  }),
}

export const ogQuery = Type.Object({
  ...withTemplates(texts),
  overflow: choice(['error', 'ellipsis'], {
    default: 'error',
    description: 'A title or subtitle over its limit: an error, or fitted and then cut with an ellipsis',
  }),
  ...lookFields,
  ...optional({
    picture: formatted('picture', {
      description:
        'A picture behind or beside the texts, where a brand’s picture would be: an https URL, not with demo=1, or data:image/…;base64, of at most 8 KiB, for everybody; jpeg, png and webp',
      example: 'https://example.com/photo.jpg',
    }),
  }),
  cacheSeconds: cacheLife(86_400),
})

export type OgQuery = Static<typeof ogQuery>

/** The texts of a card by their parameters, the most important one first. */
const usualTextNames = ['title', 'subtitle', 'author', 'eyebrow', 'url'] as const

export const textNames: readonly string[] = [
  ...new Set([...usualTextNames, ...templateRoles.map(([, parameter]) => parameter)]),
]

export type FontQuery = Partial<
  Pick<OgQuery, (typeof usualTextNames)[number] | 'lang' | 'theme' | 'brand' | 'template'>
>

/** A text of a card by its parameter; empty where it has none. */
export function textIn(query: FontQuery, name: string): string {
  const value: unknown = Reflect.get(query, name)
  return typeof value === 'string' ? value : ''
}

/** Font files that the characters of one card may need. Reading and unpacking one takes some 10 ms of CPU time. */
export const fontFilesMax = 60
