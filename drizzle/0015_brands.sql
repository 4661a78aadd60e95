CREATE TABLE `brand_days` (
	`day` integer NOT NULL,
	`slug` text NOT NULL,
	`caller` text NOT NULL,
	`count` integer NOT NULL,
	PRIMARY KEY(`day`, `slug`, `caller`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `brand_files` (
	`sha256` text PRIMARY KEY NOT NULL,
	`media_type` text NOT NULL,
	`facts` text NOT NULL,
	`bytes` blob NOT NULL
);
--> statement-breakpoint
CREATE TABLE `brand_keys` (
	`slug` text NOT NULL,
	`key_id` text NOT NULL,
	PRIMARY KEY(`slug`, `key_id`),
	FOREIGN KEY (`slug`) REFERENCES `brands`(`slug`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`key_id`) REFERENCES `keys`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `brand_keys_by_key` ON `brand_keys` (`key_id`);--> statement-breakpoint
CREATE TABLE `brand_revision_files` (
	`slug` text NOT NULL,
	`revision` integer NOT NULL,
	`field` text NOT NULL,
	`sha256` text NOT NULL,
	`upload_name` text NOT NULL,
	`upload_bytes` integer NOT NULL,
	PRIMARY KEY(`slug`, `revision`, `field`),
	FOREIGN KEY (`slug`) REFERENCES `brands`(`slug`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`sha256`) REFERENCES `brand_files`(`sha256`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `brand_revisions` (
	`slug` text NOT NULL,
	`revision` integer NOT NULL,
	`name` text NOT NULL,
	`look` text NOT NULL,
	`digest` text NOT NULL,
	`created_at_ms` integer NOT NULL,
	PRIMARY KEY(`slug`, `revision`),
	FOREIGN KEY (`slug`) REFERENCES `brands`(`slug`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `brands` (
	`slug` text PRIMARY KEY NOT NULL,
	`revision` integer NOT NULL,
	`access` text NOT NULL,
	`archived_at_ms` integer,
	`created_at_ms` integer NOT NULL
);
--> statement-breakpoint
INSERT INTO `generations` (`name`, `generation`) VALUES ('brands', 1);
--> statement-breakpoint
CREATE TRIGGER `generations_follow_new_brands` AFTER INSERT ON `brands`
BEGIN
	UPDATE `generations` SET `generation` = `generation` + 1 WHERE `name` = 'brands';
END;
--> statement-breakpoint
CREATE TRIGGER `generations_follow_changed_brands` AFTER UPDATE ON `brands`
BEGIN
	UPDATE `generations` SET `generation` = `generation` + 1 WHERE `name` = 'brands';
END;
--> statement-breakpoint
CREATE TRIGGER `generations_follow_removed_brands` AFTER DELETE ON `brands`
BEGIN
	UPDATE `generations` SET `generation` = `generation` + 1 WHERE `name` = 'brands';
END;
--> statement-breakpoint
CREATE TRIGGER `generations_follow_new_brand_keys` AFTER INSERT ON `brand_keys`
BEGIN
	UPDATE `generations` SET `generation` = `generation` + 1 WHERE `name` = 'brands';
END;
--> statement-breakpoint
CREATE TRIGGER `generations_follow_removed_brand_keys` AFTER DELETE ON `brand_keys`
BEGIN
	UPDATE `generations` SET `generation` = `generation` + 1 WHERE `name` = 'brands';
END;
--> statement-breakpoint
CREATE TRIGGER `brand_revisions_are_not_changed` BEFORE UPDATE ON `brand_revisions`
BEGIN
	SELECT raise(ABORT, 'revisions of brands stay for ever');
END;
--> statement-breakpoint
CREATE TRIGGER `brand_revisions_are_not_removed` BEFORE DELETE ON `brand_revisions`
BEGIN
	SELECT raise(ABORT, 'revisions of brands stay for ever');
END;
--> statement-breakpoint
CREATE TRIGGER `brand_revision_files_are_not_changed` BEFORE UPDATE ON `brand_revision_files`
BEGIN
	SELECT raise(ABORT, 'revisions of brands stay for ever');
END;
--> statement-breakpoint
CREATE TRIGGER `brand_revision_files_are_not_removed` BEFORE DELETE ON `brand_revision_files`
BEGIN
	SELECT raise(ABORT, 'revisions of brands stay for ever');
END;
--> statement-breakpoint
CREATE TRIGGER `brand_files_are_not_changed` BEFORE UPDATE ON `brand_files`
BEGIN
	SELECT raise(ABORT, 'revisions of brands stay for ever');
END;
--> statement-breakpoint
CREATE TRIGGER `brand_files_are_not_removed` BEFORE DELETE ON `brand_files`
BEGIN
	SELECT raise(ABORT, 'revisions of brands stay for ever');
END;
