import type { BrandPicture } from '../assets/og/brand/brand-images.ts'
import type { CardBrand } from '../assets/og/brand/card-brand.ts'
import type { CardParams } from '../assets/og/card-renderer.ts'
import { type CardSize, cardSizes, type SizeName, sizeNames } from '../assets/og/card-sizes.ts'
import { schemes } from '../assets/og/theme.ts'
import { themeNames } from '../assets/og/themes.ts'
import brands from './data/example-brands.json' with { type: 'json' }
import samples from './data/samples.json' with { type: 'json' }

type Query = Readonly<Record<string, string>>

export interface PictureSize {
  readonly widthPx: number
  readonly heightPx: number
}

export interface PictureFile {
  /** File name with its extension. */
  readonly file: string
  readonly alt: string
  /** Undefined for a badge, whose width follows from its text. */
  readonly size?: PictureSize | undefined
}

/** A picture on our own pages. It is rendered like a caller's, at a URL that is not counted. */
export interface Picture extends PictureFile {
  readonly assetId: string
  readonly query: Query
}

function card(name: string, query: Query): Picture {
  const alt = `Share card: ${query['title']}`
  return { file: `card-${name}.svg`, assetId: 'og', query, alt, size: cardSizes.og }
}

export const wallCards: readonly Picture[] = Object.entries<Query>(samples.cards).map(([name, query]) =>
  card(name, query),
)

export const heroCard = card('hero', samples.hero)

/** The picture on pages of errors, for each scheme of the visitor. */
export const errorCards = [errorCard('light'), errorCard('dark')] as const

function errorCard(scheme: string): Picture {
  const texts = { title: 'Nothing to see here', subtitle: 'Every other page gets a card', theme: 'poster' }
  return card(`error-${scheme}`, { ...texts, scheme, accent: '2f4bc9' })
}

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

/** A card of every theme in both schemes, for each size. */
export const sizeExamples = sizeNames.map((name) => ({
  name,
  size: cardSizes[name],
  cards: themeNames.flatMap((theme, index) => {
    const said = cardSamples[index % cardSamples.length] ?? {}
    return schemes.map((scheme) => ({
      file: `card-${name}-${theme}-${scheme}.svg`,
      assetId: 'og',
      query: { ...said, theme, scheme, size: name },
      alt: `${theme}, ${scheme}: ${said['title']}`,
      size: cardSizes[name],
      caption: `${theme}, ${scheme}`,
    }))
  }),
}))

export interface ExampleBrand {
  readonly name: string
  /** Describes the parts of its cards that are its own. */
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
