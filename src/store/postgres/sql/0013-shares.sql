-- Previews of signed addresses by link-preview crawlers: by card, and in sums.

create table shared_cards (
  key_id text collate "C" not null,
  day integer not null,
  network text collate "C" not null,
  address text collate "C" not null,
  asset text not null,
  title text not null,
  url text not null,
  query text not null,
  count bigint not null,
  primary key (key_id, day, network, address)
) with (fillfactor = 80);
create index shared_cards_by_day on shared_cards (day);

create table share_days (
  key_id text collate "C" not null,
  day integer not null,
  network text collate "C" not null,
  count bigint not null,
  primary key (key_id, day, network)
) with (fillfactor = 80);
create index share_days_by_day on share_days (day, key_id, count);
