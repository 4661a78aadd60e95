CREATE TABLE `alerts` (
	`name` text PRIMARY KEY NOT NULL,
	`body` text NOT NULL,
	`kept_until_ms` integer NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`due_at_ms` integer
);
--> statement-breakpoint
CREATE INDEX `alerts_due` ON `alerts` (`due_at_ms`) WHERE due_at_ms is not null;--> statement-breakpoint
ALTER TABLE `keys` ADD `assets` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `keys` ADD `notes` text DEFAULT '' NOT NULL;