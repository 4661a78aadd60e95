CREATE TABLE `login_origins` (
	`kind` text NOT NULL,
	`name` text NOT NULL,
	`at_ms` integer NOT NULL,
	PRIMARY KEY(`kind`, `name`)
) WITHOUT ROWID;
