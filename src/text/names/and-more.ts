import andMoreByLanguage from '../data/and-more.json' with { type: 'json' }

/** "and 2 more" by language, worded so that it holds for every number from 2 on: `#` is the number. */
const phrases: Readonly<Record<string, string>> = andMoreByLanguage
/** Languages of a script that one language nearly always has, and words that only English has. */
const guesses: readonly (readonly [lang: string, sign: RegExp])[] = [
  ['ja', /[\u3041-\u30FF]/],
  ['ko', /[\uAC00-\uD7A3]/],
  ['zh', /\p{Script=Han}/u],
  ['el', /[\u0370-\u03FF]/],
  ['he', /[\u05D0-\u05EA]/],
  ['th', /[\u0E01-\u0E4E]/],
  ['lo', /[\u0E81-\u0EDF]/],
  ['km', /[\u1780-\u17DD]/],
  ['ka', /[\u10A0-\u10FF]/],
  ['hy', /[\u0531-\u058F]/],
  ['ta', /[\u0B80-\u0BFF]/],
  ['te', /[\u0C00-\u0C7F]/],
  ['bn', /[\u0980-\u09FF]/],
  ['en', /^(?=[ -~\u2010-\u2026]*$).*\b(?:the|and|how|why|what|with|your|from|you|we|our)\b/i],
]

/**
 * "and 2 more" behind a list of people, with what is between; `+2` where nobody says the language and the texts do not
 * show it.
 * @param texts of the card, whose language counts where `lang` is missing
 */
export function andMore(count: number, lang: string | undefined, texts = ''): string {
  const known = lang ?? guesses.find(([, sign]) => sign.test(texts))?.[0] ?? ''
  const phrase = count < 2 ? undefined : phrases[known.slice(0, known.search(/-|$/)).toLowerCase()]
  if (phrase === undefined) return ` +${count}`
  return `${/^[、和]/.test(phrase) ? '' : ' '}${phrase.replace('#', String(count))}`
}
