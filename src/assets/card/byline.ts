import { memo } from '../../lib/memo.ts'
import { andMore } from '../../text/names/and-more.ts'
import { letters } from '../preview/site-name.ts'
import type { StatedFacts } from './stated-facts.ts'

/**
 * The line of authors and date: `Ada Lovelace, Grace Hopper · 3 May 2026`; empty if the page says neither, or the site
 * alone. A date without an author stands behind the name of the site, because a card shows initials of what the line begins
 * with.
 */
export function bylineOf(
  { authors, published }: StatedFacts,
  siteName: string | undefined,
  lang: string | undefined,
): string {
  const date = published === undefined ? '' : dateText(published, lang)
  const people = authors.filter((name) => letters(name) !== letters(siteName ?? ''))
  const names = people.length > 0 ? namesText(people, lang) : date === '' ? '' : (siteName ?? '')
  if (names === '' || date === '') return names
  // Isolated, because the order of a date in Arabic is lost behind a name in Latin letters.
  return `${names} · ${/^[ -~]*$/.test(date) ? date : `\u2068${date}\u2069`}`
}

function namesText(authors: readonly string[], lang: string | undefined): string {
  for (let count = authors.length; count > 1; count -= 1) {
    const rest = authors.length - count
    const text = authors.slice(0, count).join(', ') + (rest === 0 ? '' : andMore(rest, lang))
    if (text.length <= namesCharsMax) return text
  }
  const [first = ''] = authors
  return authors.length > 1 ? first + andMore(authors.length - 1, lang) : first
}

const namesCharsMax = 52

/** A day as people of a language write it; the year alone where no day is known. */
function dateText(published: string, lang: string | undefined): string {
  const [day = '', year = ''] = /^(\d{4})-\d\d-\d\d/.exec(published) ?? []
  if (day === '') return /^\d{4}$/.exec(published)?.[0] ?? ''
  const date = new Date(`${day}T00:00:00Z`)
  if (Number.isNaN(date.getTime())) return year
  return formatterOf(lang ?? 'en-GB').format(date)
}

/** Pages name any number of languages, and a formatter takes 30 KB. */
const formattersMax = 32

const formatterOf = memo(
  (lang: string) => new Intl.DateTimeFormat(supported(lang), { dateStyle: 'long', timeZone: 'UTC' }),
  formattersMax,
)

function supported(lang: string): string {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(lang === 'en' ? 'en-GB' : lang)[0] ?? 'en-GB'
  } catch {
    return 'en-GB'
  }
}
