import type { CardBrand } from '../../../src/assets/og/brand/card-brand.ts'
import { fontBytes } from '../../../src/text/brand-fonts/brand-font.ts'

/** A brand with its fonts' bytes in the place of how they are read: two brands that look alike are equal. */
export async function withFontBytes({ titleFont, textFont, ...brand }: CardBrand) {
  return {
    ...brand,
    titleFont: titleFont && (await fontBytes(titleFont)),
    textFont: textFont && (await fontBytes(textFont)),
  }
}
