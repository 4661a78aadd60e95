-- How cards of somebody look. Revisions and their files are append-only, as in SQLite.

create table brands (
  slug text collate "C" primary key,
  revision bigint not null,
  access text not null,
  archived_at_ms bigint,
  created_at_ms bigint not null
);

create table brand_revisions (
  slug text collate "C" not null references brands (slug),
  revision bigint not null,
  name text not null,
  look text not null,
  digest text not null,
  created_at_ms bigint not null,
  primary key (slug, revision)
);

create table brand_files (
  sha256 text collate "C" primary key,
  media_type text not null,
  facts text not null,
  bytes bytea not null
);

create table brand_revision_files (
  slug text collate "C" not null references brands (slug),
  revision bigint not null,
  field text collate "C" not null,
  sha256 text collate "C" not null references brand_files (sha256),
  upload_name text not null,
  upload_bytes bigint not null,
  primary key (slug, revision, field)
);

create table brand_keys (
  slug text collate "C" not null references brands (slug),
  key_id text collate "C" not null references keys (id),
  primary key (slug, key_id)
);
create index brand_keys_by_key on brand_keys (key_id);

create table brand_days (
  day integer not null,
  slug text collate "C" not null,
  caller text collate "C" not null,
  count bigint not null,
  primary key (day, slug, caller)
) with (fillfactor = 50);

insert into generations (name, generation) values ('brands', 1);

create function follow_brand_changes() returns trigger language plpgsql as $$
begin
  update generations set generation = generation + 1 where name = 'brands';
  return null;
end $$;
create trigger generations_follow_brand_changes before insert or update or delete or truncate on brands
  for each statement execute function follow_brand_changes();
create trigger generations_follow_brand_key_changes before insert or update or delete or truncate on brand_keys
  for each statement execute function follow_brand_changes();

create function refuse_brand_change() returns trigger language plpgsql as $$
begin
  raise exception 'revisions of brands stay for ever';
end $$;
create trigger brand_revisions_are_append_only before update or delete or truncate on brand_revisions
  for each statement execute function refuse_brand_change();
create trigger brand_revision_files_are_append_only before update or delete or truncate on brand_revision_files
  for each statement execute function refuse_brand_change();
create trigger brand_files_are_append_only before update or delete or truncate on brand_files
  for each statement execute function refuse_brand_change();
