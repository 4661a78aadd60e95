import { dayMs } from '../lib/clock.ts'

/** Percent of a day's quota from which a key is pointed out. */
export const quotaPercentSoon = 80

/** Days before its end from which a key is pointed out. */
export const keyEndSoonDays = 14

/** Below this a backup and a day of traffic may not fit. */
export const freeBytesSoon = 1e9
/** Below this SQLite's journal may not fit. */
export const freeBytesNow = 5e7

/** Enough for a settlement or two. */
export const settlerGasWeiMin = 10n ** 14n

/** Time for which the outcome of a payment may be open: longer than a block and some rounds of the reconciliation. */
export const paymentOpenMsMax = 600_000
/** How long a payment that vanished from the chain is pointed out. */
export const reorgedMsMax = 7 * dayMs

/** How long a check of the database may take, which writes as a call does. */
export const databaseMsMax = 500
/** How far a standby may be behind. */
export const standbyLagMsMax = 10_000

/** How many keys or payments of a kind are read. */
export const subjectsMax = 100
/** How many keys alerts are sent about. */
export const alertedKeysMax = 2_000
/** How many keys of strangers are counted. */
export const publicKeysMax = 100_000
/** When the keys of strangers that used up their quota on a day are told, after its end. */
export const digestDelayMs = 300_000
