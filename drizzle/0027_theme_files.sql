-- Brands have theme files, which an older program cannot draw: it refuses a database of this version.
UPDATE `generations` SET `generation` = `generation` + 1 WHERE `name` = 'brands';
