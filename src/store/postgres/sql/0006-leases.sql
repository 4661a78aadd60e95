-- What one process does for all, and which processes live: each row is held by its owner until that time, by the clock of
-- this database, and longer where it is renewed.
create table leases (
  name text collate "C" primary key,
  owner text collate "C" not null,
  until_ms bigint not null
) with (fillfactor = 50);
