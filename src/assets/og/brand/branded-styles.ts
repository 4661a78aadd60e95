import type { TextStyle } from '../../../text/types.ts'
import type { ThemeStyles } from '../canvas.ts'
import type { CardBrand } from './card-brand.ts'

const known = new WeakMap<CardBrand, Map<ThemeStyles, ThemeStyles>>()

/**
 * A theme's styles with the fonts of a brand: one for the title, one for all other texts. Kept with the brand, because the
 * engine keeps what it knows with each style.
 */
export function brandedStyles(styles: ThemeStyles, brand: CardBrand | undefined): ThemeStyles {
  if (brand?.titleFont === undefined && brand?.textFont === undefined) return styles
  const kept = known.get(brand) ?? new Map<ThemeStyles, ThemeStyles>()
  const branded = kept.get(styles) ?? withFonts(styles, brand)
  known.set(brand, kept.set(styles, branded))
  return branded
}

function withFonts(styles: ThemeStyles, { titleFont, textFont }: CardBrand): ThemeStyles {
  const withText = (style: TextStyle) => (textFont === undefined ? style : { ...style, font: textFont })
  return {
    title: titleFont === undefined ? styles.title : { ...styles.title, font: titleFont },
    subtitle: withText(styles.subtitle),
    author: withText(styles.author),
    domain: withText(styles.domain),
  }
}
