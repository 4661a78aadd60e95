import { LRUCache } from 'lru-cache'

export const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const

export type LogLevel = (typeof logLevels)[number]

export type Log = ReturnType<typeof createLog>

type LogLine = (message: string, fields?: Readonly<Record<string, unknown>>) => void

interface LogDeps {
  readonly level: LogLevel
  readonly write: (lines: string) => void
  readonly now: () => number
  readonly delayMs?: number
}

/** Files are written to by a thread, and to wake it for a few lines costs a busy server more than the lines do. */
const bufferedUnitsMax = 256 * 1024

/** A log of JSON lines, written in batches. Never throws. Fields must not hold secrets. */
export function createLog({ level, write, now, delayMs = 100 }: LogDeps) {
  const beginningOf = createBeginnings(now)
  const levelMin = logLevels.indexOf(level)
  let buffered: string[] = []
  let bufferedUnits = 0
  let timer: ReturnType<typeof setTimeout> | undefined

  function flush(): void {
    clearTimeout(timer)
    timer = undefined
    if (bufferedUnits === 0) return
    const parts = buffered
    buffered = []
    bufferedUnits = 0
    try {
      write(parts.join(''))
    } catch {
      // A failing log must not fail the request that logs, which may be paid for.
    }
  }

  function add(part: string): void {
    buffered.push(part)
    bufferedUnits += part.length
  }

  /** Logs members that are JSON already, for frequent lines. Their parts are joined when written: joining takes memory twice. */
  function line(name: LogLevel, ...members: readonly string[]): void {
    if (logLevels.indexOf(name) < levelMin) return
    add(beginningOf(name))
    for (const part of members) add(part)
    add('}\n')
    if (name === 'error' || bufferedUnits > bufferedUnitsMax) flush()
    else timer ??= setTimeout(flush, delayMs)
  }

  function at(name: LogLevel): LogLine {
    if (logLevels.indexOf(name) < levelMin) return () => {}
    return (message, fields = {}) => line(name, membersOf(message, fields))
  }

  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error'), line, flush }
}

/** Never throws, although fields may hold values that JSON cannot express, such as cycles. */
function membersOf(message: string, fields: Readonly<Record<string, unknown>>): string {
  try {
    const json = JSON.stringify({ message, ...fields }, (_, value) =>
      typeof value === 'bigint' ? String(value) : value,
    )
    return json.slice(1, -1)
  } catch (error) {
    return `"message":${JSON.stringify(message)},"fields":${JSON.stringify(String(error))}`
  }
}

/** The beginning of a line is made once for all lines of a level in one millisecond. */
function createBeginnings(now: () => number): (level: LogLevel) => string {
  let lastMs = Number.NaN
  let lastLevel: LogLevel | undefined
  let text = ''
  return (level) => {
    const timeMs = now()
    if (timeMs !== lastMs || level !== lastLevel)
      text = `{"time":"${new Date(timeMs).toISOString()}","level":"${level}",`
    lastMs = timeMs
    lastLevel = level
    return text
  }
}

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
