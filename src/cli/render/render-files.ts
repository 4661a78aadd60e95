import { Problem } from '../../errors.ts'
import type { Body } from '../../lib/body.ts'
import { version } from '../../lib/version.ts'
import { InputError, parameterMistake } from '../rows/input-error.ts'
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
