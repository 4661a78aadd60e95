import { Problem } from '../../errors.ts'
import type { Body } from '../../lib/body.ts'
import { version } from '../../lib/version.ts'
import { InputError, parameterMistake } from '../rows/read-rows.ts'
import type { Drawer } from './drawer.ts'
import { type DrawnFile, type DrawnFiles, openDrawnFiles } from './drawn-files.ts'
import type { PlannedFile } from './plan-files.ts'

interface RenderDeps {
  readonly files: readonly PlannedFile[]
  readonly directory: string
  readonly draw: Drawer['draw']
  /** How many files are worked on at once. */
  readonly atOnce: number
  /** When it is aborted, no further file is begun. */
  readonly stop: AbortSignal
  readonly onDone: () => void
}

/**
 * Draws every file that is not there yet, and writes the manifest last. Rejects with an `InputError` for a row that cannot
 * be drawn; what was drawn before stays.
 */
export async function renderFiles({ files, directory, draw, atOnce, stop, onDone }: RenderDeps) {
  const drawnFiles = await openDrawnFiles(directory)
  const results = new Array<DrawnFile | undefined>(files.length).fill(undefined)
  const waiting = files.entries()
  let drawn = 0
  let failure: { readonly error: unknown } | undefined

  async function work(): Promise<void> {
    for (const [index, planned] of waiting) {
      if (stop.aborted || failure !== undefined) return
      try {
        const { name, parsed } = planned
        const earlier = await drawnFiles.find(parsed.tag, name)
        results[index] = earlier ?? (await drawFile(planned, draw, drawnFiles))
        if (earlier === undefined) drawn += 1
        onDone()
      } catch (error) {
        failure ??= { error }
      }
    }
  }

  await Promise.all(Array.from({ length: atOnce }, work))
  const isFinished = failure === undefined && !stop.aborted
  if (isFinished) await drawnFiles.finish(manifestOf(files, results))
  else await drawnFiles.close()
  if (failure !== undefined) throw failure.error
  return { drawn, kept: results.filter((result) => result !== undefined).length - drawn }
}

async function drawFile(
  { row, parsed, name, extension }: PlannedFile,
  draw: Drawer['draw'],
  drawnFiles: DrawnFiles,
): Promise<DrawnFile> {
  let body: Body
  try {
    body = await draw(parsed)
  } catch (error) {
    if (!(error instanceof Problem) || error.errors.length === 0) throw error
    throw new InputError(error.errors.map((each) => parameterMistake(row, each)))
  }
  return drawnFiles.add(parsed.tag, name, extension, body)
}

function manifestOf(files: readonly PlannedFile[], results: readonly (DrawnFile | undefined)[]): unknown {
  return {
    version,
    files: files.map(({ row, asset }, index) => ({
      line: row.line,
      kind: asset.id,
      ...results[index],
      row: Object.fromEntries(row.fields),
    })),
  }
}

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
