export function w3cDate(raw: string): string | null {
  const [whole, day, minute, second = ':00', zone] = w3cDateOrTime.exec(raw.trim()) ?? []
  if (whole === undefined || day === undefined || !isDay(day)) return null
  return minute === undefined ? day : `${day}T${minute}${second}${zone}`
}

/** Zones go as far as 14 hours, years begin with 1, midnight belongs to the day that it begins. */
const w3cDateOrTime =
  /^((?!0000)\d{4}-\d{2}-\d{2})(?:T((?:[01]\d|2[0-3]):[0-5]\d)(:[0-5]\d(?:\.\d{1,9})?)?(Z|[+-](?:(?:0\d|1[0-3]):[0-5]\d|14:00)))?$/

function isDay(day: string): boolean {
  const ms = Date.parse(`${day}T00:00:00Z`)
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(day)
}
