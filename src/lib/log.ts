export const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const

export type LogLevel = (typeof logLevels)[number]

/** Structured lines: one JSON object each, written in batches. Nothing of it ever throws. Fields must never hold secrets. */
export interface Log {
  debug: LogLine
  info: LogLine
  warn: LogLine
  error: LogLine
  /** A line whose members are JSON already: for what is logged so often that its cost counts. */
  line(level: LogLevel, members: string): void
  /** Writes what is still held back. */
  flush(): void
}

type LogLine = (message: string, fields?: Readonly<Record<string, unknown>>) => void

interface LogDeps {
  readonly level: LogLevel
  readonly write: (lines: string) => void
  readonly now: () => number
  /** How long lines may be held back, in ms. */
  readonly delayMs?: number
}

/** Lines that are held for long outlive the collector's first look, and cost it more than writing them does. */
const heldUnitsMax = 16 * 1024

export function createLog({ level, write, now, delayMs = 100 }: LogDeps): Log {
  const timeOf = createTimestamps(now)
  const least = logLevels.indexOf(level)
  let held = ''
  let timer: ReturnType<typeof setTimeout> | undefined

  function flush(): void {
    clearTimeout(timer)
    timer = undefined
    const lines = held
    held = ''
    if (lines === '') return
    try {
      write(lines)
    } catch {
      // Whoever logs has something else to do, often a call that is paid for already.
    }
  }

  function line(name: LogLevel, members: string): void {
    if (logLevels.indexOf(name) < least) return
    held += `{"time":"${timeOf()}","level":"${name}",${members}}\n`
    if (name === 'error' || held.length > heldUnitsMax) flush()
    else timer ??= setTimeout(flush, delayMs)
  }

  function at(name: LogLevel): LogLine {
    if (logLevels.indexOf(name) < least) return () => {}
    return (message, fields = {}) => line(name, membersOf(message, fields))
  }

  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error'), line, flush }
}

/** Never throws: fields may hold what JSON has no form for, such as a circle. */
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

/** The time in ISO form, written out once a millisecond. */
function createTimestamps(now: () => number): () => string {
  let lastMs = Number.NaN
  let text = ''
  return () => {
    const timeMs = now()
    if (timeMs !== lastMs) text = new Date(timeMs).toISOString()
    lastMs = timeMs
    return text
  }
}
