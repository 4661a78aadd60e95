-- The hosts that a key names, its public id for their pages, and the look of their cards. A server of the version before
-- leaves them empty.
alter table keys add column hosts text not null default '';
alter table keys add column site_id text collate "C";
alter table keys add column look text not null default '{}';
create unique index keys_by_site on keys (site_id) where site_id is not null;
