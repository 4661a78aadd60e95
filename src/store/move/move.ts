import { createHash } from 'node:crypto'
import { copyTable, countIfEqual } from './copy-tables.ts'
import { moveMarks } from './move-marks.ts'
import type { MoveSide, MoveSource, MoveTarget, TargetState } from './move-side.ts'
import { findTargetState } from './move-target-state.ts'
import { type MovedTable, matchTables, type RowRange } from './moved-table.ts'

export interface MoveOptions {
  readonly source: MoveSource
  readonly target: MoveTarget
  /** Which of the two is PostgreSQL. */
  readonly postgres: MoveSide
  readonly sqlite: MoveSide
  /** Whether servers write to the source meanwhile. Such a copy is finished by a move without this. */
  readonly isLive: boolean
  readonly nowMs: number
  readonly progress: MoveProgress
}

export interface MoveProgress {
  /** Called at the begin of a part of the work, with the number of its rows. Returns what is called as they are done. */
  begin(part: 'copy' | 'check', rows: number): (rows: number) => void
  end(): void
}

export interface MoveResult {
  readonly outcome: 'finished' | 'finished before' | 'copied' | 'different'
  readonly totals: readonly ComparedTotal[]
}

/** A count or a sum, on both sides. */
export interface ComparedTotal {
  readonly table: string
  /** `rows`, or the column that is summed up. */
  readonly what: string
  readonly source: string
  readonly target: string
}

/**
 * Copies everything from one database into another and compares both. Can be repeated whenever it was interrupted. The
 * source keeps its data; it gets a note, so that no server goes on counting there.
 */
export async function move(options: MoveOptions): Promise<MoveResult> {
  const { source, target, postgres, sqlite, isLive, nowMs, progress } = options
  const tables = matchTables(await postgres.catalog(), await sqlite.catalog())
  const note = { installation: await installationOf(source), from: source.name, atMs: nowMs }
  const state = await findTargetState(target, note, tables)
  refuseMovedSource(await source.fact(moveMarks.movedTo), state, source.name)
  if (state === 'finished')
    return { outcome: 'finished before', totals: await compareTotals(tables, source, target) }
  if (!isLive) await source.freeze(tables)
  await target.begin(note, tables)

  const written = await copyAll(tables, source, target, progress)
  if (isLive) return { outcome: 'copied', totals: await compareTotals(tables, source, target) }
  await checkWritten(written, source, target, progress)
  const totals = await compareTotals(tables, source, target)
  if (totals.some((total) => total.source !== total.target)) return { outcome: 'different', totals }
  const lastNumbers = new Map<string, number>()
  for (const table of tables) lastNumbers.set(table.name, await source.lastNumber(table))
  // In this order there is no moment at which servers could start on both.
  await source.noteMovedTo(target.name, nowMs)
  await target.finish(tables, lastNumbers)
  return { outcome: 'finished', totals }
}

/** Tells one installation from another without giving anything away. */
async function installationOf(source: MoveSide): Promise<string> {
  const facts = [await source.fact('created_at_ms'), await source.fact('master_key_fingerprint')]
  return createHash('sha256').update(facts.join(' ')).digest('hex').slice(0, 32)
}

/** A source that was moved is older than what it was moved to. */
function refuseMovedSource(movedTo: string | undefined, state: TargetState, name: string): void {
  if (movedTo === undefined || state !== 'new') return
  const target = movedTo.slice(movedTo.indexOf(' ') + 1)
  throw new Error(
    `${name} was moved to ${target} before, and is older than that. To move it again all the same, run mintmark move --reopen first.`,
  )
}

type WrittenRanges = ReadonlyMap<MovedTable, readonly RowRange[]>

async function copyAll(
  tables: readonly MovedTable[],
  source: MoveSide,
  target: MoveTarget,
  progress: MoveProgress,
): Promise<WrittenRanges> {
  let rows = 0
  for (const table of tables) rows += Number((await source.totals(table))['rows'])
  const onRows = progress.begin('copy', rows)
  const written = new Map<MovedTable, readonly RowRange[]>()
  for (const table of tables) written.set(table, await copyTable(table, { source, target, onRows }))
  progress.end()
  return written
}

/** Compares what was written with what was read. Rejects where they differ. */
async function checkWritten(
  written: WrittenRanges,
  source: MoveSide,
  target: MoveSide,
  progress: MoveProgress,
): Promise<void> {
  let ranges = 0
  for (const each of written.values()) ranges += each.length
  const onRanges = progress.begin('check', ranges)
  for (const [table, each] of written) {
    for (const range of each) {
      if ((await countIfEqual(table, range, source, target)) === undefined)
        throw new Error(
          `Rows of ${table.name} are not the same in ${target.name} as in ${source.name}. Servers still serve from ${source.name}; run the move again.`,
        )
      onRanges(1)
    }
  }
  progress.end()
}

async function compareTotals(
  tables: readonly MovedTable[],
  source: MoveSide,
  target: MoveSide,
): Promise<readonly ComparedTotal[]> {
  const totals: ComparedTotal[] = []
  for (const table of tables) {
    const [ours, theirs] = [await source.totals(table), await target.totals(table)]
    for (const [what, value] of Object.entries(ours))
      totals.push({ table: table.name, what, source: value, target: theirs[what] ?? '' })
  }
  return totals
}
