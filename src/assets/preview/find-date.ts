import { type DatePurpose, datePurpose } from './date-words.ts'
import { monthNumber } from './month-names.ts'
import { isCalendarDay, normalizeDate } from './normalize-date.ts'

/** How the page writes dates. */
export interface DateStyle {
  /** BCP 47. */
  readonly language: string | undefined
  /** Whether `1/2/2024` is in January, as in the United States. */
  readonly isMonthFirst: boolean
}

/** A text that has a date. */
export interface DatedText {
  readonly text: string
  /** The text in front of it on the page, which may say what the date is for. */
  readonly label?: string
}

/** Whether a date is wanted that the words beside it say is for this purpose. */
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

/** A form of writing a day, and its parts. Forms with the year first or the month as a word have one meaning only. */
const forms: readonly {
  readonly pattern: RegExp
  readonly day: (groups: Groups, style: DateStyle) => string | undefined
}[] = [
  {
    pattern: /(?<!\d)(?<year>\d{4})\s?[-./]\s?(?<month>\d{1,2})\s?[-./]\s?(?<day>\d{1,2})(?!\d)/gu,
    day: byNumbers,
  },
  {
    pattern: /(?<year>\d{4})\s?[年년]\s?(?<month>\d{1,2})\s?[月월]\s?(?<day>\d{1,2})\s?[日일]/gu,
    day: byNumbers,
  },
  {
    pattern: /(?<!\d)(?<year>\d{4})\.? (?<month>\p{L}[\p{L}\p{M}]{2,11})\.? (?<day>\d{1,2})(?!\d)/gu,
    day: byName,
  },
  { pattern: /(?<day>\d{1,2}) tháng (?<month>\d{1,2})(?:,| năm)? (?<year>\d{4})/gu, day: byNumbers },
  {
    pattern:
      /(?<!\d)(?<day>\d{1,2})(?:st|nd|rd|th|er|[.ºª])?[ \-/]{0,3}(?:de |of |d['’])?(?<month>\p{L}[\p{L}\p{M}]{1,15})\.?[ ,\-/]{0,3}(?:de |del |of )?(?<year>\d{4})(?!\d)/gu,
    day: byName,
  },
  {
    pattern:
      /(?<month>\p{L}[\p{L}\p{M}]{1,15})\.?[\s-]*(?<day>\d{1,2})(?:st|nd|rd|th)?[\s,.-]+(?<year>\d{4})(?!\d)/gu,
    day: byName,
  },
  {
    pattern: /(?<month>\p{L}{3}) (?<day>\d{1,2}) [\d:]{5,8} (?:\p{Lu}{3,5} )?(?<year>\d{4})(?!\d)/gu,
    day: byName,
  },
  { pattern: /(?<!\d)(?<one>\d{1,2})\.\s?(?<two>\d{1,2})\.\s?(?<year>\d{4})(?!\d)/gu, day: dayFirst },
  { pattern: /(?<![\d/])(?<one>\d{1,2})[/-](?<two>\d{1,2})[/-](?<year>\d{4})(?!\d)/gu, day: byHabit },
]

function findDay(raw: string, label: string, style: DateStyle, accepts: AcceptsDate): string | undefined {
  const text = raw
    .slice(0, charsMax)
    .replace(/\s+/g, ' ')
    .replace(/[٠-٩۰-۹]/g, (digit) => String(digit.charCodeAt(0) & 15))
  if (!/\d{4}/.test(text)) return undefined
  for (const { pattern, day } of forms) {
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

/** A day that pages of the web can be from. */
function dayOf(year = '', month = '', day = ''): string | undefined {
  const [monthDigits, dayDigits] = [month.padStart(2, '0'), day.padStart(2, '0')]
  const isPossible =
    /^(?:199\d|20[0-4]\d)$/.test(year) && month !== '' && isCalendarDay(year, monthDigits, dayDigits)
  return isPossible ? `${year}-${monthDigits}-${dayDigits}` : undefined
}

const charsMax = 200
