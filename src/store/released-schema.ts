import { DatabaseSync } from 'node:sqlite'
import { migrations } from './migrations.ts'

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
  const database = new DatabaseSync(path, { enableForeignKeyConstraints: false })
  try {
    database.exec('pragma trusted_schema = off')
    const released = releasedObjects()
    const unknown = objectsOf(database).filter((object) => !released.has(nameOf(object)))
    const code = unknown.filter(({ type }) => type === 'trigger' || type === 'view')
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
  const database = new DatabaseSync(':memory:')
  const names = new Set<string>()
  for (const migration of migrations) {
    database.exec(migration)
    for (const object of objectsOf(database)) names.add(nameOf(object))
  }
  database.close()
  return names
}

function objectsOf(database: DatabaseSync): readonly SchemaObject[] {
  // SQLite's own objects have names that begin like this, and it refuses such names to everybody else.
  const query = String.raw`select type, name, sql from sqlite_schema where name not like 'sqlite\_%' escape '\'`
  return database.prepare(query).all() as unknown as readonly SchemaObject[]
}

/** A trigger is known by what it does, and everything else by its name. */
function nameOf({ type, name, sql }: SchemaObject): string {
  return type === 'trigger' ? `${type} ${name} ${sql}` : `${type} ${name}`
}
