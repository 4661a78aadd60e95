/** Returns a date in the W3C format that sitemaps use, or undefined for other text. */
export function w3cDate(raw: string): string | undefined {
  const [whole, day, minute, second = ':00', zone] = w3cDateOrTime.exec(raw.trim()) ?? []
  if (whole === undefined || day === undefined || !isDay(day)) return undefined
  return minute === undefined ? day : `${day}T${minute}${second}${zone}`
}

/** Time zones up to 14 hours, years from 1, hours up to 23. */
const w3cDateOrTime =
  /^((?!0000)\d{4}-\d{2}-\d{2})(?:T((?:[01]\d|2[0-3]):[0-5]\d)(:[0-5]\d(?:\.\d{1,9})?)?(Z|[+-](?:(?:0\d|1[0-3]):[0-5]\d|14:00)))?$/

function isDay(day: string): boolean {
  const ms = Date.parse(`${day}T00:00:00Z`)
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(day)
}
