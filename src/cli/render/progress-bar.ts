interface Terminal {
  readonly isTTY?: boolean
  readonly columns?: number
  write(text: string): unknown
}

const everyMs = 100
const barChars = 24

/** Shows on a terminal how far a run is, in one line that is drawn again and again; nothing on a pipe. */
export function createProgressBar(terminal: Terminal, total: number, nowMs: () => number, unit = '') {
  const startMs = nowMs()
  let done = 0
  let shownMs = Number.NEGATIVE_INFINITY
  const isShown = terminal.isTTY === true

  function show(): void {
    const seconds = Math.max((nowMs() - startMs) / 1000, 0.001)
    const filled = Math.round(barChars * Math.min(1, done / total))
    const bar = '█'.repeat(filled) + '░'.repeat(barChars - filled)
    const left = done === 0 || done > total ? '' : `, ${clock((seconds / done) * (total - done))} left`
    const line = `${bar} ${done}/${total}${unit && ` ${unit}`}, ${Math.round(done / seconds)} a second${left}`
    // A terminal that does not know its width says 0.
    terminal.write(`\r\u001b[2K${line.slice(0, (terminal.columns || 80) - 1)}`)
  }

  return {
    step(count = 1): void {
      done += count
      if (!isShown || nowMs() - shownMs < everyMs) return
      shownMs = nowMs()
      show()
    },
    /** Leaves the last state on the terminal. */
    end(): void {
      if (!isShown) return
      show()
      terminal.write('\n')
    },
  }
}

/** `1:05` for 65 seconds. */
function clock(seconds: number): string {
  const whole = Math.round(seconds)
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`
}
