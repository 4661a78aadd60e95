-- Pages and documents of other sites that assets are made from.

create table web_sources (
  digest text collate "C" primary key,
  kind text collate "C" not null,
  url text not null,
  facts text,
  etag text,
  last_modified text,
  read_at_ms bigint,
  failed_at_ms bigint,
  reason text,
  gone_at_ms bigint,
  claimed_until_ms bigint not null default 0,
  used_at_ms bigint not null,
  requests bigint not null default 0,
  failures bigint not null default 0,
  is_blocked integer not null default 0
) with (fillfactor = 80);
create index web_sources_by_use on web_sources (kind, used_at_ms);
