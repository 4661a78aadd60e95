CREATE TABLE `settlement_days` (
	`day` integer PRIMARY KEY NOT NULL,
	`count` integer NOT NULL,
	`failed` integer NOT NULL,
	`gas_used` integer NOT NULL,
	`fee_gwei` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `settlements` (
	`tx_hash` text PRIMARY KEY NOT NULL,
	`payment_id` text NOT NULL,
	`payer` text NOT NULL,
	`is_settled` integer NOT NULL,
	`gas_used` integer NOT NULL,
	`gas_price_wei` integer NOT NULL,
	`fee_gwei` integer NOT NULL,
	`created_at_ms` integer NOT NULL,
	FOREIGN KEY (`payment_id`) REFERENCES `payments`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `settlements_by_payment` ON `settlements` (`payment_id`);--> statement-breakpoint
CREATE INDEX `settlements_by_payer` ON `settlements` (`payer`,`is_settled`,`created_at_ms`);--> statement-breakpoint
CREATE INDEX `settlements_failed` ON `settlements` (`created_at_ms`) WHERE is_settled = 0;