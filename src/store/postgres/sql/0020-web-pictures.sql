-- Pictures of other sites that cards show. A server of the version before has none of them, and leaves them alone.

create table web_pictures (
  digest text collate "C" primary key references web_sources (digest) on delete cascade,
  size bigint not null,
  facts text not null,
  jpeg bytea not null
);
