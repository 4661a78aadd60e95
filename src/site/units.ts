/** Quantities as people read them. */

export function bytesText(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`
  return bytes < 1_000_000 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`
}

export function durationText(ms: number): string {
  if (ms < 10) return `${Math.max(ms, 0.01).toFixed(2)} ms`
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`
}

const spans = [
  { name: 'day', seconds: 86_400 },
  { name: 'hour', seconds: 3600 },
  { name: 'minute', seconds: 60 },
  { name: 'second', seconds: 1 },
] as const

/** In the largest unit of which there is at least one. */
export function spanText(seconds: number): string {
  const span = spans.find((candidate) => seconds >= candidate.seconds) ?? spans[3]
  const count = Math.floor(seconds / span.seconds)
  return `${count} ${span.name}${count === 1 ? '' : 's'}`
}

export function countText(count: number): string {
  return count.toLocaleString('en')
}
