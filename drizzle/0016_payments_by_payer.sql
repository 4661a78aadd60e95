DROP INDEX `payments_by_transfer`;--> statement-breakpoint
ALTER TABLE `payments` ADD `scope` text DEFAULT 'transaction' NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `payments_by_transfer` ON `payments` (`chain_id`,`tx_hash`,`payer`) WHERE method = 'transfer';