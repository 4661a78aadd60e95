import { between, lt } from 'drizzle-orm'
import type { Database } from './database.ts'
import { queriesOf } from './query.ts'
import { trafficHours } from './schema.ts'

/** How many requests were answered in each hour (UTC, since 1970), by endpoint, authentication strategy and status class. */
export function createTrafficHourTable(database: Database) {
  const { all, addCount, run } = queriesOf(database)
  const { hour, endpoint, auth, status, count } = trafficHours
  const add = addCount(trafficHours, [hour, endpoint, auth, status], count)
  const within = all({ firstHour: hour, lastHour: hour }, (of, { select }) =>
    select({ hour, endpoint, auth, status, count })
      .from(trafficHours)
      .where(between(hour, of.firstHour, of.lastHour)),
  )
  const prune = run({ beforeHour: hour }, (of, { remove }) =>
    remove(trafficHours).where(lt(hour, of.beforeHour)),
  )
  return {
    add: (hour: number, endpoint: string, auth: string, status: string, count: number) =>
      add({ hour, endpoint, auth, status, count }),
    /** Every hour from `firstHour` to `lastHour` in which there was a request. */
    between: (firstHour: number, lastHour: number) => within({ firstHour, lastHour }),
    /** Removes the hours before one, and returns how many rows those were. */
    prune: (beforeHour: number) => prune({ beforeHour }),
  }
}
