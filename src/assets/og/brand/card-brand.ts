import type { CardFont } from '../../../text/brand-fonts/brand-font.ts'
import type { ProduceContext, ResolvedQuery } from '../../kit/producer.ts'
import type { OgQuery } from '../query.ts'
import type { PictureLayout, Scheme } from '../theme.ts'
import type { ThemeName, ThemeSource } from '../themes.ts'
import type { BrandPicture, CardLogo } from './brand-images.ts'

/** The look of a brand's cards: one stored revision, with its files read. */
export interface CardBrand {
  /** `acme@3`: equal keys mean equal looks, so it is part of every cache key. */
  readonly key: string
  readonly theme?: ThemeName
  /** Goes before the theme. */
  readonly themeFile?: ThemeSource
  readonly scheme?: Scheme
  /** Hex without `#`, as the parameter `accent`. */
  readonly accent?: string
  /** Hex without `#`: the background in place of the theme's. */
  readonly ground?: string
  /** Hex without `#`: the second colour of the background, used as each theme uses one (end of a gradient, band, tiles). */
  readonly ground2?: string
  readonly footer?: string
  /** The footer line stands where the domain would, which is left out. */
  readonly footerInPlaceOf?: 'domain'
  readonly align?: NonNullable<OgQuery['align']>
  /** Where a card has not what the template requires, it is the usual one. */
  readonly template?: NonNullable<OgQuery['template']>
  readonly logo?: CardLogo
  readonly titleFont?: CardFont
  readonly textFont?: CardFont
  readonly picture?: BrandPicture
  readonly pictureLayout?: PictureLayout
}

export interface CardBrands {
  /** Resolves a slug, or `slug@revision`. Returns the mistake, as the end of a sentence, if there is no such brand. */
  resolve(reference: string): ResolvedBrand | string
  /** @param reference `slug@revision`, as it was resolved */
  load(reference: string, context?: ProduceContext): Promise<CardBrand>
}

export interface ResolvedBrand extends Omit<ResolvedQuery, 'replaced'> {
  readonly reference: string
}

export const noBrands: CardBrands = {
  resolve: () => 'is known to a server only, and here a folder with a brand.json',
  load: () => Promise.reject(new Error('There are no brands here.')),
}
