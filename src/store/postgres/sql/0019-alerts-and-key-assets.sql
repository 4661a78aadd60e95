-- What the operator is alerted to; and of each key the assets that it may call, and the operator's notes. A server of the
-- version before leaves both empty, and lets every key call every asset.
create table alerts (
  name text collate "C" primary key,
  body text not null,
  kept_until_ms bigint not null,
  attempts bigint not null default 0,
  due_at_ms bigint
);
create index alerts_due on alerts (due_at_ms) where due_at_ms is not null;

alter table keys add column assets text not null default '';
alter table keys add column notes text not null default '';
