-- When a key ends by itself. A server of the version before leaves the column empty, which means never.
alter table keys add column expires_at_ms bigint;
create index keys_by_end on keys (expires_at_ms, id) where expires_at_ms is not null and revoked_at_ms is null;
