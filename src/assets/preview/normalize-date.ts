/**
 * Returns a date as ISO 8601: a day, a local time, or an instant if the text has a zone or is a Unix time. Returns
 * undefined for other text. No time and no zone is invented.
 */
export function normalizeDate(raw: string | undefined): string | undefined {
  const text = (raw ?? '').trim().slice(0, 64)
  if (!/\d/.test(text)) return undefined
  const date = fromIso(text) ?? fromEpoch(text) ?? fromWords(text)
  // Programs that have no date write that of Unix time 0, in whatever zone.
  return date === undefined || /^(?:1970-01-01|1969-12-31)/.test(date) ? undefined : date
}

export function isCalendarDay(year: string, month: string, day: string): boolean {
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
