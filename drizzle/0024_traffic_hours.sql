CREATE TABLE `traffic_hours` (
	`hour` integer NOT NULL,
	`endpoint` text NOT NULL,
	`auth` text NOT NULL,
	`status` text NOT NULL,
	`count` integer NOT NULL,
	PRIMARY KEY(`hour`, `endpoint`, `auth`, `status`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `audit_entries_by_action` ON `audit_entries` (`action`,`id`);--> statement-breakpoint
CREATE INDEX `audit_entries_by_time` ON `audit_entries` (`at_ms`,`id`);--> statement-breakpoint
CREATE INDEX `keys_by_quota` ON `keys` (`id`,`daily_quota`) WHERE daily_quota is not null;