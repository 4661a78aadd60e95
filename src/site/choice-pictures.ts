import { avatarShapes, avatarStyles } from '../assets/avatar/query.ts'
import { badgeQuery } from '../assets/badge/query.ts'
import { accentColors } from '../assets/og/accent.ts'
import { cardSizes, sizeNames } from '../assets/og/card-sizes.ts'
import { templateNames } from '../assets/og/templates.ts'
import { type Scheme, schemes } from '../assets/og/theme.ts'
import { themeNames, usualTheme } from '../assets/og/themes.ts'
import { allowedValues } from '../lib/fields.ts'
import samples from './data/samples.json' with { type: 'json' }
import type { Picture } from './sample-pictures.ts'

export interface ChoicePicture extends Picture {
  readonly value: string
  /** Set where there is a picture for each scheme, and one for the scheme that the value has by itself. */
  readonly scheme?: Scheme | 'own'
}

export interface Choice {
  readonly assetIds: readonly string[]
  readonly parameter: string
  readonly heading: string
  readonly pictures: readonly ChoicePicture[]
}

const cardTexts = {
  subtitle: 'Notes on tides, type and tools',
  author: 'Mira Holm',
  url: 'mira.example',
  accent: accentColors.get('ultramarine') ?? '',
}

const themePictures = themeNames.flatMap((theme) =>
  [undefined, ...schemes].map((scheme) => ({
    file: `theme-${theme}-${scheme ?? 'own'}.svg`,
    assetId: 'og',
    query: { title: capitalized(theme), ...cardTexts, theme, ...(scheme && { scheme }) },
    alt: `A card in the theme ${theme}, ${scheme ?? 'in its own scheme'}`,
    value: theme,
    scheme: scheme ?? ('own' as const),
    size: cardSizes.og,
  })),
)

/** Each template in another theme, so that nobody takes its arrangement for that of a theme. */
const templatePictures = templateNames.map((template, index) => {
  const texts: Readonly<Record<string, string>> = samples.templates[template]
  const theme = themeNames[(index * 5 + 1) % themeNames.length] ?? usualTheme
  return {
    file: `template-${template}.svg`,
    assetId: 'og',
    query: { ...texts, template, theme },
    alt: `A card of the template ${template}`,
    value: template,
    size: cardSizes.og,
  }
})

const sizePictures = sizeNames.map((size) => {
  const { widthPx, heightPx } = cardSizes[size]
  return {
    file: `size-${size}.svg`,
    assetId: 'og',
    query: { title: 'Field notes from the north coast', ...cardTexts, size, theme: 'paper', scheme: 'light' },
    alt: `A card of the size ${size}, ${widthPx} by ${heightPx} pixels`,
    value: size,
    size: cardSizes[size],
  }
})

const badgeTexts = { label: 'build', value: 'passing', status: 'success', logo: 'githubactions' }

const badgePictures = (allowedValues(badgeQuery.properties.style) ?? []).map((style) => ({
  file: `badge-style-${style}.svg`,
  assetId: 'badge',
  query: { ...badgeTexts, style },
  alt: `A badge in the style ${style}`,
  value: style,
}))

const avatarPx = 96

function avatarPicture(parameter: 'shape' | 'style', value: string, name: string): ChoicePicture {
  return {
    file: `avatar-${parameter}-${value}.svg`,
    assetId: 'avatar',
    query: { name, size: String(avatarPx), [parameter]: value },
    alt: `An avatar of the ${parameter} ${value}`,
    value,
    size: { widthPx: avatarPx, heightPx: avatarPx },
  }
}

/** The parameters whose values are told apart by eye. */
export const choices: readonly Choice[] = [
  { assetIds: ['og'], parameter: 'template', heading: 'Templates', pictures: templatePictures },
  { assetIds: ['og', 'card'], parameter: 'theme', heading: 'Themes', pictures: themePictures },
  { assetIds: ['og', 'card'], parameter: 'size', heading: 'Sizes', pictures: sizePictures },
  { assetIds: ['badge', 'stats'], parameter: 'style', heading: 'Styles', pictures: badgePictures },
  {
    assetIds: ['avatar'],
    parameter: 'shape',
    heading: 'Shapes',
    pictures: avatarShapes.map((value) => avatarPicture('shape', value, 'Ada Lovelace')),
  },
  {
    assetIds: ['avatar'],
    parameter: 'style',
    heading: 'Styles',
    pictures: avatarStyles.map((value) => avatarPicture('style', value, 'Mira Holm')),
  },
]

export function choiceOf(assetId: string, parameter: string): Choice | undefined {
  return choices.find((choice) => choice.parameter === parameter && choice.assetIds.includes(assetId))
}

function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}
