CREATE TRIGGER `audit_entries_are_not_changed` BEFORE UPDATE ON `audit_entries`
BEGIN
	SELECT raise(ABORT, 'audit entries are append-only');
END;
--> statement-breakpoint
CREATE TRIGGER `audit_entries_are_not_removed` BEFORE DELETE ON `audit_entries`
BEGIN
	SELECT raise(ABORT, 'audit entries are append-only');
END;
