CREATE VIRTUAL TABLE `keys_search` USING fts5(`id`, `name`, content='keys', content_rowid='rowid', tokenize='trigram');
--> statement-breakpoint
INSERT INTO `keys_search` (`rowid`, `id`, `name`) SELECT `rowid`, `id`, `name` FROM `keys`;
--> statement-breakpoint
CREATE TRIGGER `keys_search_follows_inserts` AFTER INSERT ON `keys`
BEGIN
	INSERT INTO `keys_search` (`rowid`, `id`, `name`) VALUES (new.`rowid`, new.`id`, new.`name`);
END;
--> statement-breakpoint
CREATE TRIGGER `keys_search_follows_names` AFTER UPDATE OF `name` ON `keys`
BEGIN
	INSERT INTO `keys_search` (`keys_search`, `rowid`, `id`, `name`) VALUES ('delete', old.`rowid`, old.`id`, old.`name`);
	INSERT INTO `keys_search` (`rowid`, `id`, `name`) VALUES (new.`rowid`, new.`id`, new.`name`);
END;
