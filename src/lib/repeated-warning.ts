import { LRUCache } from 'lru-cache'
import type { Log } from './log.ts'

const everyMs = 5_000
const reasonsMax = 100

/** Logs a warning at once, and the same reason again only after some seconds, with how often it came meanwhile. */
export function createRepeatedWarning(log: Pick<Log, 'warn'>, message: string) {
  const said = new LRUCache<string, { readonly atMs: number; suppressed: number }>({ max: reasonsMax })
  return (reason: string, fields: Readonly<Record<string, unknown>> = {}): void => {
    const nowMs = performance.now()
    const last = said.get(reason)
    if (last !== undefined && nowMs - last.atMs < everyMs) {
      last.suppressed += 1
      return
    }
    said.set(reason, { atMs: nowMs, suppressed: 0 })
    const suppressed = last?.suppressed ?? 0
    log.warn(message, { reason, ...fields, ...(suppressed > 0 && { suppressed }) })
  }
}
