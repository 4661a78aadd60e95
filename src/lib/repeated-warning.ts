import { LRUCache } from 'lru-cache'
import type { Log } from './log.ts'

const reasonsMax = 100

/** Logs a warning; the same reason again only after `intervalMs`, with the number of suppressed repetitions. */
export function createRepeatedWarning(log: Pick<Log, 'warn'>, message: string, intervalMs = 5_000) {
  const logged = new LRUCache<string, { readonly atMs: number; suppressed: number }>({ max: reasonsMax })
  return (reason: string, fields: Readonly<Record<string, unknown>> = {}): void => {
    const nowMs = performance.now()
    const last = logged.get(reason)
    if (last !== undefined && nowMs - last.atMs < intervalMs) {
      last.suppressed += 1
      return
    }
    logged.set(reason, { atMs: nowMs, suppressed: 0 })
    const suppressed = last?.suppressed ?? 0
    log.warn(message, { reason, ...fields, ...(suppressed > 0 && { suppressed }) })
  }
}
