import type { BrandPicture } from '../assets/og/brand/brand-images.ts'
import type { CardBrand } from '../assets/og/brand/card-brand.ts'
import type { CardParams } from '../assets/og/card-renderer.ts'
import { type CardSize, cardSizes, type SizeName } from '../assets/og/card-sizes.ts'

export interface ExampleBrand {
  readonly name: string
  /** Describes the parts of its cards that are its own. */
  readonly about: string
  readonly brand: Omit<CardBrand, 'picture'>
  /** The background: a file of this project, drawn for it by us. */
  readonly picture?: { readonly file: string; readonly focus: BrandPicture['focus'] }
  readonly words: Pick<CardParams, 'title' | 'subtitle' | 'author' | 'url'>
}

/** Brands made up for our own pages: nobody's marks. */
const exampleBrands: readonly ExampleBrand[] = [
  {
    name: 'Saltmarsh',
    about:
      'A round mark of one colour, drawn in the ink of the card; a background of its own in the paper theme.',
    brand: {
      key: 'example saltmarsh',
      theme: 'paper',
      accent: '0f766e',
      ground: 'eef3ea',
      footer: 'Saltmarsh · field notes from the coast',
      logo: {
        kind: 'shapes',
        key: 'example saltmarsh',
        width: 48,
        height: 48,
        singleColor: '#0f766e',
        shapes: [
          {
            d: 'M15 13C15 8.03 19.03 4 24 4C28.97 4 33 8.03 33 13C33 17.97 28.97 22 24 22C19.03 22 15 17.97 15 13Z',
            fill: '#0f766e',
          },
          {
            d: 'M3 28C9 24 14 24 20 28C26 32 31 32 37 28C40 26 43 25.5 45 25.5V30.0C43 30.0 40 30.5 37 32.5C31 36.5 26 36.5 20 32.5C14 28.5 9 28.5 3 32.5Z',
            fill: '#0f766e',
          },
          {
            d: 'M3 37C9 33 14 33 20 37C26 41 31 41 37 37C40 35 43 34.5 45 34.5V39.0C43 39.0 40 39.5 37 41.5C31 45.5 26 45.5 20 41.5C14 37.5 9 37.5 3 41.5Z',
            fill: '#0f766e',
          },
        ],
      },
    },
    words: {
      title: 'What the tide leaves behind',
      subtitle: 'Eleven mornings between two storms',
      author: 'Mira Holm',
      url: 'saltmarsh.example',
    },
  },
  {
    name: 'Northbeam',
    about:
      'A wide mark of three colours, on a plate where the background would hide one; two background colours.',
    brand: {
      key: 'example northbeam',
      theme: 'grid',
      accent: '2563eb',
      ground: '0b1b3a',
      ground2: '16306b',
      scheme: 'dark',
      footer: 'northbeam.example/changelog',
      logo: {
        kind: 'shapes',
        key: 'example northbeam',
        width: 96,
        height: 32,
        shapes: [
          { d: 'M0 32L6 6H16L22 32Z', fill: '#e2e8f0' },
          { d: 'M5 0H17V4H5Z', fill: '#e2e8f0' },
          { d: 'M24 8L96 0V13L24 13Z', fill: '#60a5fa' },
          { d: 'M24 17L96 17V30L24 22Z', fill: '#fbbf24' },
        ],
      },
    },
    words: {
      title: 'Release 4.2: half the bundle, twice the logs',
      subtitle: 'Everything that changed since spring',
      author: 'Northbeam team',
    },
  },
  {
    name: 'Kiln Street',
    about: 'A tall mark on the tiles of the poster theme, in the colours of clay.',
    brand: {
      key: 'example kiln street',
      theme: 'poster',
      accent: 'c2410c',
      ground: 'fde6d2',
      ground2: '7c2d12',
      footer: 'Kiln Street Pottery, since last spring',
      logo: {
        kind: 'shapes',
        key: 'example kiln street',
        width: 32,
        height: 48,
        singleColor: '#7c2d12',
        shapes: [
          {
            d: 'M11 0H21V4C21 10 30 15 30 28C30 40 24 48 16 48C8 48 2 40 2 28C2 15 11 10 11 4ZM6 24V29H26V24Z',
            fill: '#7c2d12',
          },
        ],
      },
    },
    words: {
      title: 'Glazes that forgive a beginner',
      subtitle: 'Four recipes and a test tile',
      author: 'Inés Rojas',
    },
  },
  {
    name: 'Orbit FM',
    about:
      'A mark of two colours over a picture, in the aurora theme, always dark; no word falls below its contrast.',
    brand: {
      key: 'example orbit fm',
      theme: 'aurora',
      scheme: 'dark',
      accent: 'c026d3',
      ground: '170b2b',
      ground2: '6d1b7b',
      footer: 'Orbit FM · every Thursday',
      logo: {
        kind: 'shapes',
        key: 'example orbit fm',
        width: 48,
        height: 48,
        shapes: [
          {
            d: 'M2 26C2 14.95 10.95 6 22 6C33.05 6 42 14.95 42 26C42 37.05 33.05 46 22 46C10.95 46 2 37.05 2 26ZM9 26C9 33.18 14.82 39 22 39C29.18 39 35 33.18 35 26C35 18.82 29.18 13 22 13C14.82 13 9 18.82 9 26Z',
            fill: '#f0abfc',
          },
          {
            d: 'M16 26C16 22.69 18.69 20 22 20C25.31 20 28 22.69 28 26C28 29.31 25.31 32 22 32C18.69 32 16 29.31 16 26Z',
            fill: '#f0abfc',
          },
          {
            d: 'M35 7C35 3.69 37.69 1 41 1C44.31 1 47 3.69 47 7C47 10.31 44.31 13 41 13C37.69 13 35 10.31 35 7Z',
            fill: '#fde047',
          },
        ],
      },
    },
    picture: { file: 'src/site/assets/night-valley.jpg', focus: { x: 68, y: 78 } },
    words: {
      title: 'Episode 61: Listening to the dark side',
      subtitle: 'With two radio astronomers and a very quiet valley',
      author: 'Jun Sato',
    },
  },
]

/** A card of a brand that was made up for our own pages. */
export interface BrandCardPicture {
  /** File name with its extension. */
  readonly file: string
  readonly brand: ExampleBrand
  readonly size: SizeName
  readonly extent: CardSize
  readonly alt: string
}

/** Every example brand with a card of each shape; the first one is that of the home page. */
export const brandRows: readonly (readonly BrandCardPicture[])[] = exampleBrands.map((brand) =>
  (['og', 'square', 'portrait', 'pin'] as const).map((size) => ({
    file: `brand-${brand.name.toLowerCase().replaceAll(' ', '-')}-${size}.svg`,
    brand,
    size,
    extent: cardSizes[size],
    alt: `Card of ${brand.name}: ${brand.words.title}`,
  })),
)

/** Files that must lie beside the executable. */
export const examplePictureFiles = exampleBrands.flatMap(({ picture }) => picture?.file ?? [])
