import { dayMs } from '../../../lib/clock.ts'
import { primaryLanguage } from '../../../lib/words.ts'
import { guessLanguage } from '../../../text/hyphenation.ts'
import data from './dates.json' with { type: 'json' }
import letters from './letters.json' with { type: 'json' }

/** The forms of dates by language. The tables are ours, because `Intl` of Bun and Deno differ. */
interface Row {
  /** The row that this one stands for. */
  readonly like?: string
  /** `{d}`, `{month}` and `{y}` in their order. */
  readonly date: string
  /** Their names in a date, in the genitive where the language wants it. */
  readonly months: string
  /** Their short names alone, in capitals where the script has them; `months` when absent. */
  readonly leaf?: string
  /** Reading time: one form, those for one and for more, those for one, two and more, or the four of Arabic. */
  readonly minutes?: string
  /** The digit zero, where it is not 0. */
  readonly zero?: string
  readonly calendar?: string
}

const rows: Readonly<Record<string, Partial<Row>>> = data
const usualLanguage = 'en'

/** `27 Nov 2026`. @param isoDate a day that exists */
export function dateIn(lang: string, isoDate: string): string {
  const row = rowOf(lang)
  const { day, month, year } = dayIn(row, isoDate)
  const names: Readonly<Record<string, string>> = { d: day, y: year, month: nameOf(row.months, month) }
  return row.date.replace(/\{(\w+)\}/g, (_, name: string) => names[name] ?? '')
}

/** Day, month and year for the leaf of a calendar. */
export function leafIn(lang: string, isoDate: string) {
  const row = rowOf(lang)
  const { day, month, year } = dayIn(row, isoDate)
  return { day, month: nameOf(row.leaf ?? row.months, month), year }
}

/** `6 min read`. */
export function readingTimeIn(lang: string, minutes: number): string {
  const row = rowOf(lang)
  const forms = (row.minutes ?? '# min').split('|')
  const few = minutes % 100 >= 3 && minutes % 100 <= 10 ? 3 : 4
  const at = minutes <= 2 ? minutes : few
  return (forms[Math.min(at, forms.length) - 1] ?? '').replace('#', digitsIn(row, minutes))
}

function nameOf(names: string, month: number): string {
  return names.split('|')[month - 1] ?? ''
}

function dayIn(row: Row, isoDate: string) {
  const [year = 0, month = 0, day = 0] = isoDate.split('-').map(Number)
  const shown =
    row.calendar === 'persian'
      ? persian(Date.parse(isoDate) / dayMs - persianEpoch)
      : { year: row.calendar === 'buddhist' ? year + 543 : year, month, day }
  return { day: digitsIn(row, shown.day), month: shown.month, year: digitsIn(row, shown.year) }
}

/** 1 Farvardin of year 1, in days from 1970. */
const persianEpoch = 1_948_320 - 2_440_588

/** The solar calendar of Iran, by its cycle of 33 years. @param days since its beginning */
function persian(days: number) {
  const year = 1 + Math.floor((33 * days + 3) / 12_053)
  const dayOfYear = days - 365 * (year - 1) - Math.floor((8 * year + 21) / 33)
  // Six months of 31 days, then months of 30.
  const month = dayOfYear < 216 ? Math.floor(dayOfYear / 31) : Math.floor((dayOfYear - 6) / 30)
  return { year, month: month + 1, day: dayOfYear - 30 * month - Math.min(month, 6) + 1 }
}

function digitsIn({ zero }: Row, value: number): string {
  const first = zero?.charCodeAt(0) ?? 48
  return String(value).replace(/\d/g, (digit) => String.fromCharCode(first + Number(digit)))
}

/** The language that a card is written in: that of the caller, else by its letters and words. */
export function cardLanguage(text: string, lang?: string): string {
  if (lang !== undefined && rows[primaryLanguage(lang)] !== undefined) return lang
  const all = text.match(/\p{L}/gu) ?? []
  const latin = all.filter((letter) => /\p{Script=Latin}/u.test(letter))
  const others = latin.length * 2 > all.length ? latin.join('') : text
  for (const [language, pattern] of Object.entries(letters))
    if (new RegExp(pattern, 'iu').test(others)) return language
  return guessLanguage(text) ?? usualLanguage
}

/** The row of a tag: that of its language, with what its script and then its region have otherwise. */
function rowOf(tag: string): Row {
  const language = primaryLanguage(tag)
  const [, script = '', region = ''] =
    /^[a-z]+(?:-[a-z]{3})*(?:-([a-z]{4}))?(?:-([a-z]{2}|\d{3}))?(?:-|$)/i.exec(tag) ?? []
  const scriptTag = `${language}-${script.charAt(0).toUpperCase()}${script.slice(1).toLowerCase()}`
  const found = [language, scriptTag, `${language}-${region.toUpperCase()}`].map((name) => {
    const row = rows[name]
    return row?.like === undefined ? row : rows[row.like]
  })
  return Object.assign({}, ...(found.some(Boolean) ? found : [rows[usualLanguage]]))
}
