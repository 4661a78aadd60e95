/** A font that cannot be used. The message ends a sentence that begins with the font's field, such as "`titleFont` …". */
export class FontRefused extends Error {
  override readonly name = 'FontRefused'
}

/** The refusal of a font with a damaged table. */
export function damaged(table: string): FontRefused {
  return new FontRefused(`is damaged: its table "${table.trim()}" is not as OpenType says`)
}
