import { and, asc, eq, isNull, lt, lte, sql } from 'drizzle-orm'
import { row } from './builders.ts'
import type { Database } from './database.ts'
import { anyNumber, queriesOf } from './query.ts'
import { alerts } from './schema.ts'

export type AlertRow = Readonly<typeof alerts.$inferSelect>

/** Events that the operator is alerted to, sent and unsent. */
export function createAlertTable(database: Database) {
  const { all, change, run, write } = queriesOf(database)
  const { name, body, keptUntilMs, attempts, dueAtMs } = alerts
  const note = write({ name, body, keptUntilMs, dueAtMs }, (values, { insert }) =>
    insert(alerts)
      .values(values)
      .onConflictDoUpdate({ target: name, set: { keptUntilMs: sql`excluded.kept_until_ms` } }),
  )
  const due = all({ nowMs: dueAtMs, limit: anyNumber }, (of, { select }) =>
    select(row(alerts))
      .from(alerts)
      .where(lte(dueAtMs, of.nowMs))
      .orderBy(asc(dueAtMs), asc(name))
      .limit(of.limit),
  )
  const claim = change({ name, attempts, nextDueMs: dueAtMs }, (of, { update }) =>
    update(alerts)
      .set({ attempts: sql`${attempts} + 1`, dueAtMs: of.nextDueMs })
      .where(and(eq(name, of.name), eq(attempts, of.attempts), sql`${dueAtMs} is not null`)),
  )
  const finish = write({ name }, (of, { update }) =>
    update(alerts).set({ dueAtMs: null }).where(eq(name, of.name)),
  )
  const forget = run({ keptUntilMs }, (of, { remove }) =>
    remove(alerts).where(and(lt(keptUntilMs, of.keptUntilMs), isNull(dueAtMs))),
  )
  return {
    /** Adds an event that is due now. An event that is there already is only kept for longer. */
    note: (event: Pick<AlertRow, 'name' | 'body' | 'keptUntilMs'> & { readonly nowMs: number }) =>
      note({ name: event.name, body: event.body, keptUntilMs: event.keptUntilMs, dueAtMs: event.nowMs }),
    /** Events that are to be sent now, the longest due first. */
    due: (nowMs: number, limit: number) => due({ nowMs, limit }),
    /**
     * Takes an event for one attempt; true for one caller alone. It is due again at `nextDueMs`, should the caller die;
     * null: this is the last attempt.
     */
    claim: ({ name, attempts }: AlertRow, nextDueMs: number | null) => claim({ name, attempts, nextDueMs }),
    /** Notes that an event was sent, or given up. */
    finish: (name: string) => finish({ name }),
    /** Removes events whose time is over, but for those that are still to be sent. */
    forget: (nowMs: number) => forget({ keptUntilMs: nowMs }),
  }
}
