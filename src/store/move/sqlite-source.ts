import { existsSync } from 'node:fs'
import { openDriver } from '#sqlite'
import { migrations } from '../migrations.ts'
import type { Driver } from '../sqlite/driver/driver.ts'
import { asStoreError, isLocked } from '../store-error.ts'
import { moveMarks } from './move-marks.ts'
import type { MoveSource } from './move-side.ts'
import { createSqliteSide } from './sqlite-side.ts'

const lockPatienceMs = 2_000

/** Opens a SQLite database to move it elsewhere. Servers may have it open until `freeze`. Throws if it cannot be moved. */
export function openSqliteSource(path: string): MoveSource {
  if (!existsSync(path))
    throw new Error(`There is no database at ${path} (DATA_DIR, DATABASE_URL or --from).`)
  const file = { path, setting: 'DATA_DIR, DATABASE_URL or --from' }
  let side: ReturnType<typeof open>
  try {
    side = open(path)
    refuseOtherVersion(side.database, path)
  } catch (error) {
    throw asStoreError(error, file)
  }
  return {
    ...side,
    async freeze() {
      try {
        // The lock stays after the transaction. Nobody else can have the file open then, not even to read.
        side.database.exec('pragma locking_mode = exclusive; begin immediate; commit')
      } catch (error) {
        if (isLocked(asStoreError(error, file)))
          throw new Error(
            `The database ${path} is open in another process. Stop the servers first; to copy while they serve, add --live.`,
          )
        throw asStoreError(error, file)
      }
    },
    async noteMovedTo(name, atMs) {
      side.database.exec('pragma synchronous = full')
      side.run({
        sql: 'insert into facts (name, value) values (?, ?) on conflict do update set value = excluded.value',
        values: [moveMarks.movedTo, `${atMs} ${name}`],
      })
    },
    reopen: async () => side.run({ sql: 'delete from facts where name = ?', values: [moveMarks.movedTo] }),
  }
}

function open(path: string) {
  const database = openDriver(path)
  database.exec(`pragma busy_timeout = ${lockPatienceMs}`)
  return createSqliteSide(database, path)
}

function refuseOtherVersion(database: Driver, path: string): void {
  const version = database.prepare<{ user_version: number }>('pragma user_version').get()?.user_version ?? 0
  if (version === migrations.length) return
  database.close()
  throw new Error(
    version > migrations.length
      ? `The database ${path} was written by a newer version of Mintmark. Move it with that version.`
      : version === 0
        ? `${path} is a SQLite database, but none of Mintmark's.`
        : `The database ${path} was written by an older version of Mintmark. Start the server of this version once, which brings its tables up to date.`,
  )
}
