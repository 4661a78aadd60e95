const number = new Intl.NumberFormat('en')

export function formatCount(value: number): string {
  return number.format(value)
}

/** `21 Nov` in UTC. */
export function formatDay(ms: number): string {
  return new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' }).format(ms)
}

/** `2026-11-21 14:02:51` in UTC. */
export function formatTime(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19).replace('T', ' ')
}

const steps = [
  { unit: 'day', ms: 86_400_000 },
  { unit: 'h', ms: 3_600_000 },
  { unit: 'min', ms: 60_000 },
  { unit: 's', ms: 1000 },
] as const

/** `12 s ago`, `2 h ago`, `9 days ago`. */
export function formatAgo(ms: number, nowMs: number): string {
  const passedMs = Math.max(0, nowMs - ms)
  const step = steps.find((candidate) => passedMs >= candidate.ms)
  if (!step) return 'just now'
  const count = Math.floor(passedMs / step.ms)
  return `${count} ${step.unit === 'day' && count > 1 ? 'days' : step.unit} ago`
}

/** `4 h 12 min`, for how long something still lasts. */
export function formatSpan(ms: number): string {
  const minutes = Math.max(1, Math.round(ms / 60_000))
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

/** `12.3 MB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  if (bytes < 1_000_000) return `${(bytes / 1000).toFixed(1)} kB`
  if (bytes < 1_000_000_000) return `${(bytes / 1_000_000).toFixed(1)} MB`
  return `${(bytes / 1_000_000_000).toFixed(2)} GB`
}

/** `0x8f3c…a91e`. */
export function shortHash(hash: string): string {
  return hash.length > 14 ? `${hash.slice(0, 6)}…${hash.slice(-4)}` : hash
}

/** Micros as money: `6.41`. */
export function formatMoney(micros: number): string {
  return new Intl.NumberFormat('en', { minimumFractionDigits: 2, maximumFractionDigits: 6 }).format(
    micros / 1_000_000,
  )
}

/** Gwei as the coin that pays for gas: `0.000012 ETH`. */
export function formatGas(gwei: number): string {
  return `${new Intl.NumberFormat('en', { maximumFractionDigits: 9 }).format(gwei / 1e9)} ETH`
}
