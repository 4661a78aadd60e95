import { eq, getTableColumns, sql } from 'drizzle-orm'
import { row } from './builders.ts'
import type { Database } from './database.ts'
import type { Operation } from './operation.ts'
import { queriesOf } from './query.ts'
import { generations, keys } from './schema.ts'

/** A key pair without its secret, which follows from the master key, the id and the version. */
export type KeyRow = Readonly<typeof keys.$inferSelect>

/** A key, with the generation of all keys at that moment: while it is the same, none of them has changed. */
export interface KeyReading extends KeyRow {
  readonly generation: number
}

type NewKey = Pick<KeyRow, 'id' | 'name' | 'createdAtMs'> &
  Partial<
    Pick<KeyRow, 'version' | 'dailyQuota' | 'expiresAtMs' | 'hosts' | 'siteId' | 'look' | 'assets' | 'notes'>
  >
type KeyChange = Partial<Pick<KeyRow, (typeof changeable)[number]>>

const columns = getTableColumns(keys)
const { id, name, createdAtMs, version, previousUntilMs, dailyQuota, expiresAtMs } = columns
const { hosts, siteId, look, assets, notes } = columns

export type KeyTable = ReturnType<typeof createKeyTable>

/**
 * Key pairs. What is written survives a power cut: nobody can ask for a lost key again.
 *
 * @param onChange called when a key was changed, which may be within a transaction
 */
export function createKeyTable(database: Database, onChange: () => void) {
  const durable = queriesOf(database, true)
  const nextRevision = sql`${keys.revision} + 1`
  const insert = durable.one(
    { id, name, createdAtMs, version, dailyQuota, expiresAtMs, hosts, siteId, look, assets, notes },
    (values, { insert }) => insert(keys).values(values).returning(row(keys)),
  )
  const rotate = durable.one({ id, previousUntilMs }, (of, { update }) =>
    update(keys)
      .set({ version: sql`${version} + 1`, previousUntilMs: of.previousUntilMs, revision: nextRevision })
      .where(eq(id, of.id))
      .returning(row(keys)),
  )
  const setHosts = durable.one({ id, hosts, siteId }, (of, { update }) =>
    update(keys)
      .set({ hosts: of.hosts, siteId: sql`coalesce(${siteId}, ${of.siteId})`, revision: nextRevision })
      .where(eq(id, of.id))
      .returning(row(keys)),
  )
  /** A query for each set of columns that is changed. */
  function updating(changed: readonly (keyof KeyChange)[]) {
    const kinds = Object.fromEntries(changed.map((column) => [column, columns[column]]))
    return durable.one({ ...kinds, id }, ({ id: place, ...values }, { update }) =>
      update(keys)
        .set({ ...values, revision: nextRevision })
        .where(eq(id, place))
        .returning(row(keys)),
    )
  }
  const updates = new Map<string, ReturnType<typeof updating>>()
  function noted(change: Operation<KeyRow | undefined>): Operation<KeyRow | undefined> {
    return change.as((key) => {
      onChange()
      return key
    })
  }

  const { one, number, rowBy } = queriesOf(database)
  const read = one({ id }, (of, { select }) => {
    const { generation } = generations
    const current = select({ generation }).from(generations).where(sql`${generations.name} = 'keys'`)
    return select({ ...columns, generation: sql<number>`${current}` })
      .from(keys)
      .where(eq(id, of.id))
  })
  const issued = number({}, (_, { select, rowNumber }) =>
    select({ number: sql`max(${rowNumber})` }).from(keys),
  )

  return {
    find: rowBy(keys, id),
    /** Finds the key by its public site id. */
    findBySite: rowBy(keys, columns.siteId),
    read: (id: string): Operation<KeyReading | undefined> => read({ id }),
    /** How many keys were ever inserted. Rows are never deleted, so the last row number says it without counting. */
    issued: () => issued({}),
    insert: (key: NewKey): Operation<KeyRow> =>
      insert({ ...emptyKey, ...key }).as((stored) => {
        if (stored === undefined) throw new Error('The key was not stored.')
        return stored
      }),
    /** Returns the changed row; undefined if there is no such key. */
    update(id: string, change: KeyChange) {
      const changed = changeable.filter((column) => change[column] !== undefined)
      const update = updates.get(changed.join()) ?? updating(changed)
      updates.set(changed.join(), update)
      return noted(update({ ...change, id }))
    },
    /** The key keeps the site id that it has; without one it gets this one. */
    setHosts: (id: string, hosts: string, siteId: string | null) => noted(setHosts({ id, hosts, siteId })),
    /** The next version signs from now on; the present one is accepted until then. */
    rotate: (id: string, previousUntilMs: number) => noted(rotate({ id, previousUntilMs })),
  }
}

const emptyKey = {
  version: 1,
  dailyQuota: null,
  expiresAtMs: null,
  hosts: '',
  siteId: null,
  look: '{}',
  assets: '',
  notes: '',
} as const

const changeable = [
  'name',
  'revokedAtMs',
  'dailyQuota',
  'unlimitedUntilMs',
  'expiresAtMs',
  'look',
  'assets',
  'notes',
] as const
