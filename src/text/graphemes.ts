import { hasGlyph } from './coverage/lookup.ts'

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' })
/** Every character of these ranges is a grapheme by itself. */
const simple =
  /^[\u0020-\u007E\u00A0-\u00AC\u00AE-\u02FF\u0370-\u0482\u048A-\u0590\u1E00-\u1FFF\u2010-\u2027\u2030-\u205E\u20A0-\u20CF\u2150-\u218F\u3001-\u3029\u3030-\u303E\u3041-\u3096\u309B-\u30FF\u4E00-\u9FFF\uFF01-\uFF9D]*$/
/** Characters that join to their neighbours: general marks, joiners, selectors, flags, skin tones, tags. */
const joining =
  /[\u00AD\u200B-\u200F\u2060-\u206F\u{1F1E6}-\u{1FAFF}\u{E0020}-\u{E007F}]|[\u0300-\u036F\u1AB0-\u1ACE\u1DC0-\u1DFF\u20D0-\u20F0\uFE00-\uFE0F\uFE20-\uFE2F\u{E0100}-\u{E01EF}]/u

/** Vowels and final consonants of old Korean, which no font has: the rest of a syllable. */
const jamo = /^[\u1160-\u11FF\uD7B0-\uD7FB]$/
const jamoBefore = /[\u1100-\u11FF\uA960-\uA97C\uD7B0-\uD7FB]$/

/** The characters that a reader sees. One that no font has is alone: engines disagree on how those of the newest Unicode combine. */
export function graphemesOf(text: string): string[] {
  if (simple.test(text)) return text.split('')
  const graphemes: string[] = []
  let stretch = ''
  for (const character of text) {
    if (hasGlyph(character.codePointAt(0) ?? 0) || joining.test(character)) {
      stretch += character
      continue
    }
    const last = graphemes.length - 1
    if (stretch === '' && jamo.test(character) && jamoBefore.test(graphemes[last] ?? '')) {
      graphemes[last] += character
      continue
    }
    graphemes.push(...segment(stretch), character)
    stretch = ''
  }
  graphemes.push(...segment(stretch))
  return graphemes
}

function segment(text: string): string[] {
  return text === '' ? [] : Array.from(segmenter.segment(text), ({ segment }) => segment)
}
