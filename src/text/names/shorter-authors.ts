import { andMore } from './and-more.ts'
import { conjunction, isRole, withoutByline } from './byline.ts'
import { isAddendum, isDegree } from './suffixes.ts'

const comma = /[,،，、;；]/u
/** The mark between two names of a shorter list, by the one that the author's has. */
const separators: readonly (readonly [found: RegExp, separator: string])[] = [
  [/[、，]/u, '、'],
  [/،/u, '، '],
  [/[;；]/u, '; '],
]
/** Scripts whose full names have no space. */
const unspaced = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}・]{2,}$/u
/** Small letters at the start, digits, and a conjunction, which leaves open how many there are. */
const noName = new RegExp(`^\\p{Ll}|\\p{Nd}|${conjunction.source}`, 'u')
const particles = / (?:van|von|de|da|do|in|op|auf) (?:der|den|de|la|las|los|het|'t|’t) /iu
const givenInitials = /^(?:\p{Lu}\.[\s-]?)+$/u

/**
 * The people of an author's field in fewer words, the longest first: "A, B and 2 more", "A and 3 more". None for a single
 * person, a firm, and a list that says itself that there are others.
 * @param lang BCP 47
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
  const people = [...parts.slice(0, -1), ...lastTwo(parts.at(-1) ?? '')]
  return people.length > 1 && people.every(isPerson) ? people : []
}

/** Two names, or one behind a comma and an `and`. */
function lastTwo(part: string): readonly string[] {
  const [first = '', second] = ` ${part}`.split(conjunction)
  if (second === undefined) return [part]
  return [first.trim(), second].filter((name) => name !== '')
}

function isPerson(name: string): boolean {
  if (unspaced.test(name)) return true
  const bare = name.replace(particles, ' ')
  const isFull = name.includes(' ') && !noName.test(name) && !givenInitials.test(name)
  return isFull && !isRole(bare) && !name.split(' ').some(isAddendum) && !isDegree(name, true)
}
