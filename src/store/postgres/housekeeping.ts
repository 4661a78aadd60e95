import { type Clock, dayMs, utcDay } from '../../lib/clock.ts'
import type { Database } from '../database.ts'
import { statementsOf } from '../statements.ts'

/** Longer than anybody looks for what became of a commit. */
const commitsKeptMs = dayMs
const rowsAtOnce = 1_000

/** Removes what servers leave behind in the database: marks of commits, leases of processes that ended, shards of counts. */
export function createHousekeeping(database: Database, clock: Clock) {
  const { run, write } = statementsOf(database)
  const forgetCommits = run(
    'delete from commits where id in (select id from commits where at_ms < ? order by at_ms limit ?)',
  )
  const forgetLeases = write('delete from leases where until_ms < ?')
  // One statement, so that a count that comes meanwhile is in what is removed or stays where it is.
  const mergeShards = write(
    `with moved as (delete from traffic_days where shard <> '' and day < ? returning *)
     insert into traffic_days as known (day, endpoint, auth, status, shard, count)
     select day, endpoint, auth, status, '', sum(count) from moved group by day, endpoint, auth, status
     on conflict (day, endpoint, auth, status, shard) do update set count = known.count + excluded.count`,
  )
  return async (): Promise<void> => {
    const nowMs = clock.now()
    while ((await forgetCommits(nowMs - commitsKeptMs, rowsAtOnce)) === rowsAtOnce);
    await forgetLeases(nowMs - dayMs)
    await mergeShards(utcDay(nowMs))
  }
}
