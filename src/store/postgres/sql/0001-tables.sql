-- The tables of src/store/schema.ts. Times are ms and amounts micros, so they are bigint. Text is compared by its bytes,
-- as SQLite does it: cursors of lists depend on the order.

create table facts (
  name text collate "C" primary key,
  value text not null
);

create table keys (
  id text collate "C" primary key,
  name text not null default '',
  created_at_ms bigint not null,
  revision bigint not null default 1,
  version bigint not null default 1,
  previous_until_ms bigint,
  revoked_at_ms bigint,
  daily_quota bigint,
  unlimited_until_ms bigint,
  -- SQLite has a row number of its own; here lists and counts of keys have this one.
  number bigint generated always as identity unique
);
create index keys_by_creation on keys (created_at_ms, id);
create index keys_revoked on keys (created_at_ms, id) where revoked_at_ms is not null;
create index keys_active on keys (created_at_ms, id) where revoked_at_ms is null;

-- No index has the column that every call changes, and pages have room, so that a new count needs no new index entry.
create table usage_days (
  day integer not null,
  bucket text collate "C" not null,
  used bigint not null,
  primary key (day, bucket)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05);

create table seen_days (
  day integer not null,
  bucket text collate "C" not null,
  thing text collate "C" not null,
  primary key (day, bucket, thing)
);

-- Each process counts in rows of its own, or all of them would wait for one another's commits. The sum over shards is
-- what was counted; one of them may be negative, where what another counted was given back.
create table traffic_days (
  day integer not null,
  endpoint text collate "C" not null,
  auth text collate "C" not null,
  status text collate "C" not null,
  shard text collate "C" not null,
  count bigint not null,
  primary key (day, endpoint, auth, status, shard)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05);

create table payments (
  id text collate "C" primary key,
  method text not null,
  via text not null,
  chain_id bigint not null,
  asset text collate "C" not null,
  pay_to text collate "C" not null,
  payer text collate "C" not null,
  tx_hash text collate "C",
  nonce text collate "C",
  identifier text collate "C",
  amount_micros bigint not null,
  spent_micros bigint not null default 0,
  state text not null,
  reason text,
  block_number bigint,
  block_hash text,
  block_time_ms bigint,
  binding text,
  valid_until_ms bigint,
  settler text collate "C",
  settler_nonce bigint,
  raw_transaction text,
  created_at_ms bigint not null,
  updated_at_ms bigint not null,
  constraint payments_amount check (amount_micros > 0 and spent_micros between 0 and amount_micros),
  constraint payments_method check ((method = 'transfer') = (nonce is null)),
  constraint payments_hash check (tx_hash = lower(tx_hash) and (method <> 'transfer' or tx_hash is not null))
);
create unique index payments_by_transfer on payments (chain_id, tx_hash) where method = 'transfer';
create unique index payments_by_authorization on payments (chain_id, asset, payer, nonce)
  where method = 'authorization';
create index payments_by_transaction on payments (tx_hash);
create index payments_by_payer on payments (payer, created_at_ms);
create index payments_by_identifier on payments (payer, identifier) where identifier is not null;
create index payments_with_credit on payments (payer, created_at_ms)
  where state = 'settled' and spent_micros < amount_micros;
create index payments_open on payments (state) where state in ('reserved', 'submitted');
create index payments_by_creation on payments (created_at_ms, id);
create index payments_by_state on payments (state, created_at_ms, id);
create index payments_unclaimed on payments (created_at_ms, id) where state = 'settled' and spent_micros = 0;

create table transfer_logs (
  chain_id bigint not null,
  tx_hash text collate "C" not null,
  log_index bigint not null,
  payment_id text collate "C" not null references payments (id),
  primary key (chain_id, tx_hash, log_index),
  constraint transfer_logs_hash check (tx_hash = lower(tx_hash))
);
create index transfer_logs_by_payment on transfer_logs (payment_id);

create table payment_days (
  day integer primary key,
  count bigint not null,
  amount_micros bigint not null
);

create table settlements (
  tx_hash text collate "C" primary key,
  payment_id text collate "C" not null references payments (id),
  payer text collate "C" not null,
  is_settled integer not null,
  gas_used bigint not null,
  gas_price_wei bigint not null,
  fee_gwei bigint not null,
  created_at_ms bigint not null
);
create index settlements_by_payment on settlements (payment_id);
create index settlements_by_payer on settlements (payer, is_settled, created_at_ms);
create index settlements_failed on settlements (created_at_ms) where is_settled = 0;

create table settlement_days (
  day integer primary key,
  count bigint not null,
  failed bigint not null,
  gas_used bigint not null,
  fee_gwei bigint not null
);

create table charges (
  id text collate "C" primary key,
  payment_id text collate "C" not null references payments (id),
  slot text collate "C" not null,
  request text not null,
  endpoint text not null,
  amount_micros bigint not null,
  state text not null,
  holder text not null,
  lease_until_ms bigint not null,
  created_at_ms bigint not null,
  done_at_ms bigint,
  response_head text,
  response_body bytea,
  number bigint generated always as identity,
  constraint charges_amount check (amount_micros > 0),
  constraint charges_state check ((state = 'done') = (done_at_ms is not null))
);
create unique index charges_by_slot on charges (slot) where state <> 'released';
create index charges_by_payment on charges (payment_id, number);
create index charges_reserved on charges (lease_until_ms) where state = 'reserved';
create index charges_with_body on charges (done_at_ms) where response_head is not null;

create table sessions (
  id text collate "C" primary key,
  created_at_ms bigint not null,
  last_seen_at_ms bigint not null,
  confirmed_at_ms bigint not null,
  address text not null,
  user_agent text not null
);
create index sessions_by_last_seen on sessions (last_seen_at_ms);

create table audit_entries (
  id bigint generated always as identity primary key,
  at_ms bigint not null,
  actor text not null,
  address text not null,
  action text not null,
  subject text collate "C" not null,
  detail text not null
);
create index audit_entries_by_subject on audit_entries (subject, id);

create table login_attempts (
  id bigint generated always as identity primary key,
  address text collate "C" not null,
  at_ms bigint not null
);
create index login_attempts_by_address on login_attempts (address, at_ms);
create index login_attempts_by_time on login_attempts (at_ms);

create table login_origins (
  kind text collate "C" not null,
  name text collate "C" not null,
  at_ms bigint not null,
  primary key (kind, name)
);
