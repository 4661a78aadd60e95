import { isWordLetter } from '../word-letters.ts'

/** Letters, marks and digits of the scripts that are no alphabets of `isWordLetter`. */
const letter = /^[\p{L}\p{M}\p{Nd}]/u
/** These stand alone, in whichever font has them. */
const solitary = /^[\u3000-\u30FF\u3400-\u9FFF\uFF00-\uFF60\u{20000}-\u{3FFFF}]/u

/**
 * Which graphemes belong to a word that a brand's font has in part only, in scripts whose letters join, stack or carry each
 * other: such a word is set wholly in ours. Words of the alphabets find their face by themselves, and ideographs and kana stand
 * alone.
 */
export function tornWords(
  graphemes: readonly string[],
  isBrands: (grapheme: string) => boolean,
): ReadonlySet<number> {
  const torn = new Set<number>()
  for (let start = 0; start < graphemes.length; ) {
    let end = start
    while (end < graphemes.length && isJoined(graphemes[end] ?? '')) end++
    const word = graphemes.slice(start, end)
    if (!word.every(isBrands)) for (let at = start; at < end; at++) torn.add(at)
    start = Math.max(end, start + 1)
  }
  return torn
}

function isJoined(grapheme: string): boolean {
  return letter.test(grapheme) && !solitary.test(grapheme) && !isWordLetter(grapheme.codePointAt(0) ?? 0)
}
