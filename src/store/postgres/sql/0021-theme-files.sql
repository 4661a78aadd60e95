-- Brands have theme files, which a server of the version before cannot draw: none is saved while one lives. Its leases
-- have version 0.

alter table leases add column version integer not null default 0;
