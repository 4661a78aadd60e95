import type { CardFont } from '../../../text/brand-fonts/brand-font.ts'
import { factsOf } from '../../../text/brand-fonts/font-facts.ts'
import type { TextStyle } from '../../../text/types.ts'
import type { ThemeStyles } from '../canvas.ts'
import type { CardBrand } from './card-brand.ts'

const cache = new WeakMap<CardBrand, Map<ThemeStyles, ThemeStyles>>()

/**
 * A theme's styles with the fonts of a brand: one for the title, one for all other texts. The engine keeps what it knows
 * of a style for as long as the style object lives, here as long as the brand object, which is made anew for each card.
 * Kept longer, ten brands held 8 MB more, which no cache counts.
 */
export function brandedStyles(styles: ThemeStyles, brand: CardBrand | undefined): ThemeStyles {
  if (brand?.titleFont === undefined && brand?.textFont === undefined) return styles
  const cached = cache.get(brand) ?? new Map<ThemeStyles, ThemeStyles>()
  const branded = cached.get(styles) ?? withFonts(styles, brand)
  cache.set(brand, cached.set(styles, branded))
  return branded
}

function withFonts(styles: ThemeStyles, { titleFont, textFont }: CardBrand): ThemeStyles {
  return {
    eyebrow: withFont(styles.eyebrow, textFont),
    title: withFont(styles.title, titleFont),
    subtitle: withFont(styles.subtitle, textFont),
    author: withFont(styles.author, textFont),
    domain: withFont(styles.domain, textFont),
  }
}

/** Beside a font of one weight ours take the weight that it looks like: two on one line would fight. */
function withFont(style: TextStyle, font: CardFont | undefined): TextStyle {
  return font === undefined ? style : { ...style, font, weight: factsOf(font).weight ?? style.weight }
}
