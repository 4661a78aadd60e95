INSERT INTO `payment_days` (`day`, `count`, `amount_micros`)
SELECT `created_at_ms` / 86400000, count(*), sum(`amount_micros`) FROM `payments` WHERE `state` = 'settled' GROUP BY 1;
--> statement-breakpoint
CREATE TRIGGER `payment_days_follow_inserts` AFTER INSERT ON `payments` WHEN new.`state` = 'settled'
BEGIN
	INSERT INTO `payment_days` (`day`, `count`, `amount_micros`) VALUES (new.`created_at_ms` / 86400000, 1, new.`amount_micros`)
	ON CONFLICT DO UPDATE SET `count` = `count` + 1, `amount_micros` = `amount_micros` + excluded.`amount_micros`;
END;
--> statement-breakpoint
CREATE TRIGGER `payment_days_follow_settlements` AFTER UPDATE OF `state` ON `payments` WHEN new.`state` = 'settled' AND old.`state` <> 'settled'
BEGIN
	INSERT INTO `payment_days` (`day`, `count`, `amount_micros`) VALUES (new.`created_at_ms` / 86400000, 1, new.`amount_micros`)
	ON CONFLICT DO UPDATE SET `count` = `count` + 1, `amount_micros` = `amount_micros` + excluded.`amount_micros`;
END;
--> statement-breakpoint
CREATE TRIGGER `payment_days_follow_reversals` AFTER UPDATE OF `state` ON `payments` WHEN old.`state` = 'settled' AND new.`state` <> 'settled'
BEGIN
	UPDATE `payment_days` SET `count` = `count` - 1, `amount_micros` = `amount_micros` - old.`amount_micros` WHERE `day` = old.`created_at_ms` / 86400000;
END;
