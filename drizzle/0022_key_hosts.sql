ALTER TABLE `keys` ADD `hosts` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `keys` ADD `site_id` text;--> statement-breakpoint
ALTER TABLE `keys` ADD `look` text DEFAULT '{}' NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `keys_by_site` ON `keys` (`site_id`) WHERE site_id is not null;