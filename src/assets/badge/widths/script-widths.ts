/**
 * Scripts that badge-maker's table lacks: the mean advance of a grapheme cluster in em, by block, measured in Noto Sans
 * on running text. A cluster belongs to the block of its first code point.
 */
const blocks: readonly (readonly [first: number, last: number, em: number])[] = [
  [0x0530, 0x058f, 0.66], // Armenian
  [0x0590, 0x05ff, 0.49], // Hebrew
  [0x0600, 0x06ff, 0.47], // Arabic
  [0x0700, 0x074f, 0.55], // Syriac
  [0x0750, 0x077f, 0.47], // Arabic
  [0x0780, 0x07bf, 0.5], // Thaana
  [0x07c0, 0x085f, 0.55], // N'Ko, Samaritan, Mandaic
  [0x0860, 0x08ff, 0.47], // Syriac, Arabic
  [0x0900, 0x097f, 0.76], // Devanagari
  [0x0980, 0x09ff, 0.78], // Bengali
  [0x0a00, 0x0a7f, 0.72], // Gurmukhi
  [0x0a80, 0x0aff, 0.77], // Gujarati
  [0x0b00, 0x0b7f, 0.83], // Oriya
  [0x0b80, 0x0bff, 1.01], // Tamil
  [0x0c00, 0x0c7f, 0.97], // Telugu
  [0x0c80, 0x0cff, 0.82], // Kannada
  [0x0d00, 0x0d7f, 1.35], // Malayalam
  [0x0d80, 0x0dff, 0.95], // Sinhala
  [0x0e00, 0x0e7f, 0.54], // Thai
  [0x0e80, 0x0eff, 0.57], // Lao
  [0x0f00, 0x0fff, 0.65], // Tibetan
  [0x1000, 0x109f, 0.88], // Burmese
  [0x10a0, 0x10ff, 0.66], // Georgian
  [0x1200, 0x139f, 0.65], // Ethiopic
  [0x13a0, 0x13ff, 0.79], // Cherokee
  [0x1400, 0x167f, 0.7], // Canadian syllabics
  [0x1780, 0x17ff, 0.76], // Khmer
  [0x1800, 0x18af, 0.6], // Mongolian
  [0x1c90, 0x1cbf, 0.8], // Georgian capitals
]

/** Scripts whose characters all fill the em square; badge-maker measured Han only. */
const wide = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}]/u
const emoji = /^(?:\p{Emoji_Presentation}|\p{Emoji}\uFE0F|[#*0-9]\uFE0F?\u20E3)/u
const emojiEm = 1.25

/** Advance of a grapheme cluster in em; undefined for scripts outside the table. */
export function clusterEm(cluster: string): number | undefined {
  if (emoji.test(cluster)) return emojiEm
  const codePoint = cluster.codePointAt(0) ?? 0
  return blocks.find(([first, last]) => codePoint >= first && codePoint <= last)?.[2]
}

export function isWide(character: string): boolean {
  return wide.test(character)
}
