/** Thai and Burmese word boundaries are the same in every engine that we run on, so their dictionaries serve. */
const dictionaryScripts = /[\u0E01-\u0E4E\u1000-\u109F\uA9E0-\uA9FF\uAA60-\uAA7F]+/g
const words = new Intl.Segmenter('th', { granularity: 'word' })

/** The engines' Lao and Khmer dictionaries differ, and equal texts must give equal bytes: syllables instead. */
const syllables: readonly (readonly [RegExp, RegExp])[] = [
  [/[\u0E81-\u0EDF]+/g, laoSyllable()],
  [/[\u1780-\u17DD]+/g, khmerSyllable()],
]
const any = /[\u0E00-\u0EFF\u1000-\u109F\u1780-\u17FF\uA9E0-\uA9FF\uAA60-\uAA7F]/

/** Offsets of boundaries inside runs of scripts that write no spaces between words. */
export function southEastAsianBreaks(text: string): number[] {
  if (!any.test(text)) return []
  const offsets: number[] = []
  for (const { 0: run, index } of text.matchAll(dictionaryScripts)) {
    for (const word of words.segment(run)) if (word.index > 0) offsets.push(index + word.index)
  }
  for (const [script, syllable] of syllables) {
    for (const { 0: run, index } of text.matchAll(script)) {
      for (const match of run.matchAll(syllable)) if (match.index > 0) offsets.push(index + match.index)
    }
  }
  return offsets
}

/** Vowel written before, consonants, signs, and closing consonants that carry no sign of their own. */
function laoSyllable(): RegExp {
  const consonant = '[\\u0E81-\\u0EAE\\u0EDC-\\u0EDF]'
  const sign = '[\\u0EB0-\\u0EBD\\u0EC8-\\u0ECE]'
  const onset = `(?:\\u0EAB(?=${consonant}))?${consonant}\\u0EBC?(?:[\\u0EA7\\u0EA5\\u0EA3](?=${sign}))?`
  return new RegExp(`[\\u0EC0-\\u0EC4]?${onset}${sign}*(?:${consonant}(?!${sign}))*\\u0EC6?`, 'gu')
}

/** Consonants stacked by coeng, signs, and closing consonants that carry nothing but a shortening sign. */
function khmerSyllable(): RegExp {
  const consonant = '[\\u1780-\\u17B3]'
  const sign = '[\\u17B4-\\u17D1\\u17D3\\u17DD]'
  const closing = `${consonant}(?![\\u17B4-\\u17CA\\u17CC-\\u17D2])\\u17CB?`
  return new RegExp(`${consonant}(?:\\u17D2${consonant})*${sign}*(?:${closing})*\\u17D7?`, 'gu')
}
