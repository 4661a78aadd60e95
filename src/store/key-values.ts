import type { Database } from './database.ts'
import type { Operation } from './operation.ts'
import { statementsOf } from './statements.ts'

/** Settings and marks of this installation, by name. */
export interface KeyValueTable {
  get(name: string): Operation<string | undefined>
  set(name: string, value: string): Operation<void>
  /** Sets the value unless there is one. Returns the value that holds now. */
  setOnce(name: string, value: string): Operation<string>
  remove(name: string): Operation<void>
  /** Removes the value if it is still this one. Returns whether it was: true for one caller alone. */
  removeIf(name: string, value: string): Operation<boolean>
}

export function createKeyValueTable(database: Database): KeyValueTable {
  const { one, change, write } = statementsOf(database)
  const find = one<[name: string], { value: string }>('select value from facts where name = ?')
  const keep = one<[name: string, value: string], { value: string }>(
    `insert into facts (name, value) values (?, ?)
     on conflict (name) do update set value = facts.value returning value`,
  )
  return {
    get: (name) => find(name).as((row) => row?.value),
    set: write(
      'insert into facts (name, value) values (?, ?) on conflict (name) do update set value = excluded.value',
    ),
    setOnce: (name, value) => keep(name, value).as((row) => row?.value ?? value),
    removeIf: change('delete from facts where name = ? and value = ?'),
    remove: write('delete from facts where name = ?'),
  }
}
