import { guessLanguage } from '../../../text/hyphenation.ts'
import { hasDates } from './dates.ts'
import letters from './letters.json' with { type: 'json' }

/** The language that a card is written in: as the caller says, else by its letters and words. */
export function cardLanguage(text: string, lang?: string): string {
  if (lang !== undefined && hasDates(lang)) return lang
  const all = text.match(/\p{L}/gu) ?? []
  const latin = all.filter((letter) => /\p{Script=Latin}/u.test(letter))
  const others = latin.length * 2 > all.length ? latin.join('') : text
  for (const [language, pattern] of Object.entries(letters))
    if (new RegExp(pattern, 'iu').test(others)) return language
  return guessLanguage(text) ?? 'en'
}
