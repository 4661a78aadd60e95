import { avatarShapes, avatarStyles } from '../assets/avatar/query.ts'
import { badgeQuery } from '../assets/badge/query.ts'
import { accentColors } from '../assets/og/accent.ts'
import type { BrandPicture } from '../assets/og/brand/brand-images.ts'
import type { CardBrand } from '../assets/og/brand/card-brand.ts'
import type { CardParams } from '../assets/og/card-renderer.ts'
import { templateNames } from '../assets/og/templates.ts'
import {
  type CardSize,
  cardSizes,
  type Scheme,
  type SizeName,
  schemes,
  sizeNames,
} from '../assets/og/theme.ts'
import { themeNames, usualTheme } from '../assets/og/themes.ts'
import { allowedValues } from '../lib/fields.ts'
import { capitalized } from '../lib/texts.ts'
import brands from './data/example-brands.json' with { type: 'json' }
import ownLogo from './data/own-logo.json' with { type: 'json' }
import pages from './data/pages.json' with { type: 'json' }
import samples from './data/samples.json' with { type: 'json' }
import { guideGroups } from './guides/guides.ts'

type Query = Readonly<Record<string, string>>

export interface PictureSize {
  readonly widthPx: number
  readonly heightPx: number
}

export interface PictureFile {
  readonly file: string
  readonly alt: string
  readonly size?: PictureSize | undefined
}

/** A picture on our own pages. It is rendered like a caller's, at a URL that is not counted. */
export interface Picture extends PictureFile {
  readonly assetId: string
  readonly query: Query
}

function ogPicture(name: string, query: Query, alt: string, size: CardSize = cardSizes.og) {
  return { file: `${name}.svg`, assetId: 'og', query, alt, size }
}

function card(name: string, query: Query): Picture {
  return ogPicture(`card-${name}`, query, `Share card: ${query['title']}`)
}

export const wallCards: readonly Picture[] = Object.entries<Query>(samples.cards).map(([name, query]) =>
  card(name, query),
)

export const heroCard = card('hero', samples.hero)

export const errorCards = [
  card('error-light', { ...samples.error, scheme: 'light' }),
  card('error-dark', { ...samples.error, scheme: 'dark' }),
] as const

export const wallBadges: readonly Picture[] = Object.entries<Query>(samples.badges).map(([name, query]) => ({
  file: `badge-${name}.svg`,
  assetId: 'badge',
  query,
  alt: `${query['label']}: ${query['value']}`,
}))

export const wallAvatars: readonly Picture[] = samples.people.map((name, index) => ({
  file: `avatar-${index + 1}.svg`,
  assetId: 'avatar',
  query: { name, size: '96', ...(index % 3 === 2 && { shape: 'rounded' }) },
  alt: `Avatar of ${name}`,
  size: { widthPx: 48, heightPx: 48 },
}))

/** Texts of the cards, in turn: one script for each theme, so that a size is seen in several. */
export const cardSamples = samples.texts as readonly Query[]

export const sizeExamples = sizeNames.map((name) => ({
  name,
  size: cardSizes[name],
  cards: themeNames.flatMap((theme, index) => {
    const said = cardSamples[index % cardSamples.length] ?? {}
    return schemes.map((scheme) => {
      const caption = `${theme}, ${scheme}`
      const query = { ...said, theme, scheme, size: name }
      const alt = `${caption}: ${said['title']}`
      return { ...ogPicture(`card-${name}-${theme}-${scheme}`, query, alt, cardSizes[name]), caption }
    })
  }),
}))

export interface ExampleBrand {
  readonly name: string
  readonly about: string
  readonly brand: Omit<CardBrand, 'picture'>
  /** The background: a file of this project, drawn for it by us. */
  readonly picture?: { readonly file: string; readonly focus: BrandPicture['focus'] }
  readonly words: Pick<CardParams, 'title' | 'subtitle' | 'author' | 'url'>
}

export interface BrandCard extends PictureFile {
  readonly brand: ExampleBrand
  readonly name: SizeName
  readonly size: CardSize
}

/** Brands made up for our own pages: nobody's marks. */
const exampleBrands = brands as readonly ExampleBrand[]

/** Every example brand with a card of each shape; the first one is that of the home page. */
export const brandRows: readonly (readonly BrandCard[])[] = exampleBrands.map((brand) =>
  (['og', 'square', 'portrait', 'pin'] as const).map((name) => ({
    file: `brand-${brand.name.toLowerCase().replaceAll(' ', '-')}-${name}.svg`,
    brand,
    name,
    size: cardSizes[name],
    alt: `Card of ${brand.name}: ${brand.words.title}`,
  })),
)

/** Files of `examples/themes`. */
export const exampleThemes: readonly string[] = ['repository', 'dunes', 'ticket']

/** Files that must lie beside the executable. */
export const examplePictureFiles = exampleBrands.flatMap(({ picture }) => picture?.file ?? [])

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

const cardTexts = { ...samples.choice, accent: accentColors.get('ultramarine') ?? '' }

const themePictures = themeNames.flatMap((theme) =>
  [undefined, ...schemes].map((scheme): ChoicePicture => {
    const query = { title: capitalized(theme), ...cardTexts, theme, ...(scheme && { scheme }) }
    const alt = `A card in the theme ${theme}, ${scheme ?? 'in its own scheme'}`
    const shown = scheme ?? 'own'
    return { ...ogPicture(`theme-${theme}-${shown}`, query, alt), value: theme, scheme: shown }
  }),
)

/** Each template in another theme, so that nobody takes its arrangement for that of a theme. */
const templatePictures = templateNames.map((template, index) => {
  const texts: Readonly<Record<string, string>> = samples.templates[template]
  const theme = themeNames[(index * 5 + 1) % themeNames.length] ?? usualTheme
  const alt = `A card of the template ${template}`
  return { ...ogPicture(`template-${template}`, { ...texts, template, theme }, alt), value: template }
})

const sizePictures = sizeNames.map((size) => {
  const { widthPx, heightPx } = cardSizes[size]
  const title = 'Field notes from the north coast'
  const query = { title, ...cardTexts, size, theme: 'paper', scheme: 'light' }
  const alt = `A card of the size ${size}, ${widthPx} by ${heightPx} pixels`
  return { ...ogPicture(`size-${size}`, query, alt, cardSizes[size]), value: size }
})

const badgePictures = (allowedValues(badgeQuery.properties.style) ?? []).map((style) => ({
  file: `badge-style-${style}.svg`,
  assetId: 'badge',
  query: { ...samples.badge, style },
  alt: `A badge in the style ${style}`,
  value: style,
}))

function avatarPicture(parameter: 'shape' | 'style', value: string, name: string): ChoicePicture {
  return {
    file: `avatar-${parameter}-${value}.svg`,
    assetId: 'avatar',
    query: { name, size: '96', [parameter]: value },
    alt: `An avatar of the ${parameter} ${value}`,
    value,
    size: { widthPx: 96, heightPx: 96 },
  }
}

const avatarShapePictures = avatarShapes.map((value) => avatarPicture('shape', value, 'Ada Lovelace'))
const avatarStylePictures = avatarStyles.map((value) => avatarPicture('style', value, 'Mira Holm'))

/** The parameters whose values are told apart by eye. */
export const choices: readonly Choice[] = [
  { assetIds: ['og'], parameter: 'template', heading: 'Templates', pictures: templatePictures },
  { assetIds: ['og', 'card'], parameter: 'theme', heading: 'Themes', pictures: themePictures },
  { assetIds: ['og', 'card'], parameter: 'size', heading: 'Sizes', pictures: sizePictures },
  { assetIds: ['badge', 'stats'], parameter: 'style', heading: 'Styles', pictures: badgePictures },
  { assetIds: ['avatar'], parameter: 'shape', heading: 'Shapes', pictures: avatarShapePictures },
  { assetIds: ['avatar'], parameter: 'style', heading: 'Styles', pictures: avatarStylePictures },
]

export function choiceOf(assetId: string, parameter: string): Choice | undefined {
  return choices.find((choice) => choice.parameter === parameter && choice.assetIds.includes(assetId))
}

export const shareSize = cardSizes.og

type Texts = Pick<CardParams, 'title' | 'subtitle' | 'eyebrow'>

export const shareTexts: ReadonlyMap<string, Texts> = new Map<string, Texts>([
  ...Object.entries(pages).map(([name, { card }]) => [name, card] as const),
  ...guideGroups.flatMap(({ title: eyebrow, guides }) =>
    guides.map(({ slug, label, summary }): [string, Texts] => [
      slug,
      { title: label, subtitle: summary.replace(/\.$/, ''), eyebrow },
    ]),
  ),
])

export const ownBrand: CardBrand = {
  key: 'mintmark itself',
  theme: 'poster',
  accent: '2f4bc9',
  footer: 'Mintmark',
  logo: { kind: 'shapes', key: 'mintmark itself', ...ownLogo },
}

/** The path of a page's Open Graph card. Throws when there is none of that name. */
export function sharePath(name: string): string {
  if (!shareTexts.has(name)) throw new Error(`There is no card ${name}.`)
  return `/pictures/share-${name}.png`
}
