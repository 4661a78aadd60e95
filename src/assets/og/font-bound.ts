import { loadedOnce } from '../../lib/memo.ts'
import { type ResolvedQuery, unchanged } from '../kit/producer.ts'
import { type FontQuery, fontFilesMax, textIn, textNames } from './query.ts'

/** Latin, Greek and Cyrillic letters, their marks and signs are in at most so many files, whatever the theme. */
export const alphabetFilesMax = 40
const otherCharacters = /[^\u0020-\u052F\u1E00-\u2027]/gu

/** Nearly every card has too few characters for too many fonts, so that they need not be counted. */
export function mayNeedManyFonts(query: FontQuery): boolean {
  let characters = 0
  for (const name of textNames) {
    const found = textIn(query, name).match(otherCharacters)
    if (found != null) characters += new Set(found).size
  }
  return characters > fontFilesMax - alphabetFilesMax
}

/** Uses what counts fonts. It is loaded with the first card that needs it, because it knows the characters of all fonts. */
export const withFontCount = loadedOnce(async () => {
  const { cutToFonts, fontMistakes, loadFontCount } = await import('./count-fonts.ts')
  await loadFontCount()
  return { cutToFonts, fontMistakes }
})

/** Adds mistakes of texts that need too many fonts, known once what counts fonts is loaded, to the meaning of a query. */
export function boundFonts(query: FontQuery, resolved?: ResolvedQuery): ResolvedQuery | undefined {
  if (!mayNeedManyFonts(query)) return resolved
  const mistakes = withFontCount(({ fontMistakes }) => fontMistakes(query))
  const meant = resolved ?? unchanged
  if (mistakes instanceof Promise)
    return { ...meant, isCurrent: () => false, recheck: () => mistakes.then(() => meant.recheck()) }
  return mistakes.length === 0 ? resolved : { ...meant, unlessAnswered: mistakes }
}
