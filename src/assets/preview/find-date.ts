import { memo } from '../../lib/memo.ts'
import { words } from '../../lib/words.ts'
import vocabulary from './data/date-words.json' with { type: 'json' }

export interface DateStyle {
  readonly language: string | undefined
  /** True if `1/2/2024` is in January, as in the United States. */
  readonly isMonthFirst: boolean
}

export interface DatedText {
  readonly text: string
  /** The text in front of it on the page, which may say what the date is for. */
  readonly label?: string
}

/** Returns whether a date is wanted that the words beside it say is for this purpose. */
export type AcceptsDate = (date: string, purpose: DatePurpose | undefined) => boolean

/** Returns the date that a text is, or else the first day that it mentions, as ISO 8601. Dates that are not accepted are passed over. */
export function findDate(
  { text, label = '' }: DatedText,
  style: DateStyle,
  accepts: AcceptsDate,
): string | undefined {
  return wholeDate(text, label, style, accepts) ?? findDay(text, label, style, accepts)
}

function wholeDate(text: string, label: string, style: DateStyle, accepts: AcceptsDate): string | undefined {
  const date = normalizeDate(text)
  if (date === undefined) return undefined
  const before = `${label} ${text.slice(0, text.search(/\d/))}`
  const after = text.slice(text.search(/\d{4}/) + 'YYYY'.length)
  return accepts(date, datePurpose(before, after, style.language)) ? date : undefined
}

/** Returns the day in the path of a URL, such as `/2024/05/17/`. */
export function dayInUrl(url: string): string | undefined {
  const { pathname } = new URL(url)
  for (const pattern of urlPatterns) {
    const { year = '', month = '', day = '' } = pattern.exec(pathname)?.groups ?? {}
    if (year === '') continue
    const number = /^\d/.test(month) ? month : String(monthNumber(month, 'en') ?? '')
    const found = dayOf(year, number, day)
    if (found !== undefined) return found
  }
  return undefined
}

const urlPatterns: readonly RegExp[] = [
  /[/_-](?<year>\d{4})[/_-](?<month>\d{1,2}|[a-z]{3})[/_-](?<day>\d{1,2})(?![\d])/,
  /(?:^|[^\d])(?<year>(?:19|20)\d\d)(?<month>[01]\d)(?<day>[0-3]\d)(?!\d)/,
]

type Groups = Readonly<Record<string, string | undefined>>

/** Forms of writing a day, and what reads their parts. Those with the year first or the month as a word have one meaning only. */
const forms: readonly (readonly [RegExp, (groups: Groups, style: DateStyle) => string | undefined])[] = [
  [/(?<!\d)(?<year>\d{4})\s?[-./]\s?(?<month>\d{1,2})\s?[-./]\s?(?<day>\d{1,2})(?!\d)/gu, byNumbers],
  [/(?<year>\d{4})\s?[年년]\s?(?<month>\d{1,2})\s?[月월]\s?(?<day>\d{1,2})\s?[日일]/gu, byNumbers],
  [/(?<!\d)(?<year>\d{4})\.? (?<month>\p{L}[\p{L}\p{M}]{2,11})\.? (?<day>\d{1,2})(?!\d)/gu, byName],
  [/(?<day>\d{1,2}) tháng (?<month>\d{1,2})(?:,| năm)? (?<year>\d{4})/gu, byNumbers],
  [
    /(?<!\d)(?<day>\d{1,2})(?:st|nd|rd|th|er|[.ºª])?[ \-/]{0,3}(?:de |of |d['’])?(?<month>\p{L}[\p{L}\p{M}]{1,15})\.?[ ,\-/]{0,3}(?:de |del |of )?(?<year>\d{4})(?!\d)/gu,
    byName,
  ],
  [
    /(?<month>\p{L}[\p{L}\p{M}]{1,15})\.?[\s-]*(?<day>\d{1,2})(?:st|nd|rd|th)?[\s,.-]+(?<year>\d{4})(?!\d)/gu,
    byName,
  ],
  [/(?<month>\p{L}{3}) (?<day>\d{1,2}) [\d:]{5,8} (?:\p{Lu}{3,5} )?(?<year>\d{4})(?!\d)/gu, byName],
  [/(?<!\d)(?<one>\d{1,2})\.\s?(?<two>\d{1,2})\.\s?(?<year>\d{4})(?!\d)/gu, dayFirst],
  [/(?<![\d/])(?<one>\d{1,2})[/-](?<two>\d{1,2})[/-](?<year>\d{4})(?!\d)/gu, byHabit],
]

function findDay(raw: string, label: string, style: DateStyle, accepts: AcceptsDate): string | undefined {
  const text = raw
    .slice(0, 200)
    .replace(/\s+/g, ' ')
    .replace(/[٠-٩۰-۹]/g, (digit) => String(digit.charCodeAt(0) & 15))
  if (!/\d{4}/.test(text)) return undefined
  for (const [pattern, day] of forms) {
    for (const match of text.matchAll(pattern)) {
      const found = day(match.groups ?? {}, style)
      if (found === undefined) continue
      const before = `${label} ${text.slice(0, match.index)}`
      const after = text.slice(match.index + match[0].length)
      if (accepts(found, datePurpose(before, after, style.language))) return found
    }
  }
  return undefined
}

function byNumbers({ year, month, day }: Groups): string | undefined {
  return dayOf(year, month, day)
}

function byName({ year, month, day }: Groups, { language }: DateStyle): string | undefined {
  return month === undefined ? undefined : dayOf(year, String(monthNumber(month, language) ?? ''), day)
}

function dayFirst({ year, one, two }: Groups): string | undefined {
  return dayOf(year, two, one)
}

function byHabit({ year, one, two }: Groups, { isMonthFirst }: DateStyle): string | undefined {
  return isMonthFirst
    ? (dayOf(year, one, two) ?? dayOf(year, two, one))
    : (dayOf(year, two, one) ?? dayOf(year, one, two))
}

function dayOf(year = '', month = '', day = ''): string | undefined {
  const [monthDigits, dayDigits] = [month.padStart(2, '0'), day.padStart(2, '0')]
  const isPossible =
    /^(?:199\d|20[0-4]\d)$/.test(year) && month !== '' && isCalendarDay(year, monthDigits, dayDigits)
  return isPossible ? `${year}-${monthDigits}-${dayDigits}` : undefined
}

// `before` has the words in front of a date, `behind` those behind it; `_` is a space, `*` any ending. `beforeShort` has words
// of up to three letters by language, because they mean something else in others.

/** `active`: somebody was active then. `other`: something begins, ends, was founded and so on. */
export type DatePurpose = 'published' | 'modified' | 'active' | 'other'

const afterCharsMax = 24

function datePurpose(before: string, after: string, language: string | undefined): DatePurpose | undefined {
  if (isRange(before, after)) return 'other'
  const behind = plain(after.slice(0, afterCharsMax))
  const afterwards = following.find(({ pattern }) => pattern.test(behind))
  if (afterwards !== undefined) return afterwards.purpose
  return nearestPurpose(before, language)
}

const beforeCharsMax = 48

function nearestPurpose(before: string, language: string | undefined): DatePurpose | undefined {
  if (before.length < 2) return undefined
  const text = plain(before.slice(-beforeCharsMax)).split(divider).at(-1) ?? ''
  let purpose: DatePurpose | undefined
  const tag = language?.split('-')[0]?.toLowerCase() ?? 'en'
  for (const { groups } of text.matchAll(precedingIn(Object.hasOwn(shortWords, tag) ? tag : '')))
    purpose = purposes.find((name) => groups?.[name] !== undefined)
  return purpose
}

const purposes = ['other', 'active', 'modified', 'published'] as const
/** A word in front of another date belongs to that one. */
const divider = /[|·•]|\d{4}/

/** Days of an event are written as a range: `3–5 May 2011`, `3 May 2011 to 5 May 2011`. */
function isRange(before: string, after: string): boolean {
  return firstDay.test(before.slice(-12)) || secondDay.test(after.slice(0, 40))
}

const firstDay = /(?<![\d:.])\d{1,2}[-–—]$|(?:19|20)\d\d ?(?:[-–—]|to|until|through|bis|au|al|tot|do|до) ?$/

const secondDay =
  /^ ?(?:[-–—]|to|until|through|bis|au|al|tot|do|до) ?(?:\p{L}{2,12}\.? )?\d{1,2}[^:\d]{1,16}(?:19|20)\d\d/u

function plain(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').normalize('NFC').toLowerCase()
}

const precedingIn = memo((language: string): RegExp => {
  const pattern = purposes.map((purpose) => {
    const own = purpose === 'other' ? (shortWords[language] ?? '') : ''
    return `(?<${purpose}>${alternatives(`${vocabulary.before[purpose].join(' ')} ${own}`)})`
  })
  return new RegExp(pattern.join('|'), 'gu')
})

const shortWords: Readonly<Record<string, string>> = vocabulary.beforeShort

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

function monthNumber(name: string, language: string | undefined): number | undefined {
  const key = keyOf(name)
  const own = language?.split('-')[0]?.toLowerCase() ?? ''
  return (
    monthsOf(own).get(key) ??
    Object.keys(names)
      .map((other) => monthsOf(other).get(key))
      .find(Boolean)
  )
}

const monthsOf = memo((language: string): ReadonlyMap<string, number> => {
  const entries = (names[language]?.split(' ') ?? []).flatMap((forms, index) =>
    forms.split('|').map((form) => [form, index + 1] as const),
  )
  return new Map(entries)
})

function keyOf(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/\p{M}|\./gu, '')
    .toLowerCase()
}

/** Names by language, from the Unicode locale data; one of two months counts in the first language. */
const names: Readonly<Record<string, string>> = vocabulary.months

/** Returns a day, a local time, or an instant if the text has a zone or is a Unix time. No time and no zone is invented. */
export function normalizeDate(raw: string | undefined): string | undefined {
  const text = (raw ?? '').trim().slice(0, 64)
  if (!/\d/.test(text)) return undefined
  const date = fromIso(text) ?? fromEpoch(text) ?? fromWords(text)
  // Programs that have no date write that of Unix time 0, in whatever zone.
  return date === undefined || /^(?:1970-01-01|1969-12-31)/.test(date) ? undefined : date
}

function isCalendarDay(year: string, month: string, day: string): boolean {
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)))
  return date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day) && Number(year) >= 1000
}

const isoDate =
  /^(\d{4})-?(\d{2})-?(\d{2})(?:[T\s]+(\d{2}):?(\d{2})(?::?(\d{2})(?:[.,](\d{1,9}))?)?\s*(Z|UTC|GMT|[+-]\d{2}(?::?\d{2})?)?)?$/i

function fromIso(text: string): string | undefined {
  const parts = isoDate.exec(text)
  if (parts === null) return undefined
  const [, year = '', month = '', day = '', hour, minute = '', second = '00', fraction = '', zone] = parts
  if (!isCalendarDay(year, month, day)) return undefined
  const date = `${year}-${month}-${day}`
  if (hour === undefined) return date
  const time = `${date}T${hour}:${minute}:${second}`
  if (zone === undefined) return Number.isNaN(Date.parse(`${time}Z`)) ? undefined : time
  return toInstant(time, fraction.padEnd(3, '0').slice(0, 3), isoZone(zone))
}

function isoZone(zone: string): string {
  if (/^[a-z]/i.test(zone)) return 'Z'
  const digits = zone.replace(':', '').padEnd(5, '0')
  return `${digits.slice(0, 3)}:${digits.slice(3)}`
}

/** In UTC, unless it is another day there: then in the zone of the page, as its readers know that day. */
function toInstant(time: string, fraction: string, zone: string): string | undefined {
  const instant = Date.parse(`${time}.${fraction}${zone}`)
  if (Number.isNaN(instant)) return undefined
  const inUtc = new Date(instant).toISOString()
  return inUtc.slice(0, 10) === time.slice(0, 10) ? inUtc : `${time}${zone}`
}

function fromEpoch(text: string): string | undefined {
  if (/^\d{10}$/.test(text)) return new Date(Number(text) * 1000).toISOString()
  return /^\d{13}$/.test(text) ? new Date(Number(text)).toISOString() : undefined
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const monthName = '(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\\.?'
const dayFirstDate = new RegExp(
  `^(?:[a-z]{3,9}\\.?,?\\s+)?(\\d{1,2})(?:st|nd|rd|th)?\\s+${monthName},?\\s+(\\d{4})(?:,?\\s+(.+))?$`,
  'i',
)
const monthFirstDate = new RegExp(
  `^(?:[a-z]{3,9}\\.?,?\\s+)?${monthName}\\s+(\\d{1,2})(?:st|nd|rd|th)?,?\\s+(\\d{4})(?:,?\\s+(.+))?$`,
  'i',
)

function fromWords(text: string): string | undefined {
  const dayFirst = dayFirstDate.exec(text)
  const monthFirst = monthFirstDate.exec(text)
  const parts = dayFirst ?? monthFirst
  if (parts === null) return undefined
  const [month = '', day = ''] = dayFirst ? [parts[2], parts[1]] : [parts[1], parts[2]]
  const monthNumber = String(months.indexOf(month.toLowerCase()) + 1).padStart(2, '0')
  const date = `${parts[3]}-${monthNumber}-${day.padStart(2, '0')}`
  return fromIso(parts[4] === undefined ? date : `${date} ${parts[4]}`) ?? fromIso(date)
}
