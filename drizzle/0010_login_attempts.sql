CREATE TABLE `login_attempts` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`address` text NOT NULL,
	`at_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `login_attempts_by_address` ON `login_attempts` (`address`,`at_ms`);--> statement-breakpoint
CREATE INDEX `login_attempts_by_time` ON `login_attempts` (`at_ms`);