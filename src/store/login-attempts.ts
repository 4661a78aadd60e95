import { desc, eq, notBetween } from 'drizzle-orm'
import { fields } from './builders.ts'
import type { Database } from './database.ts'
import { anyNumber, queriesOf } from './query.ts'
import { loginAttempts } from './schema.ts'

/** Recent attempts at the operator's password, of all processes, that were wrong or are being checked. */
export function createLoginAttemptTable(database: Database) {
  const { all, number, write } = queriesOf(database)
  const { id, address, atMs } = loginAttempts
  const add = number({ address, atMs }, (values, { insert }) =>
    insert(loginAttempts)
      .values(values)
      .returning(fields({ number: id })),
  )
  const drop = write({ id }, (of, { remove }) => remove(loginAttempts).where(eq(id, of.id)))
  const fromAddress = all({ address, limit: anyNumber }, (of, { select }) =>
    select({ atMs }).from(loginAttempts).where(eq(address, of.address)).orderBy(desc(atMs)).limit(of.limit),
  )
  const fromAnywhere = all({ limit: anyNumber }, (of, { select }) =>
    select({ atMs }).from(loginAttempts).orderBy(desc(atMs)).limit(of.limit),
  )
  const keepBetween = write({ fromMs: atMs, toMs: atMs }, (of, { remove }) =>
    remove(loginAttempts).where(notBetween(atMs, of.fromMs, of.toMs)),
  )
  return {
    /** Returns the id of the new row. */
    add: (address: string, atMs: number) => add({ address, atMs }),
    remove: (id: number) => drop({ id }),
    /** When the newest `limit` attempts were made, oldest first; from one address, or from all. */
    newest(address: string | undefined, limit: number) {
      const found = address === undefined ? fromAnywhere({ limit }) : fromAddress({ address, limit })
      return found.as((rows): readonly number[] => rows.map(({ atMs }) => atMs).reverse())
    },
    /** Removes attempts from before `fromMs`, and from after `toMs`, which a clock that was set back leaves behind. */
    keepBetween: (fromMs: number, toMs: number) => keepBetween({ fromMs, toMs }),
  }
}
