import type { CardFont } from '../../../text/brand-fonts/brand-font.ts'
import type { ProduceContext, ResolvedQuery } from '../../kit/producer.ts'
import type { Scheme } from '../theme.ts'
import type { ThemeName } from '../themes.ts'
import type { BrandPicture, CardLogo } from './brand-images.ts'

/** How cards of one brand look: one stored revision, with its files read. */
export interface CardBrand {
  /** `acme@3`: equal keys mean equal looks, so it is part of every cache key. */
  readonly key: string
  readonly theme?: ThemeName
  readonly scheme?: Scheme
  /** Hex without `#`, as the parameter `accent`. */
  readonly accent?: string
  /** Hex without `#`: the background in place of the theme's. */
  readonly ground?: string
  /** Hex without `#`: the second colour of the background, used as each theme uses one (end of a gradient, band, tiles). */
  readonly ground2?: string
  /** One line, at most 120 characters. */
  readonly footer?: string
  readonly logo?: CardLogo
  readonly titleFont?: CardFont
  readonly textFont?: CardFont
  readonly picture?: BrandPicture
}

/** The brands that cards can have. */
export interface CardBrands {
  /**
   * Resolves a slug, or `slug@revision`. Returns the end of a sentence that begins with the parameter's name if there
   * is no such brand.
   */
  resolve(reference: string): ResolvedBrand | string
  /** @param reference `slug@revision`, as it was resolved */
  load(reference: string, context?: ProduceContext): Promise<CardBrand>
}

export interface ResolvedBrand extends Omit<ResolvedQuery, 'replaced'> {
  /** `slug@revision` */
  readonly reference: string
}

/** Where no brand is known. */
export const noBrands: CardBrands = {
  resolve: () => 'is known to a server only, and here a folder with a brand.json',
  load: () => Promise.reject(new Error('There are no brands here.')),
}
