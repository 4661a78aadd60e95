CREATE TABLE `web_sources` (
	`digest` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`url` text NOT NULL,
	`facts` text,
	`etag` text,
	`last_modified` text,
	`read_at_ms` integer,
	`failed_at_ms` integer,
	`reason` text,
	`gone_at_ms` integer,
	`claimed_until_ms` integer DEFAULT 0 NOT NULL,
	`used_at_ms` integer NOT NULL,
	`requests` integer DEFAULT 0 NOT NULL,
	`failures` integer DEFAULT 0 NOT NULL,
	`is_blocked` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE INDEX `web_sources_by_use` ON `web_sources` (`kind`,`used_at_ms`);