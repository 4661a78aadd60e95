import { type MoveNote, moveMarks } from './move-marks.ts'
import type { MoveSide, TargetState } from './move-side.ts'
import type { MovedTable } from './moved-table.ts'

/** Reads how far the target is. Rejects if it has anything that is not of this move. */
export async function findTargetState(
  side: MoveSide,
  { installation }: Pick<MoveNote, 'installation'>,
  tables: readonly MovedTable[],
): Promise<TargetState> {
  for (const [mark, state] of [
    [moveMarks.unfinished, 'resumed'],
    [moveMarks.movedFrom, 'finished'],
  ] as const) {
    const text = await side.fact(mark)
    if (text === undefined) continue
    const note = JSON.parse(text) as MoveNote
    if (note.installation === installation) return state
    throw new Error(
      `${side.name} has data of another installation, which was moved there from ${note.from}. Name an empty database. Nothing was changed.`,
    )
  }
  const found: string[] = []
  for (const table of tables) {
    const { rows = '0' } = await side.totals(table)
    if (rows !== '0') found.push(`${rows} in ${table.name}`)
  }
  if (found.length === 0) return 'new'
  throw new Error(
    `${side.name} has data already (rows: ${found.join(', ')}). Name an empty database. Nothing was changed.`,
  )
}
