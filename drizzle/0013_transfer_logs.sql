CREATE TABLE `transfer_logs` (
	`chain_id` integer NOT NULL,
	`tx_hash` text NOT NULL,
	`log_index` integer NOT NULL,
	`payment_id` text NOT NULL,
	PRIMARY KEY(`chain_id`, `tx_hash`, `log_index`),
	FOREIGN KEY (`payment_id`) REFERENCES `payments`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "transfer_logs_hash" CHECK(tx_hash = lower(tx_hash))
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `transfer_logs_by_payment` ON `transfer_logs` (`payment_id`);
--> statement-breakpoint
CREATE TRIGGER `payments_stay_settled` BEFORE UPDATE OF `state` ON `payments`
WHEN old.`state` = 'settled' AND new.`state` NOT IN ('settled', 'reorged')
BEGIN
	SELECT RAISE(ABORT, 'a settled payment cannot be undone');
END;
