import { sql } from 'drizzle-orm'
import { type Clock, dayMs, utcDay } from '../../lib/clock.ts'
import type { Database } from '../database.ts'
import { anyNumber, queriesOf } from '../query.ts'

/** Longer than anybody looks for what became of a commit. */
const commitsKeptMs = dayMs
const rowsAtOnce = 1_000

/** Removes what servers leave behind in the database: marks of commits, leases of processes that ended, shards of counts. */
export function createHousekeeping(database: Database, clock: Clock) {
  const { run, write } = queriesOf(database)
  const forgetCommits = run({ beforeMs: anyNumber, limit: anyNumber }, (of, { raw }) =>
    raw(sql`delete from commits where id in
      (select id from commits where at_ms < ${of.beforeMs} order by at_ms limit ${of.limit})`),
  )
  const forgetLeases = write({ beforeMs: anyNumber }, (of, { raw }) =>
    raw(sql`delete from leases where until_ms < ${of.beforeMs}`),
  )
  // One statement, so that a count that comes meanwhile is in what is removed or stays where it is.
  const mergeShards = write({ today: anyNumber }, (of, { raw }) =>
    raw(sql`with moved as (delete from traffic_days where shard <> '' and day < ${of.today} returning *)
      insert into traffic_days as known (day, endpoint, auth, status, shard, count)
      select day, endpoint, auth, status, '', sum(count) from moved group by day, endpoint, auth, status
      on conflict (day, endpoint, auth, status, shard) do update set count = known.count + excluded.count`),
  )
  return async (): Promise<void> => {
    const nowMs = clock.now()
    const beforeMs = nowMs - commitsKeptMs
    while ((await forgetCommits({ beforeMs, limit: rowsAtOnce })) === rowsAtOnce);
    await forgetLeases({ beforeMs: nowMs - dayMs })
    await mergeShards({ today: utcDay(nowMs) })
  }
}
