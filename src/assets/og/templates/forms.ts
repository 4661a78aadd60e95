import { cleanText, countCodePoints } from '../../../text/clean-text.ts'

/** Forms of the parameters of templates. */

export const [codeLengthMax, codeLinesMax] = [1200, 14]

/** Code as it is drawn: lines end with a line feed, a tab is two spaces, and nothing is collapsed. */
export function cleanCode(raw: string): string {
  const lines = raw.replace(/\r\n?|[\u2028\u2029]/g, '\n').replace(/\t/g, '  ')
  const clean = lines.replace(/[^\n\p{Zs}]+/gu, (word) => cleanText(word))
  return clean.replace(/^(?:\p{Zs}*\n)+/u, '').replace(/(?<!\s)\s+$/, '')
}

export function codeMistake(raw: string): string | undefined {
  const code = cleanCode(raw)
  const [length, lines] = [countCodePoints(code), code.split('\n').length]
  const hint = '; overflow=ellipsis cuts longer code'
  if (code === '') return `must be 1 to ${codeLengthMax} characters`
  if (length > codeLengthMax) return `must be 1 to ${codeLengthMax} characters, not ${length}${hint}`
  return lines > codeLinesMax ? `must have at most ${codeLinesMax} lines, not ${lines}${hint}` : undefined
}

/** Code of any length, cut to what a card shows. */
export function cutCode(raw: string): string {
  const code = cleanCode(raw)
  const lines = code.split('\n')
  const few = lines.length > codeLinesMax ? [...lines.slice(0, codeLinesMax - 1), '…'].join('\n') : code
  return countCodePoints(few) > codeLengthMax ? `${[...few].slice(0, codeLengthMax - 1).join('')}…` : few
}

/** An event ends so many days after it begins, at most. */
export const untilDaysMax = 366

export type Moment = NonNullable<ReturnType<typeof momentOf>>

const momentForm =
  /^(\d{4}-\d\d-\d\d)(?:[Tt]((?:[01]\d|2[0-3]):[0-5]\d)(?::[0-5]\d(?:[.,]\d{1,9})?)?([Zz]|[+\- ](?:0\d|1[0-4]):[0-5]\d))?$/

/** A day, or a time of it in a zone, in the caller's spelling. A plus sign that was not escaped arrives as a space. */
export function momentOf(written: string) {
  const [text, day = '', time, zone] = momentForm.exec(written) ?? []
  if (text === undefined || !isDay(day)) return undefined
  const offset = zone?.toUpperCase().replace(' ', '+')
  const ms = Date.parse(time === undefined ? `${day}T00:00Z` : `${day}T${time}${offset}`)
  return { day, time, zone: offset, text: text.replace(' ', '+'), ms }
}

/** True if a text is a day of the calendar as `YYYY-MM-DD`. */
export function isDay(text: string): boolean {
  const time = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
}

const statsMax = 3

/** One to three values, each with a label behind its first space; undefined for another form. */
export function statsOf(text: string) {
  const stats = text.split('|').map((part) => {
    const [value = '', ...words] = part.trim().split(' ')
    return { value, label: words.join(' ').trim() || undefined }
  })
  return stats.length <= statsMax && stats.every(({ value }) => value !== '') ? stats : undefined
}

const [itemsMax, itemLengthMax] = [3, 60]

/** The items of a text, of which `|` separates them and `\|` is a bar, each with the kind before its first `: `. Empty ones are none. */
export function itemsOf(list: unknown) {
  return (typeof list === 'string' ? list : '')
    .split(/(?<!\\)\|/)
    .map((item) => cleanText(item.replaceAll('\\|', '|')))
    .filter((item) => item !== '')
    .map((all) => {
      const [, kind, text = all] = /^(.+?): (.+)$/s.exec(all) ?? []
      return { kind, text, all }
    })
}

export function itemsMistake(list: string): string | undefined {
  const items = itemsOf(list)
  if (items.length > itemsMax) return `must be up to ${itemsMax} items, not ${items.length}`
  const long = items.map(({ all }) => countCodePoints(all)).find((length) => length > itemLengthMax)
  return long === undefined ? undefined : `must have items of up to ${itemLengthMax} characters, not ${long}`
}
