-- Each payer's transfers in a transaction are a payment of their own. Payments from before cover the whole transaction.

alter table payments add column scope text not null default 'transaction';
drop index payments_by_transfer;
create unique index payments_by_transfer on payments (chain_id, tx_hash, payer) where method = 'transfer';
