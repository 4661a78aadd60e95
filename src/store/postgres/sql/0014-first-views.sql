-- Of several views of one address in a batch the first decides whether a row has the name of before, as it does where they
-- come one after the other.
create or replace function view_addresses(
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
    where viewed.units > 0 and viewed.granted > 0 and viewed.digest is not null
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
