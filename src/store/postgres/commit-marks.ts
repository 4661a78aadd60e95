import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../../lib/clock.ts'
import type { Connection } from './connection.ts'
import type { ConnectionTarget } from './connection-target.ts'
import { openConnection } from './open-connection.ts'

/** Rows that transactions leave behind, by which it is found out what became of one whose answer was lost. */
export interface CommitMarks {
  newId(): string
  /** Commits, and leaves the mark with it. Both are sent at once: it takes one round trip. */
  commit(connection: Connection, id: string): Promise<void>
  /**
   * Whether the transaction was stored. Where it was not, it never will be: what is still on its way is refused from then
   * on. Undefined where the database did not answer in time.
   */
  wasStored(id: string): Promise<boolean | undefined>
}

/** A database that was restarted is back within this time; whoever waits would rather know. */
const patienceMs = 5_000
const openTimeoutMs = 1_500
const retryDelayMs = 100

export function createCommitMarks(target: ConnectionTarget, clock: Clock): CommitMarks {
  /** Takes the mark's place. That waits for a transaction that has written it and is not over. */
  async function fence(id: string): Promise<boolean> {
    // A connection of its own, also where all others are in use and where the database is held to be away.
    const { connection } = await openConnection(target, { timeoutMs: openTimeoutMs })
    try {
      const { count } = await connection.send(
        `${insert} on conflict do nothing`,
        [id, clock.now()],
        patienceMs,
      )
      return count === 1
    } finally {
      connection.destroy('its work is done')
    }
  }

  return {
    newId: () => randomBytes(12).toString('base64url'),
    async commit(connection, id) {
      await Promise.all([connection.query(insert, [id, clock.now()]), connection.query('commit')])
    },
    async wasStored(id) {
      const deadlineMs = performance.now() + patienceMs
      for (;;) {
        try {
          return !(await fence(id))
        } catch {
          if (performance.now() > deadlineMs) return undefined
        }
        await sleep(retryDelayMs)
      }
    },
  }
}

const insert = 'insert into commits (id, at_ms) values ($1, $2)'
