import type { CardFont } from './brand-fonts/brand-font.ts'
import type { FontFile } from './coverage/lookup.ts'

/** Where the bytes of a font are: in a file of a package, or with a brand. */
export type FontSource = FontFile | CardFont

export function isBrandFont(source: FontSource): source is CardFont {
  return 'key' in source
}
