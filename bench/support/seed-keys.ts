import { type Clock, dayMs, utcDay } from '../../src/lib/clock.ts'
import { openStore } from '../../src/store/open.ts'
import { openSqlite } from '../../src/store/sqlite.ts'
import { shuffled } from './shuffled.ts'

/** The id of the seeded key with this number. */
export function seededKeyId(number: number): string {
  return `mk_${String((number * 7_368_787) % 9_999_991).padStart(16, '0')}`
}

/** Fills a new database with keys, and with thirty days on each of which a tenth of them was used. */
export async function seedKeys(path: string, keys: number): Promise<void> {
  await openStore({ path }).close()
  const sqlite = openSqlite(path)
  sqlite.exec('pragma cache_size = -400000')
  const addKey = sqlite.prepare('insert into keys (id, created_at_ms) values (?, ?)')
  const addDay = sqlite.prepare('insert into usage_days (day, bucket, used) values (?, ?, ?)')
  const ids = Array.from({ length: keys }, (_, number) => seededKeyId(number)).sort()
  sqlite.transaction(() => {
    for (const id of ids) addKey.run(id, Date.now())
  })
  for (let daysAgo = 0; daysAgo < 30; daysAgo += 1) {
    const used = Array.from({ length: Math.floor(keys / 10) }, (_, n) => 10 * n + (daysAgo % 10))
    sqlite.transaction(() => {
      // Inserts keys in random order, as they come over a day. In key order each page would be filled to its end, and
      // the next take would split it.
      for (const i of shuffled(used)) addDay.run(utcDay(Date.now()) - daysAgo, `key:${ids[i]}`, i % 50)
    })
  }
  sqlite.close()
}

/** The last of the thirty days, counted from 1970-01-01. */
export function lastSeededDay(path: string): number {
  const sqlite = openSqlite(path)
  const day = sqlite.prepare<{ day: number }>('select max(day) as day from usage_days').get()?.day
  sqlite.close()
  if (day === undefined) throw new Error(`${path} has no days.`)
  return day
}

/** A clock that stands still on that day. */
export function noon(day: number): Clock {
  return { now: () => (day + 0.5) * dayMs }
}

if (import.meta.main) {
  const [path = '', keys = '1000000'] = process.argv.slice(2)
  await seedKeys(path, Number(keys))
}
