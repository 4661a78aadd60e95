// Made when a page first needs them: they take 5 ms of the start, and the tables of languages that they read are large.
let count: Intl.NumberFormat | undefined
let compact: Intl.NumberFormat | undefined
let day: Intl.DateTimeFormat | undefined
let month: Intl.DateTimeFormat | undefined

/** `12,345`. */
export function formatCount(value: number): string {
  count ??= new Intl.NumberFormat('en')
  return count.format(value)
}

/** `12.3K`. */
export function formatCompact(value: number): string {
  compact ??= new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 })
  return compact.format(value)
}

/** `12.3 MB`, in powers of 1000. */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  if (bytes < 1_000_000) return `${(bytes / 1000).toFixed(1)} kB`
  if (bytes < 1_000_000_000) return `${(bytes / 1_000_000).toFixed(1)} MB`
  return `${(bytes / 1_000_000_000).toFixed(2)} GB`
}

/** `64 KiB` or `2 MiB`: a limit that is a whole number of either. */
export function formatBinaryBytes(bytes: number): string {
  return bytes < 2 ** 20 ? `${bytes / 1024} KiB` : `${bytes / 2 ** 20} MiB`
}

/** `0.42 ms`, `87 ms`, `1.3 s`. */
export function formatDuration(ms: number): string {
  if (ms < 10) return `${Math.max(ms, 0.01).toFixed(2)} ms`
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`
}

/** Foreign text in a line: what moves the cursor, ends the line or turns what follows is written as in JSON (`\\u001b`). */
export function escapeControls(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

export function escapeControlsOfLines(text: string): string {
  return text.split('\n').map(escapeControls).join('\n')
}

/** `a, b or c`. */
export function listOf(words: readonly string[]): string {
  return [words.slice(0, -1).join(', '), ...words.slice(-1)].filter(Boolean).join(' or ')
}

const units = [
  { name: 'day', ms: 86_400_000 },
  { name: 'hour', ms: 3_600_000 },
  { name: 'minute', ms: 60_000 },
  { name: 'second', ms: 1000 },
] as const

/** `9 days`: whole units of the largest one that fits. */
export function formatSpan(ms: number): string {
  const unit = units.find((candidate) => ms >= candidate.ms) ?? units[3]
  const amount = Math.floor(ms / unit.ms)
  return `${amount} ${unit.name}${amount === 1 ? '' : 's'}`
}

/** `3 days`: the nearest number of units, because a time of three days that has just begun is not two days. */
export function formatTimeLeft(ms: number): string {
  const unit = units.find((candidate) => Math.round(ms / candidate.ms) >= 1) ?? units[3]
  return formatSpan(Math.round(ms / unit.ms) * unit.ms)
}

/** `12 seconds ago`, `9 days ago`. */
export function formatAgo(ms: number, nowMs: number): string {
  const passedMs = nowMs - ms
  return passedMs < 1000 ? 'just now' : `${formatSpan(passedMs)} ago`
}

/** `21 Nov` in UTC. */
export function formatDay(ms: number): string {
  day ??= new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })
  return day.format(ms)
}

/** `14:00` in UTC. */
export function formatHour(ms: number): string {
  return new Date(ms).toISOString().slice(11, 16)
}

/** `Nov 2026` in UTC. */
export function formatMonth(ms: number): string {
  month ??= new Intl.DateTimeFormat('en-GB', { month: 'short', year: 'numeric', timeZone: 'UTC' })
  return month.format(ms)
}

/** `2026-11-21 14:02:51` in UTC. */
export function formatTime(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19).replace('T', ' ')
}

/** Micros as decimal text: at least two decimals, no more than needed. `10000` is `0.01`. */
export function formatMicros(micros: number): string {
  const digits = String(micros).padStart(7, '0')
  const fraction = digits.slice(-6).replace(/0{1,4}$/, '')
  return `${digits.slice(0, -6)}.${fraction}`
}

/** Decimal text as micros; undefined where it is no amount with at most nine digits before and six after the point. */
export function parseMicros(text: string): number | undefined {
  const [, whole, decimals = ''] = /^(\d{1,9})(?:\.(\d{1,6}))?$/.exec(text) ?? []
  return whole === undefined ? undefined : Number(whole) * 1_000_000 + Number(decimals.padEnd(6, '0'))
}

export function roundTo(value: number, decimals: number): number {
  const factor = 10 ** decimals
  return Math.round(value * factor) / factor
}

/** The words for durations below ten ms, which nearly all are: to write a fraction takes longer than to find it. */
const words = Array.from({ length: 1_000 }, (_, hundredths) => String(hundredths / 100))

/** Writes a duration with at most two decimals, such as `0.07`. */
export function inHundredths(ms: number): string {
  const hundredths = Math.round(ms * 100)
  return words[hundredths] ?? String(hundredths / 100)
}

/** The text, or its beginning with an ellipsis. Characters are code points, as a caller's bounds count them. */
export function withinCharacters(text: string, charactersMax: number): string {
  const characters = Array.from(text.slice(0, 2 * charactersMax + 2))
  return characters.length <= charactersMax ? text : `${characters.slice(0, charactersMax - 1).join('')}…`
}

/** The beginning of a text that goes on, without a torn last word where that keeps half of it, with an ellipsis. */
export function cutAfterWord(start: string): string {
  const lastSpace = start.lastIndexOf(' ')
  return `${(lastSpace > start.length / 2 ? start.slice(0, lastSpace) : start).trimEnd()}…`
}
