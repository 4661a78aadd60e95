import { sql } from 'drizzle-orm'
import {
  blob,
  check,
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from 'drizzle-orm/sqlite-core'

// The schema that migrations are generated from. At run time only the SQL of the tables' own files is used.

export const keyValues = sqliteTable('facts', {
  name: text().primaryKey(),
  value: text().notNull(),
})

export const keys = sqliteTable(
  'keys',
  {
    id: text().primaryKey(),
    name: text().notNull().default(''),
    createdAtMs: integer('created_at_ms').notNull(),
    revision: integer().notNull().default(1),
    version: integer().notNull().default(1),
    previousUntilMs: integer('previous_until_ms'),
    revokedAtMs: integer('revoked_at_ms'),
    dailyQuota: integer('daily_quota'),
    unlimitedUntilMs: integer('unlimited_until_ms'),
    expiresAtMs: integer('expires_at_ms'),
    /** Hosts whose pages may show cards without a signature, with commas between them. */
    hosts: text().notNull().default(''),
    /** The public id for these pages. A key that has one keeps it, also while it names no host. */
    siteId: text('site_id'),
    /** Theme, scheme, alignment, brand, accent and picture of the cards of these pages, as JSON. */
    look: text().notNull().default('{}'),
    /** Ids of the assets that the key may call, with commas between them. Empty: every asset. */
    assets: text().notNull().default(''),
    notes: text().notNull().default(''),
  },
  (table) => [
    uniqueIndex('keys_by_site').on(table.siteId).where(sql`site_id is not null`),
    index('keys_by_creation').on(table.createdAtMs, table.id),
    index('keys_revoked').on(table.createdAtMs, table.id).where(sql`revoked_at_ms is not null`),
    index('keys_active').on(table.createdAtMs, table.id).where(sql`revoked_at_ms is null`),
    index('keys_by_end')
      .on(table.expiresAtMs, table.id)
      .where(sql`expires_at_ms is not null and revoked_at_ms is null`),
    // Few keys have a quota of their own, so that their use can be compared with it key by key.
    index('keys_by_quota').on(table.id, table.dailyQuota).where(sql`daily_quota is not null`),
  ],
)

/** They grow with each change of a key or of a brand (by triggers), and with each embed URL whose count was given back. */
export const generations = sqliteTable('generations', {
  name: text({ enum: ['keys', 'releases', 'brands'] }).primaryKey(),
  generation: integer().notNull(),
})

/** Today's rows lie together. It and the next two are WITHOUT ROWID, which only the migration says: half the look-ups. */
export const usageDays = sqliteTable(
  'usage_days',
  {
    day: integer().notNull(),
    bucket: text().notNull(),
    used: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.day, table.bucket] }),
    // The keys that are used most on a day, without reading the others.
    index('usage_days_by_use')
      .on(table.day, table.used, table.bucket)
      .where(sql`bucket between 'key:' and 'key:~'`),
  ],
)

/** Each is counted once, and free from then on. Its name is a digest that only the master key makes. WITHOUT ROWID. */
export const signedAddresses = sqliteTable(
  'signed_addresses',
  {
    keyId: text('key_id').notNull(),
    digest: text().notNull(),
    version: integer().notNull(),
    firstDay: integer('first_day').notNull(),
    /** Written at most once in 30 days. */
    lastViewDay: integer('last_view_day').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.keyId, table.digest] }),
    index('signed_addresses_by_last_view').on(table.keyId, table.lastViewDay),
  ],
)

/** Secrets that became known to strangers: addresses first counted under them since that day are refused. WITHOUT ROWID. */
export const leakedSecrets = sqliteTable(
  'leaked_secrets',
  {
    keyId: text('key_id').notNull(),
    version: integer().notNull(),
    sinceDay: integer('since_day').notNull(),
  },
  (table) => [primaryKey({ columns: [table.keyId, table.version] })],
)

/** Deduplication keys, such as the playground's previews: each counts once a day in its bucket. */
export const deduplicationDays = sqliteTable(
  'seen_days',
  {
    day: integer().notNull(),
    bucket: text().notNull(),
    dedupKey: text('thing').notNull(),
  },
  (table) => [primaryKey({ columns: [table.day, table.bucket, table.dedupKey] })],
)

/** Day 0 holds what was folded together from days long past. */
export const trafficDays = sqliteTable(
  'traffic_days',
  {
    day: integer().notNull(),
    endpoint: text().notNull(),
    auth: text().notNull(),
    status: text().notNull(),
    count: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.day, table.endpoint, table.auth, table.status] })],
)

/** Requests in each hour since 1970 (UTC), for some days. WITHOUT ROWID. */
export const trafficHours = sqliteTable(
  'traffic_hours',
  {
    hour: integer().notNull(),
    endpoint: text().notNull(),
    auth: text().notNull(),
    status: text().notNull(),
    count: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.hour, table.endpoint, table.auth, table.status] })],
)

/** Money that reached us, or that a signed authorization lets us take. Hashes, addresses and nonces are lower case. */
export const payments = sqliteTable(
  'payments',
  {
    id: text().primaryKey(),
    method: text({ enum: ['transfer', 'authorization'] }).notNull(),
    /** `transfer`, `x402-v1`, `x402-v2` or `mpp`. */
    via: text().notNull(),
    chainId: integer('chain_id').notNull(),
    asset: text().notNull(),
    payTo: text('pay_to').notNull(),
    payer: text().notNull(),
    /** For an authorization the transaction that settles it, stored before it is broadcast. */
    txHash: text('tx_hash'),
    nonce: text(),
    /** The caller's own idempotency key (the x402 extension payment-identifier). */
    identifier: text(),
    amountMicros: integer('amount_micros').notNull(),
    spentMicros: integer('spent_micros').notNull().default(0),
    state: text({ enum: ['reserved', 'submitted', 'settled', 'released', 'failed', 'reorged'] }).notNull(),
    reason: text(),
    blockNumber: integer('block_number'),
    blockHash: text('block_hash'),
    blockTimeMs: integer('block_time_ms'),
    /** Calldata binds a transfer to a request; an authorization is for the one that showed it before it was used. */
    binding: text(),
    validUntilMs: integer('valid_until_ms'),
    settler: text(),
    settlerNonce: integer('settler_nonce'),
    rawTransaction: text('raw_transaction'),
    createdAtMs: integer('created_at_ms').notNull(),
    updatedAtMs: integer('updated_at_ms').notNull(),
    /**
     * The part of its transaction that a payment covers. `payer`: what its payer sent. `one-of-several`: the same,
     * where other payers sent enough too, so that a bare hash does not say whose payment is meant. `transaction`: what
     * all payers sent, in payments from before they were told apart.
     */
    scope: text({ enum: ['transaction', 'payer', 'one-of-several'] })
      .notNull()
      .default('transaction'),
  },
  (table) => [
    uniqueIndex('payments_by_transfer')
      .on(table.chainId, table.txHash, table.payer)
      .where(sql`method = 'transfer'`),
    uniqueIndex('payments_by_authorization')
      .on(table.chainId, table.asset, table.payer, table.nonce)
      .where(sql`method = 'authorization'`),
    index('payments_by_transaction').on(table.txHash),
    index('payments_by_payer').on(table.payer, table.createdAtMs),
    index('payments_by_identifier').on(table.payer, table.identifier).where(sql`identifier is not null`),
    index('payments_by_request')
      .on(table.payer, table.binding, table.createdAtMs)
      .where(sql`binding is not null`),
    index('payments_released').on(table.payer, table.createdAtMs).where(sql`state = 'released'`),
    index('payments_with_credit')
      .on(table.payer, table.createdAtMs)
      .where(sql`state = 'settled' and spent_micros < amount_micros`),
    index('payments_open').on(table.state).where(sql`state in ('reserved', 'submitted')`),
    index('payments_by_creation').on(table.createdAtMs, table.id),
    index('payments_by_state').on(table.state, table.createdAtMs, table.id),
    index('payments_unclaimed')
      .on(table.createdAtMs, table.id)
      .where(sql`state = 'settled' and spent_micros = 0`),
    check('payments_amount', sql`amount_micros > 0 and spent_micros between 0 and amount_micros`),
    check('payments_method', sql`(method = 'transfer') = (nonce is null)`),
    check('payments_hash', sql`tx_hash = lower(tx_hash) and (method <> 'transfer' or tx_hash is not null)`),
  ],
)

/** Transfer logs that have paid. The key keeps one transfer from being two payments, however they are offered. */
export const transferLogs = sqliteTable(
  'transfer_logs',
  {
    chainId: integer('chain_id').notNull(),
    txHash: text('tx_hash').notNull(),
    logIndex: integer('log_index').notNull(),
    paymentId: paymentReference(),
  },
  (table) => [
    primaryKey({ columns: [table.chainId, table.txHash, table.logIndex] }),
    index('transfer_logs_by_payment').on(table.paymentId),
    check('transfer_logs_hash', sql`tx_hash = lower(tx_hash)`),
  ],
)

/** Settled payments by the UTC day on which they came. Triggers on `payments` keep it. */
export const paymentDays = sqliteTable('payment_days', {
  day: integer().primaryKey(),
  count: integer().notNull(),
  amountMicros: integer('amount_micros').notNull(),
})

/** Mined transactions of our settler: what each cost, and whether its payment was settled in the end. */
export const settlements = sqliteTable(
  'settlements',
  {
    txHash: text('tx_hash').primaryKey(),
    paymentId: paymentReference(),
    payer: text().notNull(),
    isSettled: integer('is_settled').$type<0 | 1>().notNull(),
    gasUsed: integer('gas_used').notNull(),
    gasPriceWei: integer('gas_price_wei').notNull(),
    /** All that the settler paid for it, a rollup's data fee included. Rounded up. */
    feeGwei: integer('fee_gwei').notNull(),
    createdAtMs: integer('created_at_ms').notNull(),
  },
  (table) => [
    index('settlements_by_payment').on(table.paymentId),
    index('settlements_by_payer').on(table.payer, table.isSettled, table.createdAtMs),
    index('settlements_failed').on(table.createdAtMs).where(sql`is_settled = 0`),
  ],
)

export const settlementDays = sqliteTable('settlement_days', {
  day: integer().primaryKey(),
  count: integer().notNull(),
  failed: integer().notNull(),
  gasUsed: integer('gas_used').notNull(),
  feeGwei: integer('fee_gwei').notNull(),
})

/** A purchase by a payment. A slot can be used once: the partial index is what keeps money from being spent twice. */
export const charges = sqliteTable(
  'charges',
  {
    id: text().primaryKey(),
    paymentId: paymentReference(),
    /** The idempotency slot: what must not be used twice, such as a payment's one call, or one proof. */
    slot: text().notNull(),
    request: text().notNull(),
    endpoint: text().notNull(),
    amountMicros: integer('amount_micros').notNull(),
    state: text({ enum: ['reserved', 'done', 'released'] }).notNull(),
    /** The process that holds the reservation, until the lease ends. */
    leaseOwner: text('holder').notNull(),
    leaseUntilMs: integer('lease_until_ms').notNull(),
    createdAtMs: integer('created_at_ms').notNull(),
    /** The replay window begins then: later than the answer was given where nobody heard it. */
    doneAtMs: integer('done_at_ms'),
    /** The answer, kept for the replay window: status and headers as JSON, then the bytes. */
    responseHead: text('response_head'),
    responseBody: blob('response_body', { mode: 'buffer' }).$type<Uint8Array>(),
  },
  (table) => [
    uniqueIndex('charges_by_slot').on(table.slot).where(sql`state <> 'released'`),
    index('charges_by_payment').on(table.paymentId),
    index('charges_reserved').on(table.leaseUntilMs).where(sql`state = 'reserved'`),
    index('charges_with_body').on(table.doneAtMs).where(sql`response_head is not null`),
    check('charges_amount', sql`amount_micros > 0`),
    check('charges_state', sql`(state = 'done') = (done_at_ms is not null)`),
  ],
)

export const sessions = sqliteTable(
  'sessions',
  {
    id: text().primaryKey(),
    createdAtMs: integer('created_at_ms').notNull(),
    lastSeenAtMs: integer('last_seen_at_ms').notNull(),
    confirmedAtMs: integer('confirmed_at_ms').notNull(),
    address: text().notNull(),
    userAgent: text('user_agent').notNull(),
  },
  (table) => [index('sessions_by_last_seen').on(table.lastSeenAtMs)],
)

/** The operator's actions. Triggers refuse to change or remove a row. */
export const auditEntries = sqliteTable(
  'audit_entries',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    atMs: integer('at_ms').notNull(),
    actor: text().notNull(),
    address: text().notNull(),
    action: text().notNull(),
    subject: text().notNull(),
    detail: text().notNull(),
  },
  (table) => [
    index('audit_entries_by_subject').on(table.subject, table.id),
    index('audit_entries_by_action').on(table.action, table.id),
    index('audit_entries_by_time').on(table.atMs, table.id),
  ],
)

/** Tries that were wrong or are being checked, of all processes, so that more of them let nobody guess more often. */
export const loginAttempts = sqliteTable(
  'login_attempts',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    /** An address (of IPv6: its /64 network), or a session from before. */
    address: text().notNull(),
    atMs: integer('at_ms').notNull(),
  },
  (table) => [
    index('login_attempts_by_address').on(table.address, table.atMs),
    index('login_attempts_by_time').on(table.atMs),
  ],
)

/** Where the operator logged in from before: strangers' wrong passwords do not lock these out. */
export const loginOrigins = sqliteTable(
  'login_origins',
  {
    kind: text({ enum: ['address', 'session'] }).notNull(),
    /** An address (of IPv6: its /64 network), or the SHA-256 of a session's token. */
    name: text().notNull(),
    atMs: integer('at_ms').notNull(),
  },
  (table) => [primaryKey({ columns: [table.kind, table.name] })],
)

export const brands = sqliteTable('brands', {
  slug: text().primaryKey(),
  /** The newest; they are counted from 1, without gaps. */
  revision: integer().notNull(),
  access: text({ enum: ['everyone', 'keys'] }).notNull(),
  archivedAtMs: integer('archived_at_ms'),
  createdAtMs: integer('created_at_ms').notNull(),
})

/** Every save of a brand. Triggers refuse to change or remove a row, here and in the two tables after it. */
export const brandRevisions = sqliteTable(
  'brand_revisions',
  {
    slug: brandReference(),
    revision: integer().notNull(),
    name: text().notNull(),
    /** Colours, theme, scheme, footer line and focus, as JSON. */
    look: text().notNull(),
    /** Names the look with its files: equal digests, equal cards. */
    digest: text().notNull(),
    createdAtMs: integer('created_at_ms').notNull(),
  },
  (table) => [primaryKey({ columns: [table.slug, table.revision] })],
)

export const brandFiles = sqliteTable('brand_files', {
  /** Checksum of media type, facts and bytes. */
  sha256: text().primaryKey(),
  mediaType: text('media_type').notNull(),
  facts: text().notNull(),
  bytes: blob({ mode: 'buffer' }).$type<Uint8Array>().notNull(),
})

export const brandRevisionFiles = sqliteTable(
  'brand_revision_files',
  {
    slug: brandReference(),
    revision: integer().notNull(),
    field: text({ enum: ['logo', 'titleFont', 'textFont', 'picture', 'themeFile'] }).notNull(),
    sha256: text()
      .notNull()
      .references(() => brandFiles.sha256),
    /** Name and size of the file that the operator uploaded. */
    uploadName: text('upload_name').notNull(),
    uploadBytes: integer('upload_bytes').notNull(),
  },
  (table) => [primaryKey({ columns: [table.slug, table.revision, table.field] })],
)

/** The keys that may use a brand of access `keys`. */
export const brandKeys = sqliteTable(
  'brand_keys',
  {
    slug: brandReference(),
    keyId: text('key_id')
      .notNull()
      .references(() => keys.id),
  },
  (table) => [primaryKey({ columns: [table.slug, table.keyId] }), index('brand_keys_by_key').on(table.keyId)],
)

/** Callers are a key's id, `demo` or `payment`. WITHOUT ROWID. */
export const brandDays = sqliteTable(
  'brand_days',
  {
    day: integer().notNull(),
    slug: text().notNull(),
    caller: text().notNull(),
    count: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.day, table.slug, table.caller] })],
)

/** Link-preview crawlers' fetches of signed addresses; under an empty one those beyond a key's rows. WITHOUT ROWID. */
export const sharedCards = sqliteTable(
  'shared_cards',
  {
    keyId: text('key_id').notNull(),
    day: integer().notNull(),
    network: text().notNull(),
    /** Names what was signed: 32 hex digits. */
    address: text().notNull(),
    asset: text().notNull(),
    title: text().notNull(),
    url: text().notNull(),
    /** The card's parameters, from which it can be drawn again; empty if they are long. */
    query: text().notNull(),
    count: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.keyId, table.day, table.network, table.address] }),
    index('shared_cards_by_day').on(table.day),
  ],
)

/** Sums of the same by key and network, and with an empty key those of all keys. WITHOUT ROWID. */
export const shareDays = sqliteTable(
  'share_days',
  {
    keyId: text('key_id').notNull(),
    day: integer().notNull(),
    network: text().notNull(),
    count: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.keyId, table.day, table.network] }),
    index('share_days_by_day').on(table.day, table.keyId, table.count),
  ],
)

/** The rows that were not used for longest are removed. */
export const webSources = sqliteTable(
  'web_sources',
  {
    /** Names kind and address: 32 hex digits. */
    digest: text().primaryKey(),
    /** `unread_page`: only visitors of a site asked for it, and it was never read. */
    kind: text({ enum: ['page', 'unread_page', 'document', 'picture'] }).notNull(),
    url: text().notNull(),
    /** Facts that were read, as JSON; null if it was never read. */
    facts: text(),
    etag: text(),
    lastModified: text('last_modified'),
    readAtMs: integer('read_at_ms'),
    failedAtMs: integer('failed_at_ms'),
    reason: text(),
    goneAtMs: integer('gone_at_ms'),
    /** Until then a server is reading it for all. */
    claimedUntilMs: integer('claimed_until_ms').notNull().default(0),
    usedAtMs: integer('used_at_ms').notNull(),
    requests: integer().notNull().default(0),
    failures: integer().notNull().default(0),
    /** 1: the operator lets nobody read it. */
    isBlocked: integer('is_blocked').notNull().default(0),
    /** Orders of the operator to read a document again, which each server does for itself. */
    renewals: integer().notNull().default(0),
  },
  (table) => [index('web_sources_by_use').on(table.kind, table.usedAtMs)],
)

/** The pictures that were made of sources of kind `picture`. */
export const webPictures = sqliteTable('web_pictures', {
  digest: text()
    .primaryKey()
    .references(() => webSources.digest, { onDelete: 'cascade' }),
  size: integer().notNull(),
  /** Its measures, as JSON. */
  facts: text().notNull(),
  jpeg: blob({ mode: 'buffer' }).$type<Uint8Array>().notNull(),
})

function brandReference() {
  return text()
    .notNull()
    .references(() => brands.slug)
}

function paymentReference() {
  return text('payment_id')
    .notNull()
    .references(() => payments.id)
}

/** Each event has a name of its own, so that it is there once, however many servers see it. */
export const alerts = sqliteTable(
  'alerts',
  {
    name: text().primaryKey(),
    /** The JSON that is sent, the same bytes at each attempt. */
    body: text().notNull(),
    keptUntilMs: integer('kept_until_ms').notNull(),
    attempts: integer().notNull().default(0),
    /** When it is to be sent. Null: it was, or it was given up. */
    dueAtMs: integer('due_at_ms'),
  },
  (table) => [index('alerts_due').on(table.dueAtMs).where(sql`due_at_ms is not null`)],
)
