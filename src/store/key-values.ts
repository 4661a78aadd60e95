import { eq, sql } from 'drizzle-orm'
import type { Database } from './database.ts'
import { anyText, type Build, matches, queriesOf } from './query.ts'
import { keyValues } from './schema.ts'

export type KeyValueTable = ReturnType<typeof createKeyValueTable>

export function createKeyValueTable(database: Database) {
  const { one, change, write } = queriesOf(database)
  const { name, value } = keyValues
  const find = one({ name }, (of, { select }) => select({ value }).from(keyValues).where(eq(name, of.name)))
  const set = write({ name, value }, (values, { insert }) =>
    insert(keyValues)
      .values(values)
      .onConflictDoUpdate({ target: name, set: { value: sql`excluded.value` } }),
  )
  // The update changes nothing: it is what makes the statement return the value that was there.
  const setOnce = one({ name, value }, (values, { insert }) =>
    insert(keyValues)
      .values(values)
      .onConflictDoUpdate({ target: name, set: { value: sql`${value}` } })
      .returning({ value }),
  )
  const removeIf = change({ name, value }, (of, { remove }) =>
    remove(keyValues).where(matches({ name, value }, of)),
  )
  const drop = write({ name }, (of, { remove }) => remove(keyValues).where(eq(name, of.name)))
  return {
    get: (name: string) => find({ name }).as((row) => row?.value),
    set: (name: string, value: string) => set({ name, value }),
    /** Sets the value unless there is one. Returns the value that holds now. */
    setOnce: (name: string, value: string) => setOnce({ name, value }).as((row) => row?.value ?? value),
    /** Removes the value if it is still this one. Returns whether it was: true for one caller alone. */
    removeIf: (name: string, value: string) => removeIf({ name, value }),
    remove: (name: string) => drop({ name }),
  }
}

/** On a database that another one has taken the place of: `<ms> <name of that one>`. */
export const movedToName = 'moved_to'

/** Throws for a database that was moved away, where quotas and payments would be used a second time. */
export async function refuseMoved(keyValues: Pick<KeyValueTable, 'get'>): Promise<void> {
  const moved = await keyValues.get(movedToName)
  if (moved !== undefined)
    throw new Error(
      `This database (DATA_DIR or DATABASE_URL) was moved to ${placeAndTime(moved)}. Set DATABASE_URL to that.`,
    )
}

export function placeAndTime(movedTo: string): string {
  const [atMs, ...name] = movedTo.split(' ')
  const day = new Date(Number(atMs)).toISOString().slice(0, 16).replace('T', ' ')
  return `${name.join(' ')} on ${day} UTC`
}

export const firstStart = { now: anyText }

/**
 * Payments from before the first start buy nothing, so one under a clock that ran ahead is corrected by the next.
 * It is noted in ms, as text.
 */
export const noteFirstStart: Build<typeof firstStart> = (of, { raw }) =>
  raw(sql`insert into facts (name, value) values ('created_at_ms', ${of.now})
    on conflict (name) do update set value = excluded.value
    where cast(facts.value as bigint) > cast(excluded.value as bigint)`)
