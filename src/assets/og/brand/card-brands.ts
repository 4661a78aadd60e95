import type { ProduceContext, ResolvedQuery } from '../../kit/producer.ts'
import type { CardBrand } from './card-brand.ts'

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
