CREATE TABLE `generations` (
	`name` text PRIMARY KEY NOT NULL,
	`generation` integer NOT NULL
);

--> statement-breakpoint
INSERT INTO `generations` (`name`, `generation`) VALUES ('keys', 1), ('releases', 1);
--> statement-breakpoint
CREATE TRIGGER `generations_follow_key_changes` AFTER UPDATE ON `keys`
BEGIN
	UPDATE `generations` SET `generation` = `generation` + 1 WHERE `name` = 'keys';
END;
--> statement-breakpoint
CREATE TRIGGER `generations_follow_removed_keys` AFTER DELETE ON `keys`
BEGIN
	UPDATE `generations` SET `generation` = `generation` + 1 WHERE `name` = 'keys';
END;
