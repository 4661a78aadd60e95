import { type Static, Type } from '@sinclair/typebox'
import { cacheLife, choice, formatted, integer, optional, text } from '../../lib/fields.ts'
import {
  formatLabels,
  lossyFormatNames,
  pictureFormatNames,
  pixelFormatNames,
  usualQuality,
} from '../../raster/picture-formats.ts'
import parameterTexts from './parameter-texts.json' with { type: 'json' }
import { templateRoles, withTemplates } from './templates.ts'
import { alignments, schemes, sizeNames } from './theme.ts'
import { themeNames, usualTheme } from './themes.ts'

export const cardFormats = [...pictureFormatNames, 'json'] as const

const ellipsis = { parameter: 'overflow', value: 'ellipsis' } as const

const texts = {
  title: text(1, 80, { ...parameterTexts.title, longer: { ...ellipsis, maxLength: 300 } }),
  ...optional({
    eyebrow: text(0, 40, parameterTexts.eyebrow),
    subtitle: text(0, 120, { ...parameterTexts.subtitle, longer: { ...ellipsis, maxLength: 500 } }),
    author: text(0, 80, parameterTexts.author),
    url: text(0, 120, parameterTexts.url),
  }),
}

/** The parameters that a card of texts and one of a page share. */
export const lookFields = {
  ...optional({
    theme: choice(themeNames, { description: 'The theme', whenMissing: `${usualTheme}, or the brand’s` }),
    scheme: choice(schemes, parameterTexts.scheme),
  }),
  size: choice(sizeNames, { default: 'og', ...parameterTexts.size }),
  ...optional({
    align: choice(alignments, parameterTexts.align),
    accent: formatted('css-color', parameterTexts.accent),
    logo: formatted('logo', parameterTexts.logo),
    brand: formatted('brand', parameterTexts.brand),
    lang: formatted('language-tag', parameterTexts.lang),
  }),
  format: choice(cardFormats, { default: 'svg', ...parameterTexts.format }),
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
  overflow: choice(['error', 'ellipsis'], { default: 'error', ...parameterTexts.overflow }),
  ...lookFields,
  picture: Type.Optional(formatted('picture', parameterTexts.picture)),
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
