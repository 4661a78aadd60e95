CREATE TABLE `share_days` (
	`key_id` text NOT NULL,
	`day` integer NOT NULL,
	`network` text NOT NULL,
	`count` integer NOT NULL,
	PRIMARY KEY(`key_id`, `day`, `network`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `share_days_by_day` ON `share_days` (`day`,`key_id`,`count`);--> statement-breakpoint
CREATE TABLE `shared_cards` (
	`key_id` text NOT NULL,
	`day` integer NOT NULL,
	`network` text NOT NULL,
	`address` text NOT NULL,
	`asset` text NOT NULL,
	`title` text NOT NULL,
	`url` text NOT NULL,
	`query` text NOT NULL,
	`count` integer NOT NULL,
	PRIMARY KEY(`key_id`, `day`, `network`, `address`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `shared_cards_by_day` ON `shared_cards` (`day`);
