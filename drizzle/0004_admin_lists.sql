CREATE INDEX `keys_revoked` ON `keys` (`created_at_ms`,`id`) WHERE revoked_at_ms is not null;--> statement-breakpoint
CREATE INDEX `keys_active` ON `keys` (`created_at_ms`,`id`) WHERE revoked_at_ms is null;--> statement-breakpoint
CREATE INDEX `usage_days_by_use` ON `usage_days` (`day`,`used`,`bucket`) WHERE bucket between 'key:' and 'key:~';