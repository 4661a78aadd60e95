import { eq, sql } from 'drizzle-orm'
import type { Database } from './database.ts'
import { anyText, type Build, matches, queriesOf } from './query.ts'
import { keyValues } from './schema.ts'

export type KeyValueTable = ReturnType<typeof createKeyValueTable>

export function createKeyValueTable(database: Database) {
  const { one, change, upsert, write } = queriesOf(database)
  const { name, value } = keyValues
  const find = one([name], ([of], { select }) => select({ value }).from(keyValues).where(eq(name, of)))
  // The update changes nothing: it is what makes the statement return the value that was there.
  const setOnce = one([name, value], ([of, first], { insert }) =>
    insert(keyValues)
      .values({ name: of, value: first })
      .onConflictDoUpdate({ target: name, set: { value: sql`${value}` } })
      .returning({ value }),
  )

  const set = upsert(keyValues, [name], 'value')

  return {
    get: (name: string) => find(name).as((row) => row?.value),
    set: (name: string, value: string) => set({ name, value }),
    /** Sets the value unless there is one. Returns the value that holds now. */
    setOnce: (name: string, value: string) => setOnce(name, value).as((row) => row?.value ?? value),
    /** Removes the value if it is still this one. Returns whether it was: true for one caller alone. */
    removeIf: change([name, value], (of, { remove }) => remove(keyValues).where(matches([name, value], of))),
    remove: write([name], ([of], { remove }) => remove(keyValues).where(eq(name, of))),
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

/** Payments from before the first start, noted in ms, buy nothing: the next start corrects one under a clock that ran ahead. */
export const noteFirstStart: Build<typeof firstStart> = (of, { raw }) =>
  raw(sql`insert into facts (name, value) values ('created_at_ms', ${of.now})
    on conflict (name) do update set value = excluded.value
    where cast(facts.value as bigint) > cast(excluded.value as bigint)`)
