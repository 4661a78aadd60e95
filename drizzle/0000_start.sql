CREATE TABLE `facts` (
	`name` text PRIMARY KEY NOT NULL,
	`value` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `keys` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text DEFAULT '' NOT NULL,
	`created_at_ms` integer NOT NULL,
	`revision` integer DEFAULT 1 NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`previous_until_ms` integer,
	`revoked_at_ms` integer,
	`daily_quota` integer,
	`unlimited_until_ms` integer
);
--> statement-breakpoint
CREATE INDEX `keys_by_creation` ON `keys` (`created_at_ms`,`id`);--> statement-breakpoint
CREATE TABLE `seen_days` (
	`day` integer NOT NULL,
	`bucket` text NOT NULL,
	`thing` text NOT NULL,
	PRIMARY KEY(`day`, `bucket`, `thing`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `traffic_days` (
	`day` integer NOT NULL,
	`endpoint` text NOT NULL,
	`auth` text NOT NULL,
	`status` text NOT NULL,
	`count` integer NOT NULL,
	PRIMARY KEY(`day`, `endpoint`, `auth`, `status`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `usage_days` (
	`day` integer NOT NULL,
	`bucket` text NOT NULL,
	`used` integer NOT NULL,
	PRIMARY KEY(`day`, `bucket`)
) WITHOUT ROWID;
