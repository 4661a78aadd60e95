-- What triggers hold in SQLite, they hold here: the audit is append-only, settled money stays settled, and the days of
-- payments follow the payments.

create function refuse_audit_change() returns trigger language plpgsql as $$
begin
  raise exception 'audit entries are append-only';
end $$;
create trigger audit_entries_are_append_only before update or delete or truncate on audit_entries
  for each statement execute function refuse_audit_change();

create function keep_settled() returns trigger language plpgsql as $$
begin
  raise exception 'a settled payment cannot be undone';
end $$;
create trigger payments_stay_settled before update of state on payments for each row
  when (old.state = 'settled' and new.state not in ('settled', 'reorged')) execute function keep_settled();

create function follow_payment_days() returns trigger language plpgsql as $$
declare
  was_settled constant boolean := tg_op = 'UPDATE' and old.state = 'settled';
begin
  if new.state = 'settled' and not was_settled then
    insert into payment_days as known (day, count, amount_micros)
    values (new.created_at_ms / 86400000, 1, new.amount_micros)
    on conflict (day) do update
      set count = known.count + 1, amount_micros = known.amount_micros + excluded.amount_micros;
  elsif was_settled and new.state <> 'settled' then
    update payment_days set count = count - 1, amount_micros = amount_micros - old.amount_micros
    where day = old.created_at_ms / 86400000;
  end if;
  return null;
end $$;
create trigger payment_days_follow after insert or update of state on payments
  for each row execute function follow_payment_days();
