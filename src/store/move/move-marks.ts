import type { KeyValueTable } from '../key-values.ts'

/** Names of the values that say how far a move is. They belong to one database, and are not moved with its data. */
export const moveMarks = {
  /** JSON object that marks a target as incomplete. */
  unfinished: 'move_unfinished',
  /** On a source that another database has taken the place of: `<ms> <name of the target>`. */
  movedTo: 'moved_to',
  /** On a target that is complete: a JSON object. */
  movedFrom: 'moved_from',
} as const

/** A target's record of its move. */
export interface MoveNote {
  /** Tells one installation from another. */
  readonly installation: string
  /** The source's name, without a password. */
  readonly from: string
  readonly atMs: number
  /** Rules of the target that hold again when the move is finished, as SQL. */
  readonly suspended: readonly string[]
}

/**
 * Throws for a database that must not be served: one that a move has not finished, and one that was moved away, where
 * quotas and payments would be used a second time. To be called at the start.
 */
export async function refuseMoved(keyValues: Pick<KeyValueTable, 'get'>): Promise<void> {
  if ((await keyValues.get(moveMarks.unfinished)) !== undefined)
    throw new Error(
      'The database in DATABASE_URL is incomplete: a previous `mintmark move` did not finish. Run the same command again.',
    )
  const moved = await keyValues.get(moveMarks.movedTo)
  if (moved === undefined) return
  const [atMs, ...name] = moved.split(' ')
  const day = new Date(Number(atMs)).toISOString().slice(0, 16).replace('T', ' ')
  throw new Error(
    `This database (DATA_DIR or DATABASE_URL) was moved to ${name.join(' ')} on ${day} UTC. Set DATABASE_URL to that. Or, to serve from here after all, without what was stored there since: mintmark move --reopen.`,
  )
}
