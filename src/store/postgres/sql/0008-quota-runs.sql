-- Decides a batch that is one run without keys of any kind, which is what a busy bucket makes: in less than half of the
-- time that `decide_quota_batch` takes. What is not simply granted as a whole is left to that function: nothing was
-- written then. The slot's row is locked first and the bucket's after it, as there.
create function decide_quota_run(
  p_writer text, p_slot integer, p_sequence bigint, p_now_ms bigint, p_day integer,
  run_bucket text, run_limit bigint, run_units bigint, run_size bigint, run_endpoint text, run_auth text
) returns bigint[]
language plpgsql
set lock_timeout = '1s'
set enable_seqscan = off
as $$
declare
  slot_sequence bigint;
  used_now bigint;
  decided bigint[];
begin
  if current_setting('transaction_isolation') <> 'read committed' then
    raise exception 'the isolation must be read committed' using errcode = 'MM003';
  end if;
  if current_setting('synchronous_commit') = 'off' then
    raise exception 'synchronous_commit must not be off' using errcode = 'MM003';
  end if;

  select sequence into slot_sequence from quota_slots where writer = p_writer and slot = p_slot for update;
  if slot_sequence < p_sequence and run_units > 0 then
    update usage_days set used = used + run_size * run_units
      where day = p_day and bucket = run_bucket and (run_limit is null or used + run_size * run_units <= run_limit)
      returning used into used_now;
  end if;
  if used_now is null then
    return decide_quota_batch(
      p_writer, p_slot, p_sequence, p_now_ms, p_day,
      array[run_bucket], array[run_limit], array[run_units], array[run_size],
      array[null], array[null], array[null]::bigint[], array[run_endpoint], array[run_auth],
      '{}', '{}', '{}', '{}', '{}', '{}'
    );
  end if;

  if run_endpoint is not null and run_auth is not null then
    insert into traffic_days as known (day, endpoint, auth, status, shard, count)
    values (p_day, run_endpoint, run_auth, '2xx', p_writer, run_size)
    on conflict (day, endpoint, auth, status, shard) do update set count = known.count + excluded.count;
  end if;
  decided := array[1, run_size, 0, 0, used_now - run_size * run_units];
  update quota_slots set sequence = p_sequence, answer = decided, used_at_ms = p_now_ms
    where writer = p_writer and slot = p_slot;
  return decided;
end $$;
