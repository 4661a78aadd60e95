-- One row for each transaction that stored something, written by the transaction itself: whoever lost the connection
-- between a commit and its answer finds here whether it was stored.
create table commits (
  id text collate "C" primary key,
  at_ms bigint not null
);
create index commits_by_time on commits (at_ms);
