-- Requests by hour, for some days; indexes for the audit's filters and for the use of keys with a quota of their own.

create table traffic_hours (
  hour integer not null,
  endpoint text collate "C" not null,
  auth text collate "C" not null,
  status text collate "C" not null,
  count bigint not null,
  primary key (hour, endpoint, auth, status)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05);

create index audit_entries_by_action on audit_entries (action, id);
create index audit_entries_by_time on audit_entries (at_ms, id);
create index keys_by_quota on keys (id, daily_quota) where daily_quota is not null;
