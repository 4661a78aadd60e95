import { and, desc, eq, lt, notInArray, sql } from 'drizzle-orm'
import type { Database } from './database.ts'
import { matches } from './matches.ts'
import type { Steps } from './operation.ts'
import { anyNumber, queriesOf } from './query.ts'
import { loginOrigins } from './schema.ts'

export type LoginOriginKind = (typeof loginOrigins.$inferSelect)['kind']

/** Addresses and sessions that the operator logged in from. */
export function createLoginOriginTable(database: Database) {
  const { exists, write } = queriesOf(database)
  const { kind, name, atMs } = loginOrigins
  const has = exists({ kind, name }, (of, { select }) =>
    select({ name }).from(loginOrigins).where(matches({ kind, name }, of)),
  )
  const set = write({ kind, name, atMs }, (values, { insert }) =>
    insert(loginOrigins)
      .values(values)
      .onConflictDoUpdate({ target: [kind, name], set: { atMs: sql`excluded.at_ms` } }),
  )
  const keepNewest = write({ kind, max: anyNumber }, (of, { select, remove }) => {
    const newest = select({ name })
      .from(loginOrigins)
      .where(eq(kind, of.kind))
      .orderBy(desc(atMs))
      .limit(of.max)
    return remove(loginOrigins).where(and(eq(kind, of.kind), notInArray(name, newest)))
  })
  const prune = write({ notSinceMs: atMs }, (of, { remove }) =>
    remove(loginOrigins).where(lt(atMs, of.notSinceMs)),
  )
  return {
    has: (kind: LoginOriginKind, name: string) => has({ kind, name }),
    /** Adds the origin, or renews its time. Keeps the newest `max` of its kind. */
    *add(kind: LoginOriginKind, name: string, atMs: number, max: number): Steps<void> {
      yield* set({ kind, name, atMs })
      yield* keepNewest({ kind, max })
    },
    /** Removes origins that were not used since. */
    prune: (notSinceMs: number) => prune({ notSinceMs }),
  }
}
