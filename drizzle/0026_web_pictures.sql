CREATE TABLE `web_pictures` (
	`digest` text PRIMARY KEY NOT NULL,
	`size` integer NOT NULL,
	`facts` text NOT NULL,
	`jpeg` blob NOT NULL,
	FOREIGN KEY (`digest`) REFERENCES `web_sources`(`digest`) ON UPDATE no action ON DELETE cascade
);
