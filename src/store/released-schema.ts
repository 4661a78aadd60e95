import { openDriver } from '#sqlite'
import { migrations } from './migrations.ts'
import type { Driver } from './sqlite/driver/driver.ts'

interface SchemaObject {
  readonly type: string
  readonly name: string
  readonly sql: string | null
}

/**
 * Throws where a file has triggers or views that no release of Mintmark made: they would run inside every transaction of
 * ours. Removes its tables and indexes that no release made, and returns their names.
 */
export function keepReleasedSchema(path: string): readonly string[] {
  const database = openDriver(path)
  try {
    database.exec('pragma foreign_keys = off')
    database.exec('pragma trusted_schema = off')
    const released = releasedObjects()
    const unknown = objectsOf(database).filter((object) => !released.has(nameOf(object)))
    const code = unknown.filter((object) => !isPlain(object))
    if (code.length > 0)
      throw new Error(
        `it has ${code.map(({ type, name }) => `the ${type} ${name}`).join(', ')}, which no release of Mintmark made`,
      )
    for (const { type, name } of unknown)
      database.exec(`drop ${type} if exists "${name.replaceAll('"', '""')}"`)
    return unknown.map(({ type, name }) => `${type} ${name}`)
  } finally {
    database.close()
  }
}

/** Names of the objects that the migrations of all releases made. */
function releasedObjects(): ReadonlySet<string> {
  const database = openDriver(':memory:')
  const names = new Set<string>()
  for (const migration of migrations) {
    database.exec(migration)
    for (const object of objectsOf(database)) names.add(nameOf(object))
  }
  database.close()
  return names
}

function objectsOf(database: Driver): readonly SchemaObject[] {
  const all = database.prepare<SchemaObject>('select type, name, sql from sqlite_schema').all()
  // Tables and indexes of SQLite itself have such names, which it refuses to everybody else.
  return all.filter((object) => !(isPlain(object) && object.name.startsWith('sqlite_')))
}

/**
 * Whether it is a table or an index, which do nothing by themselves. SQLite runs the SQL of an entry whatever its type
 * says, and a file can be written by other programs, so the SQL itself is looked at.
 */
function isPlain({ type, sql }: SchemaObject): boolean {
  if (type === 'table') return sql !== null && /^create (?:virtual )?table\b/i.test(sql)
  return type === 'index' && (sql === null || /^create (?:unique )?index\b/i.test(sql))
}

/** A trigger is known by what it does, and a table or an index by its name. */
function nameOf(object: SchemaObject): string {
  const { type, name, sql } = object
  return isPlain(object) ? `${type} ${name}` : `${type} ${name} ${sql}`
}
