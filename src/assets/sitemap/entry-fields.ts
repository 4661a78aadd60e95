import { words } from '../../lib/words.ts'
import { normalizeDate } from '../preview/find-date.ts'

/** Returns the URL of a page without fragment and tracking parameters, or undefined if it cannot be in a sitemap. */
export function pageUrl(raw: string, base?: string): URL | undefined {
  if (!URL.canParse(raw, base)) return undefined
  const url = new URL(raw, base)
  url.hash = ''
  const isTracked = url.search
    .slice(1)
    .split('&')
    .some((pair) => tracking.test(pair))
  if (isTracked)
    url.search = url.search
      .slice(1)
      .split('&')
      .filter((pair) => !tracking.test(pair))
      .join('&')
  const isWeb = url.protocol === 'https:' || url.protocol === 'http:'
  return isWeb && url.username === '' && url.password === '' && url.href.length < 2_048 ? url : undefined
}

/** Parameters that campaigns, advertisers and networks add to a URL. The page is the same without them. */
const tracking =
  /^(?:utm_\w+|(?:fb|g|d|ms|tw|tt|y|e)cl(?:k?id)|[gw]braid|igshid|mc_[ce]id|mkt_tok|_g[al]|_hs(?:enc|mi)|li_fat_id|oly_(?:anon|enc)_id|vero_id)(?:=|$)/i

/** Undefined for no date, one before 1990, which no page has, and one to come. A time without a zone is cut to its day. */
export function w3cDate(raw: string, nowMs: number): string | undefined {
  const text = raw.trim().slice(0, 64)
  const date = yearFirst.test(text) ? fromYearFirst(text) : fromWords(text)
  if (date === undefined || date < '1990') return undefined
  return Date.parse(date) <= nowMs + dayMs ? date : undefined
}

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

export function changefreqOf(raw: string): string | undefined {
  const text = raw.trim().toLowerCase()
  return frequencies.has(text) ? text : undefined
}

export function priorityOf(raw: string): string | undefined {
  const text = raw.trim()
  if (!decimal.test(text) || Number(text) > 1) return undefined
  return text.startsWith('.') ? `0${text}` : text
}

const frequencies: ReadonlySet<string> = new Set(words('always hourly daily weekly monthly yearly never'))
const decimal = /^(?:[01](?:\.\d{1,6})?|\.\d{1,6})$/
