import { sql } from 'drizzle-orm'
import { anyText, type Build } from './query.ts'

export const firstStart = { now: anyText }

/**
 * Notes when the service was first started, in ms as text. Payments from before buy nothing, so a first start under a
 * clock that ran ahead is corrected by the next.
 */
export const noteFirstStart: Build<typeof firstStart> = (of, { raw }) =>
  raw(sql`insert into facts (name, value) values ('created_at_ms', ${of.now})
    on conflict (name) do update set value = excluded.value
    where cast(facts.value as bigint) > cast(excluded.value as bigint)`)
