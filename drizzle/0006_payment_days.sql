CREATE TABLE `payment_days` (
	`day` integer PRIMARY KEY NOT NULL,
	`count` integer NOT NULL,
	`amount_micros` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `payments_by_state` ON `payments` (`state`,`created_at_ms`,`id`);