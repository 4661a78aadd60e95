import { utcDay } from '../../src/lib/clock.ts'
import { openStore } from '../../src/store/open.ts'
import { openSqlite } from '../../src/store/sqlite.ts'

/** The id of the seeded key with this number. */
export function seededKeyId(number: number): string {
  return `mk_${String((number * 7_368_787) % 9_999_991).padStart(16, '0')}`
}

/** Fills a new database with keys, and with thirty days on each of which a tenth of them was used. */
export async function seedKeys(path: string, keys: number): Promise<void> {
  await openStore({ path }).close()
  const sqlite = openSqlite(path)
  const addKey = sqlite.prepare('insert into keys (id, created_at_ms) values (?, ?)')
  const addDay = sqlite.prepare('insert into usage_days (day, bucket, used) values (?, ?, ?)')
  const ids = Array.from({ length: keys }, (_, number) => seededKeyId(number)).sort()
  sqlite.transaction(() => {
    for (const id of ids) addKey.run(id, Date.now())
  })
  for (let daysAgo = 0; daysAgo < 30; daysAgo += 1) {
    sqlite.transaction(() => {
      for (let i = daysAgo % 10; i < keys; i += 10)
        addDay.run(utcDay(Date.now()) - daysAgo, `key:${ids[i]}`, i % 50)
    })
  }
  sqlite.close()
}

if (import.meta.main) {
  const [path = '', keys = '1000000'] = process.argv.slice(2)
  await seedKeys(path, Number(keys))
}
