/**
 * Notes when the service was first started. Payments from before buy nothing, so a first start under a clock that ran
 * ahead is corrected by the next. Its parameter is the time now, as text.
 */
export const noteFirstStart = `insert into facts (name, value) values ('created_at_ms', ?)
  on conflict (name) do update set value = excluded.value
  where cast(facts.value as bigint) > cast(excluded.value as bigint)`
