import { normalizeDate } from '../preview/normalize-date.ts'

/**
 * Returns a date in the W3C format that sitemaps use. A time whose zone is unknown is cut to its day. Undefined for text
 * that is no date, for dates before 1990, which no page has, and for dates in the future.
 */
export function w3cDate(raw: string, nowMs: number): string | undefined {
  const text = raw.trim().slice(0, 64)
  const date = yearFirst.test(text) ? fromYearFirst(text) : fromWords(text)
  if (date === undefined || date < '1990') return undefined
  return Date.parse(date) <= nowMs + dayMs ? date : undefined
}

/** Clocks and time zones differ by up to a day. */
const dayMs = 86_400_000

const yearFirst = /^\d{4}[-/.]/
const dayAndTime = /^((?!0000)\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?:[Tt\s]\s{0,8}(\S.*))?$/
/** Time zones up to 14 hours, hours up to 23. */
const timeAndZone =
  /^((?:[01]\d|2[0-3]):[0-5]\d)(:[0-5]\d(?:\.\d{1,9})?)?\s?(?:(Z|UTC|GMT)|([+-](?:0\d|1[0-4]))(?::?([0-5]\d))?)?$/i

function fromYearFirst(text: string): string | undefined {
  const [, year = '', , month = '', dayOfMonth = '', time] = dayAndTime.exec(text) ?? []
  const day = `${year}-${month.padStart(2, '0')}-${dayOfMonth.padStart(2, '0')}`
  if (!isDay(day)) return undefined
  if (time === undefined) return day
  const [whole, minute, second = ':00', utc, hours, minutes = '00'] = timeAndZone.exec(time) ?? []
  if (whole === undefined || (hours?.endsWith('14') && minutes !== '00')) return undefined
  const zone = utc === undefined ? hours && `${hours}:${minutes}` : 'Z'
  return zone === undefined ? day : `${day}T${minute}${second}${zone}`
}

function fromWords(text: string): string | undefined {
  const date = normalizeDate(text)
  return date === undefined ? undefined : fromYearFirst(date.replace('.000Z', 'Z'))
}

function isDay(day: string): boolean {
  const ms = Date.parse(`${day}T00:00:00Z`)
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(day)
}
