export const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const

export type LogLevel = (typeof logLevels)[number]

/** A log of JSON lines, written in batches. Never throws. Fields must not hold secrets. */
export interface Log {
  debug: LogLine
  info: LogLine
  warn: LogLine
  error: LogLine
  /** Logs members that are already JSON, for lines so frequent that their cost counts. */
  line(level: LogLevel, members: string): void
  /** Writes the buffered lines. */
  flush(): void
}

type LogLine = (message: string, fields?: Readonly<Record<string, unknown>>) => void

interface LogDeps {
  readonly level: LogLevel
  readonly write: (lines: string) => void
  readonly now: () => number
  /** How long lines may be buffered. */
  readonly delayMs?: number
}

/** Files are written to by a thread, and to wake it for a few lines costs a busy server more than the lines do. */
const bufferedUnitsMax = 256 * 1024

export function createLog({ level, write, now, delayMs = 100 }: LogDeps): Log {
  const timeOf = createTimestamps(now)
  const levelMin = logLevels.indexOf(level)
  let buffered = ''
  let timer: ReturnType<typeof setTimeout> | undefined

  function flush(): void {
    clearTimeout(timer)
    timer = undefined
    const lines = buffered
    buffered = ''
    if (lines === '') return
    try {
      write(lines)
    } catch {
      // A failing log must not fail the request that logs, which may be paid for.
    }
  }

  function line(name: LogLevel, members: string): void {
    if (logLevels.indexOf(name) < levelMin) return
    buffered += `{"time":"${timeOf()}","level":"${name}",${members}}\n`
    if (name === 'error' || buffered.length > bufferedUnitsMax) flush()
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

/** The time in ISO form, formatted once a millisecond. */
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
