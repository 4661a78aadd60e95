ALTER TABLE `keys` ADD `expires_at_ms` integer;--> statement-breakpoint
CREATE INDEX `keys_by_end` ON `keys` (`expires_at_ms`,`id`) WHERE expires_at_ms is not null and revoked_at_ms is null;