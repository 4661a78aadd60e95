/** Shape of a card. Each theme has a composition for each shape. */
export type Shape = 'wide' | 'square' | 'tall'

export interface CardSize {
  readonly widthPx: number
  readonly heightPx: number
  readonly shape: Shape
  /** The px of a length of a theme's composition: 1 for the first size of each shape. */
  readonly unit: number
}

/** The sizes that networks ask for, in the order in which documents list them. */
export const cardSizes = {
  og: { widthPx: 1200, heightPx: 630, shape: 'wide', unit: 1 },
  github: { widthPx: 1280, heightPx: 640, shape: 'wide', unit: 640 / 630 },
  x: { widthPx: 1600, heightPx: 900, shape: 'wide', unit: 4 / 3 },
  square: { widthPx: 1080, heightPx: 1080, shape: 'square', unit: 1 },
  portrait: { widthPx: 1080, heightPx: 1350, shape: 'tall', unit: 1 },
  pin: { widthPx: 1000, heightPx: 1500, shape: 'tall', unit: 1 },
} as const satisfies Readonly<Record<string, CardSize>>

export type SizeName = keyof typeof cardSizes

export const sizeNames = Object.keys(cardSizes) as readonly SizeName[]
