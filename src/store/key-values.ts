import type { Sqlite } from './sqlite.ts'
import { statementsOf } from './statements.ts'

/** Settings and marks of this installation, by name. */
export interface KeyValueTable {
  get(name: string): string | undefined
  set(name: string, value: string): void
  /** Sets the value unless there is one. Returns the value that holds now. */
  setOnce(name: string, value: string): string
  remove(name: string): void
}

export function createKeyValueTable(sqlite: Sqlite): KeyValueTable {
  const { one, run } = statementsOf(sqlite)
  const find = one<[name: string], { value: string }>('select value from facts where name = ?')
  const keep = run('insert into facts (name, value) values (?, ?) on conflict do nothing')
  return {
    get: (name) => find(name)?.value,
    set: run(
      'insert into facts (name, value) values (?, ?) on conflict do update set value = excluded.value',
    ),
    setOnce(name, value) {
      keep(name, value)
      return find(name)?.value ?? value
    },
    remove: run('delete from facts where name = ?'),
  }
}
