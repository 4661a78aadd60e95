-- How often the operator had a document read again. A server of the version before leaves it as it is.
alter table web_sources add column renewals integer not null default 0;
