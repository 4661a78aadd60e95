-- The last batch of each slot and its answer, by the writer (one a process). Both are stored by the commit that counts
-- the batch's calls, so a writer that lost its connection can ask what became of the batch.
create table quota_slots (
  writer text collate "C" not null,
  slot integer not null,
  sequence bigint not null default 0,
  answer bigint[] not null default '{}',
  used_at_ms bigint not null,
  primary key (writer, slot)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05);

-- Decides a batch of quota reservations and releases: one round trip, one commit. Exact over all servers, since every
-- bucket's row is locked, in one order, before the counts are read with a newer snapshot.
--
-- A batch that was decided before is answered as it was then. One whose number is lower than the slot's last is
-- refused: so an empty batch with the same number, sent after a lost connection, makes sure that a lost batch is never
-- counted later.
--
-- Runs are requests that equal one another, in the order in which they are decided; those of one bucket stand together.
-- The answer is empty if nothing was decided; else a 1, and four numbers for each run: how many were granted, whether the key has another revision, whether
-- the run's deduplication key was counted before, and what the bucket had used before the run.
create function decide_quota_batch(
  p_writer text, p_slot integer, p_sequence bigint, p_now_ms bigint, p_day integer,
  run_buckets text[], run_limits bigint[], run_units bigint[], run_sizes bigint[],
  run_dedup_keys text[], run_key_ids text[], run_revisions bigint[], run_endpoints text[], run_auths text[],
  released_days integer[], released_buckets text[], released_units bigint[],
  released_dedup_keys text[], released_endpoints text[], released_auths text[]
) returns bigint[]
language plpgsql
set plan_cache_mode = force_generic_plan
set lock_timeout = '1s'
-- Tables are small when a plan is made and large when it is used: rows are always found by their keys.
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set jit = off
as $$
declare
  slot_sequence bigint;
  decided bigint[];
  run record;
  current_bucket text;
  stored bigint;
  used_now bigint;
  granted bigint;
  is_counted boolean;
  new_dedup_keys text[] := '{}';
  changed_buckets text[] := '{}';
  changed_counts bigint[] := '{}';
  counted_buckets text[] := '{}';
  counted_dedup_keys text[] := '{}';
  granted_sizes bigint[] := '{}';
begin
  if current_setting('transaction_isolation') <> 'read committed' then
    raise exception 'the isolation must be read committed' using errcode = 'MM003';
  end if;
  if current_setting('synchronous_commit') = 'off' then
    raise exception 'synchronous_commit must not be off' using errcode = 'MM003';
  end if;

  select sequence, answer into slot_sequence, decided from quota_slots
    where writer = p_writer and slot = p_slot for update;
  if not found then
    raise exception 'the writer is not known' using errcode = 'MM001';
  end if;
  if slot_sequence = p_sequence then
    return decided;
  end if;
  if slot_sequence > p_sequence then
    raise exception 'a later batch was decided' using errcode = 'MM002';
  end if;
  -- An empty batch only asks: its answer says that nothing was decided under this number.
  if cardinality(run_buckets) + cardinality(released_buckets) = 0 then
    update quota_slots set sequence = p_sequence, answer = '{}', used_at_ms = p_now_ms
      where writer = p_writer and slot = p_slot;
    return '{}';
  end if;
  decided := array[1];

  -- Makes the rows that are missing and locks the others, without writing to them.
  insert into usage_days as known (day, bucket, used)
  select wanted.day, wanted.bucket, 0 from (
    select unnest(released_days) as day, unnest(released_buckets) as bucket
    union select p_day, unnest(run_buckets)
  ) as wanted order by wanted.day, wanted.bucket
  on conflict (day, bucket) do update set used = 0 where false;

  if cardinality(released_buckets) > 0 then
    perform release_quota(
      p_writer, released_days, released_buckets, released_units, released_dedup_keys, released_endpoints, released_auths
    );
  end if;

  for run in
    select wanted.*, days.used, seen.thing is not null as is_seen,
      wanted.key_id is not null and known.revision is distinct from wanted.revision as is_stale
    from unnest(
      run_buckets, run_limits, run_units, run_sizes, run_dedup_keys, run_key_ids, run_revisions
    ) with ordinality as wanted (bucket, quota, units, size, dedup_key, key_id, revision, position)
    left join usage_days as days on days.day = p_day and days.bucket = wanted.bucket
    left join seen_days as seen
      on seen.day = p_day and seen.bucket = wanted.bucket and seen.thing = wanted.dedup_key
    left join keys as known on known.id = wanted.key_id
    order by wanted.position
  loop
    if current_bucket is distinct from run.bucket then
      if used_now <> stored then
        changed_buckets := changed_buckets || current_bucket;
        changed_counts := changed_counts || used_now;
      end if;
      current_bucket := run.bucket;
      stored := run.used;
      used_now := stored;
      new_dedup_keys := '{}';
    end if;
    is_counted := run.dedup_key is not null and (run.is_seen or run.dedup_key = any (new_dedup_keys));
    decided := decided || array[0, run.is_stale::integer, is_counted::integer, used_now];
    granted := case
      when run.is_stale then 0
      when is_counted or run.quota is null then run.size
      -- Nothing is counted, or once for all of them: if one is granted, all are.
      when run.units = 0 or run.dedup_key is not null then
        case when used_now + greatest(run.units, 1) <= run.quota then run.size else 0 end
      else greatest(0, least(run.size, (run.quota - used_now) / run.units))
    end;
    decided[cardinality(decided) - 3] := granted;
    granted_sizes := granted_sizes || granted;
    continue when granted = 0 or is_counted or run.units = 0;
    if run.dedup_key is null then
      used_now := used_now + granted * run.units;
    else
      used_now := used_now + run.units;
      new_dedup_keys := new_dedup_keys || run.dedup_key;
      counted_buckets := counted_buckets || current_bucket;
      counted_dedup_keys := counted_dedup_keys || run.dedup_key;
    end if;
  end loop;
  if used_now <> stored then
    changed_buckets := changed_buckets || current_bucket;
    changed_counts := changed_counts || used_now;
  end if;

  update usage_days as days set used = changed.used
    from unnest(changed_buckets, changed_counts) as changed (bucket, used)
    where days.day = p_day and days.bucket = changed.bucket;
  if cardinality(counted_dedup_keys) > 0 then
    insert into seen_days (day, bucket, thing)
    select p_day, counted.bucket, counted.thing
    from unnest(counted_buckets, counted_dedup_keys) as counted (bucket, thing)
    on conflict do nothing;
  end if;
  insert into traffic_days as known (day, endpoint, auth, status, shard, count)
  select p_day, runs.endpoint, runs.auth, '2xx', p_writer, sum(runs.granted)
  from unnest(run_endpoints, run_auths, run_units, granted_sizes) as runs (endpoint, auth, units, granted)
  where runs.endpoint is not null and runs.auth is not null and runs.units <> 0 and runs.granted <> 0
  group by runs.endpoint, runs.auth
  on conflict (day, endpoint, auth, status, shard) do update set count = known.count + excluded.count;

  update quota_slots set sequence = p_sequence, answer = decided, used_at_ms = p_now_ms
    where writer = p_writer and slot = p_slot;
  return decided;
end $$;

-- Undoes granted reservations, each on the day that it was counted on. The rows of their buckets are locked already.
create function release_quota(
  p_writer text, days integer[], buckets text[], units bigint[],
  dedup_keys text[], endpoints text[], auths text[]
) returns void language plpgsql as $$
begin
  update usage_days as known set used = greatest(0, known.used - freed.units)
  from (
    select freed.day, freed.bucket, sum(freed.units) as units
    from unnest(days, buckets, units) as freed (day, bucket, units) group by freed.day, freed.bucket
  ) as freed
  where known.day = freed.day and known.bucket = freed.bucket and freed.units > 0;

  delete from seen_days as seen using unnest(days, buckets, units, dedup_keys) as freed (day, bucket, units, thing)
  where freed.units > 0 and freed.thing is not null
    and seen.day = freed.day and seen.bucket = freed.bucket and seen.thing = freed.thing;

  insert into traffic_days as known (day, endpoint, auth, status, shard, count)
  select freed.day, freed.endpoint, freed.auth, '2xx', p_writer, -count(*)
  from unnest(days, endpoints, auths) as freed (day, endpoint, auth)
  where freed.endpoint is not null and freed.auth is not null
  group by freed.day, freed.endpoint, freed.auth
  on conflict (day, endpoint, auth, status, shard) do update set count = known.count + excluded.count;
end $$;
