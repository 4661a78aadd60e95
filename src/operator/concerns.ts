import { statfs } from 'node:fs/promises'
import { hostname } from 'node:os'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { dailyLimitOf } from '../access/key-quota.ts'
import type { Config } from '../config.ts'
import { type Clock, dayMs, isoDay, utcDay } from '../lib/clock.ts'
import { formatAgo, formatBytes, formatCount, formatMicros, formatTimeLeft } from '../lib/human-format.ts'
import { createCoalescer } from '../lib/waiter.ts'
import type { Payments, PaymentsStatus } from '../payments/payments.ts'
import { databaseLocation } from '../store/database-location.ts'
import type { BusyKey, KeyRow } from '../store/keys.ts'
import type { Store } from '../store/open.ts'
import type { PaymentRow } from '../store/payment-states.ts'
import { findStoreError } from '../store/store-error.ts'

export type ConcernKind =
  | 'database'
  | 'database_slow'
  | 'standby_lag'
  | 'disk'
  | 'payments_limited'
  | 'settler_gas'
  | 'payment_in_doubt'
  | 'key_quota'
  | 'key_end'
  | 'public_keys'

export interface Concern {
  readonly kind: ConcernKind
  /** Names one event, such as 80 % of a key's quota on one day, while it lasts; a second threshold or day is another. */
  readonly id: string
  /** `now`: something fails already. `soon`: it will, unless somebody acts. */
  readonly level: 'soon' | 'now'
  readonly subject: string
  /** One sentence: what is wrong, and what helps where that is short. */
  readonly text: string
  readonly path: string
  readonly values: Readonly<Record<string, string | number>>
}

export const quotaPercentSoon = 80

export const keyEndSoonDays = 14

/** Below this a backup and a day of traffic may not fit. */
export const freeBytesSoon = 1e9
/** Below this SQLite's journal may not fit. */
export const freeBytesNow = 5e7

/** Enough for a settlement or two. */
export const settlerGasWeiMin = 10n ** 14n

export const subjectsMax = 100

/** Time for which the outcome of a payment may be open: longer than a block and some rounds of the reconciliation. */
const paymentOpenMsMax = 600_000
/** A payment that vanished from the chain is pointed out for so long. */
const reorgedMsMax = 7 * dayMs
/** A check of the database writes as a call does. */
const databaseMsMax = 500
const standbyLagMsMax = 10_000
const alertedKeysMax = 2_000
const publicKeysMax = 100_000
/** When the keys of strangers that used up their quota on a day are told, after its end. */
const digestDelayMs = 300_000

interface ConcernDeps {
  readonly store: Store
  readonly clock: Clock
  readonly config: Pick<Config, 'DATA_DIR' | 'DATABASE_URL' | 'KEY_DAILY_QUOTA'>
  readonly paymentsMonitor: Pick<PaymentsMonitor, 'latest'>
  /** Read for alerts: more keys than a page shows, and keys of strangers a day later, all in one. */
  readonly isForAlerts?: boolean
  /** Bytes that are free where a folder is. Tests replace it, because they cannot fill a disk. */
  readonly readFreeBytes?: (folder: string) => Promise<number | undefined>
}

export type Concerns = ReturnType<typeof createConcerns>

export function createConcerns(deps: ConcernDeps) {
  const coalesce = createCoalescer<readonly Concern[]>()

  async function readAll(): Promise<readonly Concern[]> {
    const database = await databaseConcerns(deps)
    const machine = [...database, ...(await diskConcerns(deps)), ...(await settlementConcerns(deps))]
    // Nothing can be read from a database that does not answer.
    const stored = database.some(({ kind }) => kind === 'database') ? [] : await readStored()
    const all = [...machine, ...stored]
    return [...all.filter(({ level }) => level === 'now'), ...all.filter(({ level }) => level === 'soon')]
  }

  async function readStored(): Promise<readonly Concern[]> {
    try {
      return [...(await paymentConcerns(deps)), ...(await keyConcerns(deps))]
    } catch (error) {
      if (findStoreError(error) === undefined) throw error
      return []
    }
  }

  return {
    /** Concerns of the level `now` come first. Callers at the same time share one reading. */
    read: (): Promise<readonly Concern[]> => coalesce('', readAll),
  }
}

/** Known keys near their quota of today, or past it, known keys near their end, and all keys of strangers in one. */
async function keyConcerns(deps: ConcernDeps): Promise<readonly Concern[]> {
  const { store, clock, config, isForAlerts = false } = deps
  const nowMs = clock.now()
  const keysMax = isForAlerts ? alertedKeysMax : subjectsMax
  const quota = { generalQuota: config.KEY_DAILY_QUOTA, percent: quotaPercentSoon }
  const busy = await store.busyKeys.nearQuota({ day: utcDay(nowMs), nowMs, ...quota, limit: keysMax })
  const span = { afterMs: nowMs, upToMs: nowMs + keyEndSoonDays * dayMs }
  const ending = await store.keyList.ending('firstKnown', span, keysMax)
  return [
    ...busy.map((key) => quotaConcern(deps, key, nowMs)),
    ...ending.map((key) => endConcern(key, nowMs)),
    ...(await publicKeysConcern(deps, nowMs)),
  ]
}

/** Unnamed keys that used up their quota: on the overview today's, in alerts yesterday's in one, as strangers could cause many. */
async function publicKeysConcern(deps: ConcernDeps, nowMs: number): Promise<readonly Concern[]> {
  const { store, config, isForAlerts = false } = deps
  const today = utcDay(nowMs)
  if (isForAlerts && nowMs - today * dayMs < digestDelayMs) return []
  const day = isForAlerts ? today - 1 : today
  const limit = config.KEY_DAILY_QUOTA
  const count = await store.busyKeys.unknownUsedUp(day, nowMs, limit, publicKeysMax)
  if (count === 0) return []
  const subject = `${formatCount(count)} ${count === 1 ? 'key' : 'keys'} that nobody named or paid for`
  const when = isForAlerts ? isoDay(day) : 'today'
  return [
    {
      kind: 'public_keys',
      id: `public_keys:${day}`,
      level: 'soon',
      subject,
      text: `${subject} used up ${count === 1 ? 'its' : 'their'} ${formatCount(limit)} calls of ${when}.`,
      path: '/admin/keys?sort=used',
      values: { keys: count, limit, day: isoDay(day) },
    },
  ]
}

function quotaConcern({ config }: ConcernDeps, key: BusyKey, nowMs: number): Concern {
  const { id, used } = key
  const limit = dailyLimitOf(key, config.KEY_DAILY_QUOTA, nowMs) ?? 0
  const isUsedUp = used >= limit
  const percent = isUsedUp ? 100 : quotaPercentSoon
  return {
    kind: 'key_quota',
    id: `key_quota:${id}:${utcDay(nowMs)}:${percent}`,
    level: isUsedUp ? 'now' : 'soon',
    subject: nameOf(key),
    text: isUsedUp
      ? `${nameOf(key)} has used up its ${formatCount(limit)} calls of today.`
      : `${nameOf(key)} has used ${formatCount(used)} of its ${formatCount(limit)} calls of today.`,
    path: `/admin/keys/${id}`,
    values: { key: id, name: key.name, used, limit, percent },
  }
}

function endConcern(key: KeyRow, nowMs: number): Concern {
  const endMs = key.expiresAtMs ?? nowMs
  return {
    kind: 'key_end',
    id: `key_end:${key.id}:${endMs}`,
    level: 'soon',
    subject: nameOf(key),
    text: `${nameOf(key)} ends in ${formatTimeLeft(endMs - nowMs)}.`,
    path: `/admin/keys/${key.id}`,
    values: { key: key.id, name: key.name, expires_at: new Date(endMs).toISOString() },
  }
}

function nameOf({ name, id }: KeyRow): string {
  return name || id
}

async function paymentConcerns({ store, clock }: ConcernDeps): Promise<readonly Concern[]> {
  const nowMs = clock.now()
  const { oldest } = store.paymentList
  const open = await oldest('submitted', 0, nowMs - paymentOpenMsMax, subjectsMax)
  const vanished = await oldest('reorged', nowMs - reorgedMsMax, nowMs, subjectsMax)
  return [
    ...vanished.map((payment) => concernOf(payment, 'is not on the chain any more: check it again')),
    ...open.map((payment) => {
      const ago = formatAgo(payment.createdAtMs, nowMs)
      return concernOf(payment, `was sent ${ago}, and its outcome is not known yet`)
    }),
  ]
}

function concernOf(payment: PaymentRow, what: string): Concern {
  const { id, txHash, state, payer, amountMicros } = payment
  return {
    kind: 'payment_in_doubt',
    id: `payment_in_doubt:${id}:${state}`,
    level: 'now',
    subject: txHash ?? id,
    text: `A payment of ${formatMicros(amountMicros)} USDC ${what}.`,
    path: `/admin/payments/${txHash ?? id}`,
    values: { payment: id, state, payer, amount_micros: amountMicros, ...(txHash && { tx_hash: txHash }) },
  }
}

/** Limits of payments at this moment: the chain, the token, or the settler's balance. */
async function settlementConcerns({ paymentsMonitor }: ConcernDeps): Promise<readonly Concern[]> {
  const report = await paymentsMonitor.latest()
  if (report === undefined || report === 'pending') return []
  const { settlerAddress: address, settlerGasWei: gasWei, problems } = report
  const isLow = address !== undefined && gasWei !== undefined && gasWei < settlerGasWeiMin
  const limits = problems.map(
    (text): Concern => ({
      kind: 'payments_limited',
      // Numbers in it, such as the price of gas, change from one look to the next.
      id: `payments_limited:${text.replace(/\d+(\.\d+)?/g, '#')}`,
      level: 'now',
      subject: 'Payments',
      text,
      path: '/admin/payments',
      values: {},
    }),
  )
  if (!isLow) return limits
  const ether = (Number(gasWei) / 1e18).toFixed(6)
  // The balance is one of the problems as soon as a settlement cannot be paid for; it is told once.
  const others = limits.filter(({ text }) => !text.includes(address))
  return [
    ...others,
    {
      kind: 'settler_gas',
      id: `settler_gas:${address}`,
      level: others.length < limits.length ? 'now' : 'soon',
      subject: address,
      text: `The settler has ${ether} ETH for gas: fill up ${address}.`,
      path: '/admin/payments',
      values: { address, balance_wei: String(gasWei) },
    },
  ]
}

/** The database has to answer in time, and its standby to follow. */
async function databaseConcerns({ store }: Pick<ConcernDeps, 'store'>): Promise<readonly Concern[]> {
  const about = { subject: store.name, path: '/admin/settings' }
  const probe = await store.health.probe()
  if (!probe.ok) {
    const text = `The database is not ready: ${probe.problem}.`
    return [{ ...about, kind: 'database', id: 'database', level: 'now', text, values: {} }]
  }
  function soon(kind: 'database_slow' | 'standby_lag', text: string, values: Concern['values']): Concern {
    return { ...about, kind, id: kind, level: 'soon', text, values }
  }
  const found: Concern[] = []
  const tookMs = Math.round(probe.tookMs)
  const slow = `The database took ${tookMs} ms for a check that writes as a call does.`
  if (tookMs > databaseMsMax) found.push(soon('database_slow', slow, { took_ms: tookMs }))
  const lagMs = await store.standbyLagMs()
  const behind = `A standby of the database is ${Math.round(lagMs / 1000)} s behind.`
  if (lagMs > standbyLagMsMax) found.push(soon('standby_lag', behind, { lag_ms: lagMs }))
  return found
}

/** Room where this machine's data is. Each machine has a disk of its own, so the event names the machine. */
async function diskConcerns({
  config,
  readFreeBytes = freeBytesOf,
}: ConcernDeps): Promise<readonly Concern[]> {
  const location = databaseLocation(config)
  const folder = location.kind === 'sqlite' ? dirname(location.path) : config.DATA_DIR
  const freeBytes = await readFreeBytes(folder)
  if (freeBytes === undefined || freeBytes >= freeBytesSoon) return []
  const isFull = freeBytes < freeBytesNow
  const host = hostname()
  const effect = isFull ? 'calls may fail, because they cannot be counted' : 'a backup may not fit'
  return [
    {
      kind: 'disk',
      id: `disk:${host}:${isFull ? 'full' : 'low'}`,
      level: isFull ? 'now' : 'soon',
      subject: folder,
      text: `${formatBytes(freeBytes)} are free in ${folder} on ${host}: ${effect}.`,
      path: '/admin/settings',
      values: { host, folder, free_bytes: freeBytes },
    },
  ]
}

async function freeBytesOf(folder: string): Promise<number | undefined> {
  try {
    const { bavail, bsize } = await statfs(folder)
    return bavail * bsize
  } catch {
    // The folder is made at the first write; a database that cannot be written is a concern of its own.
    return undefined
  }
}

const staleMs = 15_000
const waitMsMax = 250

export interface PaymentsReport extends PaymentsStatus {
  readonly checkedAtMs: number
}

/** Caches the status of payments, so that a slow or dead RPC endpoint does not slow pages down. */
export function createPaymentsMonitor(payments: Pick<Payments, 'status'> | undefined, clock: Clock) {
  let report: PaymentsReport | undefined
  const coalesce = createCoalescer<void>()

  async function refresh(): Promise<void> {
    await coalesce('', async () => {
      if (payments !== undefined) report = { ...(await payments.status()), checkedAtMs: clock.now() }
    })
  }

  return {
    refresh,
    /** Undefined while payments are off. `pending`: the chain has not answered yet, and pages do not wait for it. */
    async latest(): Promise<PaymentsReport | 'pending' | undefined> {
      if (payments === undefined) return undefined
      if (report === undefined || clock.now() - report.checkedAtMs > staleMs) {
        // After a failure the next page tries again.
        const refreshed = refresh().catch(() => {})
        if (report === undefined) await Promise.race([refreshed, sleep(waitMsMax)])
      }
      return report ?? 'pending'
    },
  }
}

export type PaymentsMonitor = ReturnType<typeof createPaymentsMonitor>
