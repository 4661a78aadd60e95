-- Numbers that grow with each change of a key, and with each embed URL whose count was given back. What a server granted
-- before can be granted again without asking while they stay the same.
create table generations (
  name text collate "C" primary key,
  generation bigint not null
) with (fillfactor = 50);
insert into generations (name, generation) values ('keys', 1), ('releases', 1);

-- Before the statement locks the rows of keys: transactions that change several keys then wait for one another here, in
-- one order, and never for one another's keys.
create function follow_key_changes() returns trigger language plpgsql as $$
begin
  update generations set generation = generation + 1 where name = 'keys';
  return null;
end $$;
create trigger generations_follow_key_changes before update or delete or truncate on keys
  for each statement execute function follow_key_changes();

create or replace function release_quota(
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
  -- After the rows of buckets, which every batch locks first.
  if found then
    update generations set generation = generation + 1 where name = 'releases';
  end if;

  insert into traffic_days as known (day, endpoint, auth, status, shard, count)
  select freed.day, freed.endpoint, freed.auth, '2xx', p_writer, -count(*)
  from unnest(days, endpoints, auths) as freed (day, endpoint, auth)
  where freed.endpoint is not null and freed.auth is not null
  group by freed.day, freed.endpoint, freed.auth
  on conflict (day, endpoint, auth, status, shard) do update set count = known.count + excluded.count;
end $$;
