CREATE TABLE `leaked_secrets` (
	`key_id` text NOT NULL,
	`version` integer NOT NULL,
	`since_day` integer NOT NULL,
	PRIMARY KEY(`key_id`, `version`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `signed_addresses` (
	`key_id` text NOT NULL,
	`digest` text NOT NULL,
	`version` integer NOT NULL,
	`first_day` integer NOT NULL,
	`last_view_day` integer NOT NULL,
	PRIMARY KEY(`key_id`, `digest`)
) WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO `signed_addresses`
SELECT `keys`.`id`, `thing`, `version`, min(`day`), max(`day`) FROM `seen_days`
JOIN `keys` ON `bucket` = 'key:' || `keys`.`id` GROUP BY `keys`.`id`, `thing`;
--> statement-breakpoint
CREATE INDEX `signed_addresses_by_last_view` ON `signed_addresses` (`key_id`,`last_view_day`);
