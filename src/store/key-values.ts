import type { Sqlite } from './sqlite.ts'

/** Settings and marks of this installation, by name. */
export interface KeyValueTable {
  get(name: string): string | undefined
  set(name: string, value: string): void
  /** Sets the value unless there is one. Returns the value that holds now. */
  setOnce(name: string, value: string): string
  remove(name: string): void
}

export function createKeyValueTable(sqlite: Sqlite): KeyValueTable {
  const get = sqlite.prepare<{ value: string }>('select value from facts where name = ?')
  const set = sqlite.prepare(
    'insert into facts (name, value) values (?, ?) on conflict do update set value = excluded.value',
  )
  const keep = sqlite.prepare('insert into facts (name, value) values (?, ?) on conflict do nothing')
  const remove = sqlite.prepare('delete from facts where name = ?')
  return {
    get: (name) => get.get(name)?.value,
    set: (name, value) => void set.run(name, value),
    setOnce(name, value) {
      keep.run(name, value)
      return get.get(name)?.value ?? value
    },
    remove: (name) => void remove.run(name),
  }
}
