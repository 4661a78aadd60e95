import { primaryLanguage } from '../../lib/words.ts'
import andMoreByLanguage from '../data/and-more.json' with { type: 'json' }
import { conjunction, isRole, withoutByline } from './byline.ts'
import { isAddendum, isDegree } from './titles.ts'

const comma = /[,،，、;；]/u
/** The mark between two names of a shorter list, by the one that the author's has. */
const separators: readonly (readonly [found: RegExp, separator: string])[] = [
  [/[、，]/u, '、'],
  [/،/u, '، '],
  [/[;；]/u, '; '],
]
const unspaced = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}・]{2,}$/u
/** Small letters at the start, digits, and a conjunction, which leaves open how many there are. */
const noName = new RegExp(`^\\p{Ll}|\\p{Nd}|${conjunction.source}`, 'u')
const particles = / (?:van|von|de|da|do|in|op|auf) (?:der|den|de|la|las|los|het|'t|’t) /iu
const givenInitials = /^(?:\p{Lu}\.[\s-]?)+$/u

/**
 * The people of an author's field in fewer words, the longest first: "A, B and 2 more", "A and 3 more". None for a single person, a
 * firm, and a list that says itself that there are others.
 * @param texts of the card, whose language counts where `lang` is missing
 */
export function shorterAuthors(author: string, lang: string | undefined, texts: string): readonly string[] {
  const [names = '', description = ''] = author.split(/(?= [·|] )/u)
  const people = peopleOf(names)
  const separator = separators.find(([found]) => found.test(author))?.[1] ?? ', '
  const shorter: string[] = []
  for (let shown = people.length - 1; shown > 0; shown--) {
    const more = people.length - shown
    // One more is no shorter than the name, except behind the only other one.
    if (more === 1 && shown > 1) continue
    shorter.push(people.slice(0, shown).join(separator) + andMore(more, lang, texts) + description)
  }
  return shorter
}

/** The names in a list of people; none where the text is something else. */
function peopleOf(author: string): readonly string[] {
  const text = withoutByline(author)
  if (!author.endsWith(text)) return []
  const parts = text.split(comma).map((part) => part.trim())
  const last = parts.pop() ?? ''
  const [first = '', second] = ` ${last}`.split(conjunction)
  const lastTwo = second === undefined ? [last] : [first.trim(), second].filter((name) => name !== '')
  const people = [...parts, ...lastTwo]
  return people.length > 1 && people.every(isPerson) ? people : []
}

function isPerson(name: string): boolean {
  if (unspaced.test(name)) return true
  const bare = name.replace(particles, ' ')
  const isFull = name.includes(' ') && !noName.test(name) && !givenInitials.test(name)
  return isFull && !isRole(bare) && !name.split(' ').some(isAddendum) && !isDegree(name, true)
}

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

/** The number of others behind a list of people, with what is between; `+2` where neither `lang` nor `texts` show the language. */
export function andMore(count: number, lang: string | undefined, texts = ''): string {
  const known = lang ?? guesses.find(([, sign]) => sign.test(texts))?.[0] ?? ''
  const phrase = count < 2 ? undefined : phrases[primaryLanguage(known)]
  if (phrase === undefined) return ` +${count}`
  return `${/^[、和]/.test(phrase) ? '' : ' '}${phrase.replace('#', String(count))}`
}
