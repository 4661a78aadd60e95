import { Database } from 'bun:sqlite'
import type { FaultContext } from '../context.ts'
import type { FaultServer } from './server.ts'

/** Reads a server's database beside it, as an auditor would: nothing of the server's own code is used. */
export function readAccounts<T>(databasePath: string, read: (database: Database) => T): T {
  const database = new Database(databasePath, { readonly: true })
  try {
    database.run('pragma busy_timeout = 5000')
    return read(database)
  } finally {
    database.close()
  }
}

/** Calls that a bucket was charged, on all days. */
export function usedOf(databasePath: string, bucket: string): number {
  return readAccounts(databasePath, (database) => {
    const row = database
      .query<{ used: number | null }, [string]>('select sum(used) used from usage_days where bucket = ?')
      .get(bucket)
    return row?.used ?? 0
  })
}

/** Outcomes of calls on the demo quota, counted by the callers. */
export class DemoCalls {
  granted = 0
  /** Told to come back. */
  busy = 0
  /** Sent, and nobody answered: the server died or closed. They may be counted or not. */
  cut = 0

  /** One call; it counts towards what the accounts must say. */
  async call(send: () => Promise<{ readonly status: number } | undefined>): Promise<number | undefined> {
    const answer = await send()
    if (answer === undefined) this.cut += 1
    else if (answer.status === 200) this.granted += 1
    else if (answer.status === 503) this.busy += 1
    return answer?.status
  }

  /** Every granted call is counted, and none but those and the ones that were cut. */
  check(context: FaultContext, { databasePath }: Pick<FaultServer, 'databasePath'>): void {
    const used = usedOf(databasePath, 'demo')
    context.lose('delivered and not counted', this.granted - used)
    context.mistake('counted and not delivered', used - this.granted - this.cut)
  }
}

/** SQLite's own look at the whole file. */
export function isIntact(databasePath: string): boolean {
  return readAccounts(databasePath, (database) => {
    const row = database.query<{ integrity_check: string }, []>('pragma integrity_check').get()
    return row?.integrity_check === 'ok'
  })
}
