import { words } from '../../lib/words.ts'
// `before` has the words in front of a date, `behind` those behind it; `_` is a space, `*` any ending. `beforeShort` has words
// of up to three letters by language, because they mean something else in others.
import vocabulary from './data/date-words.json' with { type: 'json' }

/**
 * The purpose of a date, by the words beside it. `active`: somebody was active then. `other`: something begins, ends, was
 * founded and so on.
 */
export type DatePurpose = 'published' | 'modified' | 'active' | 'other'

/**
 * Returns the purpose that the nearest word gives a date, or undefined if no word does.
 * @param before text in front of the date
 * @param after text behind it, where some languages put the word
 * @param language of the page, BCP 47: words of up to three letters count in their own language only
 */
export function datePurpose(
  before: string,
  after: string,
  language: string | undefined,
): DatePurpose | undefined {
  if (isRange(before, after)) return 'other'
  const behind = plain(after.slice(0, afterCharsMax))
  const afterwards = following.find(({ pattern }) => pattern.test(behind))
  if (afterwards !== undefined) return afterwards.purpose
  return nearestPurpose(before, language)
}

/** Returns the purpose that the last telling word of a text gives the date behind it. */
function nearestPurpose(before: string, language: string | undefined): DatePurpose | undefined {
  if (before.length < 2) return undefined
  const text = plain(before.slice(-beforeCharsMax)).split(divider).at(-1) ?? ''
  let purpose: DatePurpose | undefined
  for (const { groups } of text.matchAll(precedingIn(language?.split('-')[0]?.toLowerCase() ?? 'en')))
    purpose = purposes.find((name) => groups?.[name] !== undefined)
  return purpose
}

const purposes = ['other', 'active', 'modified', 'published'] as const
const beforeCharsMax = 48
const afterCharsMax = 24
/** A word in front of another date belongs to that one. */
const divider = /[|·•]|\d{4}/

/** Days of an event are written as a range: `3–5 May 2011`, `3 May 2011 to 5 May 2011`. */
function isRange(before: string, after: string): boolean {
  return firstDay.test(before.slice(-12)) || secondDay.test(after.slice(0, 40))
}

const firstDay = /(?<![\d:.])\d{1,2}[-–—]$|(?:19|20)\d\d ?(?:[-–—]|to|until|through|bis|au|al|tot|do|до) ?$/

const secondDay =
  /^ ?(?:[-–—]|to|until|through|bis|au|al|tot|do|до) ?(?:\p{L}{2,12}\.? )?\d{1,2}[^:\d]{1,16}(?:19|20)\d\d/u

/** Small letters without accents. */
function plain(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').normalize('NFC').toLowerCase()
}

function precedingIn(language: string): RegExp {
  const cached = patterns.get(language)
  if (cached !== undefined) return cached
  const short = shortWords[language]
  const pattern = new RegExp(
    purposes
      .map((purpose) => {
        const own = purpose === 'other' && short !== undefined ? ` ${short}` : ''
        return `(?<${purpose}>${alternatives(vocabulary.before[purpose].join(' ') + own)})`
      })
      .join('|'),
    'gu',
  )
  if (short !== undefined || language === 'en') patterns.set(language, pattern)
  return pattern
}

const shortWords: Readonly<Record<string, string>> = vocabulary.beforeShort
const patterns = new Map<string, RegExp>()

/** Words of scripts with spaces are whole; those of the others may be anywhere. */
function alternatives(list: string): string {
  const all = words(plain(list)).map((word) => word.replace(/[.+?()[\]{}|\\/^$]/g, '\\$&'))
  const [joined, spaced] = [true, false].map((isJoined) =>
    all
      .filter((word) => unspaced.test(word) === isJoined)
      .sort((one, other) => other.length - one.length)
      .map((word) => word.replaceAll('_', '\\s+').replaceAll('*', '\\p{L}*'))
      .join('|'),
  )
  const whole = spaced === '' ? nothing : `(?<!\\p{L})(?:${spaced})(?!\\p{L})`
  return joined === '' ? whole : `${joined}|${whole}`
}

const nothing = '(?!)'
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Hangul}]/u

const following = purposes.map((purpose) => ({
  purpose,
  pattern: new RegExp(
    `^[^\\p{L}|·•]{0,10}(?:\\p{L}{1,2}[^\\p{L}]{1,2})?(?:${alternatives(vocabulary.behind[purpose].join(' '))})`,
    'u',
  ),
}))
