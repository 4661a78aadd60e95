CREATE TABLE `charges` (
	`id` text PRIMARY KEY NOT NULL,
	`payment_id` text NOT NULL,
	`slot` text NOT NULL,
	`request` text NOT NULL,
	`endpoint` text NOT NULL,
	`amount_micros` integer NOT NULL,
	`state` text NOT NULL,
	`holder` text NOT NULL,
	`lease_until_ms` integer NOT NULL,
	`created_at_ms` integer NOT NULL,
	`done_at_ms` integer,
	`response_head` text,
	`response_body` blob,
	FOREIGN KEY (`payment_id`) REFERENCES `payments`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "charges_amount" CHECK(amount_micros > 0),
	CONSTRAINT "charges_state" CHECK((state = 'done') = (done_at_ms is not null))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `charges_by_slot` ON `charges` (`slot`) WHERE state <> 'released';--> statement-breakpoint
CREATE INDEX `charges_by_payment` ON `charges` (`payment_id`);--> statement-breakpoint
CREATE INDEX `charges_reserved` ON `charges` (`lease_until_ms`) WHERE state = 'reserved';--> statement-breakpoint
CREATE INDEX `charges_with_body` ON `charges` (`done_at_ms`) WHERE response_head is not null;--> statement-breakpoint
CREATE TABLE `payments` (
	`id` text PRIMARY KEY NOT NULL,
	`method` text NOT NULL,
	`via` text NOT NULL,
	`chain_id` integer NOT NULL,
	`asset` text NOT NULL,
	`pay_to` text NOT NULL,
	`payer` text NOT NULL,
	`tx_hash` text,
	`nonce` text,
	`identifier` text,
	`amount_micros` integer NOT NULL,
	`spent_micros` integer DEFAULT 0 NOT NULL,
	`state` text NOT NULL,
	`reason` text,
	`block_number` integer,
	`block_hash` text,
	`block_time_ms` integer,
	`binding` text,
	`valid_until_ms` integer,
	`settler` text,
	`settler_nonce` integer,
	`raw_transaction` text,
	`created_at_ms` integer NOT NULL,
	`updated_at_ms` integer NOT NULL,
	CONSTRAINT "payments_amount" CHECK(amount_micros > 0 and spent_micros between 0 and amount_micros),
	CONSTRAINT "payments_method" CHECK((method = 'transfer') = (nonce is null)),
	CONSTRAINT "payments_hash" CHECK(tx_hash = lower(tx_hash) and (method <> 'transfer' or tx_hash is not null))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `payments_by_transfer` ON `payments` (`chain_id`,`tx_hash`) WHERE method = 'transfer';--> statement-breakpoint
CREATE UNIQUE INDEX `payments_by_authorization` ON `payments` (`chain_id`,`asset`,`payer`,`nonce`) WHERE method = 'authorization';--> statement-breakpoint
CREATE INDEX `payments_by_transaction` ON `payments` (`tx_hash`);--> statement-breakpoint
CREATE INDEX `payments_by_payer` ON `payments` (`payer`,`created_at_ms`);--> statement-breakpoint
CREATE INDEX `payments_open` ON `payments` (`state`) WHERE state in ('reserved', 'submitted');--> statement-breakpoint
CREATE INDEX `payments_by_creation` ON `payments` (`created_at_ms`,`id`);