-- Signed addresses that were answered: each counted once, when it was answered first, and is free from then on. Named by a
-- digest of what was signed. Most updates write the day of the last view, which no more than one in 30 days does.
create table signed_addresses (
  key_id text collate "C" not null,
  digest text collate "C" not null,
  version integer not null,
  first_day integer not null,
  last_view_day integer not null,
  primary key (key_id, digest)
);
create index signed_addresses_by_last_view on signed_addresses (key_id, last_view_day);

-- Secrets that became known to strangers: addresses first counted under them since that day are refused.
create table leaked_secrets (
  key_id text collate "C" not null,
  version integer not null,
  since_day integer not null,
  primary key (key_id, version)
);

create function has_leaked(p_key_id text, p_version integer) returns boolean language sql stable as $$
  select exists (select from leaked_secrets where key_id = p_key_id and version = p_version)
$$;

-- What was counted once a day until now. Servers of the version before go on counting so for a while.
insert into signed_addresses (key_id, digest, version, first_day, last_view_day)
select keys.id, seen.thing, keys.version, min(seen.day), max(seen.day)
from seen_days as seen join keys on seen.bucket = 'key:' || keys.id
group by keys.id, seen.thing;

-- Stores that addresses were viewed: adds those that are new, names those by their digest that were counted under the name
-- of before, and writes the day of a view that is 30 days after the last one written. A row whose secret leaked follows a
-- newer one.
create function view_addresses(
  p_day integer, units bigint[], granted bigint[], key_ids text[], digests text[], former_names text[], versions integer[]
) returns void language plpgsql
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
as $$
begin
  update signed_addresses as known set digest = viewed.digest, version = viewed.version
  from (
    select distinct on (key_id, digest) *
    from unnest(units, granted, key_ids, digests, former_names, versions)
      with ordinality as viewed (units, granted, key_id, digest, former_name, version, position)
    where viewed.units > 0 and viewed.granted > 0 and viewed.former_name is not null and viewed.digest is not null
    order by key_id, digest, position
  ) as viewed
  where known.key_id = viewed.key_id and known.digest = viewed.former_name and not exists (
    select from signed_addresses as other where other.key_id = viewed.key_id and other.digest = viewed.digest
  );

  insert into signed_addresses as known (key_id, digest, version, first_day, last_view_day)
  select distinct on (viewed.key_id, viewed.digest) viewed.key_id, viewed.digest, viewed.version, p_day, p_day
  from unnest(units, granted, key_ids, digests, versions)
    with ordinality as viewed (units, granted, key_id, digest, version, position)
  where viewed.units > 0 and viewed.granted > 0 and viewed.digest is not null
  order by viewed.key_id, viewed.digest, viewed.position
  on conflict (key_id, digest) do update set
    last_view_day = case when known.last_view_day <= p_day - 30 then p_day else known.last_view_day end,
    version = case when has_leaked(known.key_id, known.version) then excluded.version else known.version end
  where known.last_view_day <= p_day - 30
    or known.version <> excluded.version and has_leaked(known.key_id, known.version);
end $$;

-- As `decide_quota_batch`, which servers of the version before call, and with signed addresses: a run with a digest is
-- free once its address was answered. Its deduplication key is the name under which it was counted before.
create function decide_quota_calls(
  p_writer text, p_slot integer, p_sequence bigint, p_now_ms bigint, p_day integer,
  run_buckets text[], run_limits bigint[], run_units bigint[], run_sizes bigint[],
  run_dedup_keys text[], run_key_ids text[], run_revisions bigint[], run_endpoints text[], run_auths text[],
  run_digests text[], run_versions integer[],
  released_days integer[], released_buckets text[], released_units bigint[],
  released_dedup_keys text[], released_endpoints text[], released_auths text[],
  released_key_ids text[], released_digests text[]
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
  new_digests text[] := '{}';
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
    delete from signed_addresses as counted
      using unnest(released_days, released_units, released_key_ids, released_digests) as freed (day, units, key_id, digest)
      where freed.units > 0 and counted.key_id = freed.key_id and counted.digest = freed.digest
        and counted.first_day = freed.day;
    if found then
      update generations set generation = generation + 1 where name = 'releases';
    end if;
  end if;

  for run in
    select wanted.*, days.used,
      seen.thing is not null or counted.digest is not null or former.digest is not null as is_seen,
      wanted.key_id is not null and known.revision is distinct from wanted.revision as is_stale
    from unnest(
      run_buckets, run_limits, run_units, run_sizes, run_dedup_keys, run_key_ids, run_revisions, run_digests
    ) with ordinality as wanted (bucket, quota, units, size, dedup_key, key_id, revision, digest, position)
    left join usage_days as days on days.day = p_day and days.bucket = wanted.bucket
    left join seen_days as seen
      on seen.day = p_day and seen.bucket = wanted.bucket and seen.thing = wanted.dedup_key
    left join signed_addresses as counted
      on counted.key_id = wanted.key_id and counted.digest = wanted.digest
    left join signed_addresses as former
      on former.key_id = wanted.key_id and former.digest = wanted.dedup_key and wanted.digest is not null
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
      new_digests := '{}';
    end if;
    is_counted := coalesce(
      run.is_seen or run.dedup_key = any (new_dedup_keys) or run.digest = any (new_digests), false
    );
    decided := decided || array[0, run.is_stale::integer, is_counted::integer, used_now];
    granted := case
      when run.is_stale then 0
      when is_counted or run.quota is null then run.size
      -- Nothing is counted, or once for all of them: if one is granted, all are.
      when run.units = 0 or run.dedup_key is not null or run.digest is not null then
        case when used_now + greatest(run.units, 1) <= run.quota then run.size else 0 end
      else greatest(0, least(run.size, (run.quota - used_now) / run.units))
    end;
    decided[cardinality(decided) - 3] := granted;
    granted_sizes := granted_sizes || granted;
    continue when granted = 0 or run.units = 0;
    if run.digest is not null then
      new_digests := new_digests || run.digest;
    end if;
    continue when is_counted;
    if run.dedup_key is null and run.digest is null then
      used_now := used_now + granted * run.units;
      continue;
    end if;
    used_now := used_now + run.units;
    if run.dedup_key is not null then
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
  perform view_addresses(
    p_day, run_units, granted_sizes, run_key_ids, run_digests, run_dedup_keys, run_versions
  ) where exists (select from unnest(run_digests) as digests (digest) where digest is not null);
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
