import { type Static, Type } from '@sinclair/typebox'
import { dailyLimitOf } from '../../src/access/key-quota.ts'
import { hasEnded, keyFault } from '../../src/access/keys.ts'
import { dayMs, utcDay } from '../../src/lib/clock.ts'
import { choice, text } from '../../src/lib/fields.ts'
import { keyEndSoonDays } from '../../src/operator/concern.ts'
import type { KeyRow, TimeSpan } from '../../src/store/keys.ts'
import type { AdminDeps } from '../deps.ts'
import labels from './filter-labels.json' with { type: 'json' }
import { type Found, keysOf } from './list.tsx'

export const searchLengthMin = 3
/** Searches and filters without an index read at most so many rows. */
const readMax = 200
const rowsPerPage = 25

export const keysQuery = Type.Object({
  q: Type.Optional(text(0, 100, { description: 'A part of a name or an id' })),
  status: choice(keysOf(labels.keyStatus), { default: 'any', description: 'Only keys with this status' }),
  sort: choice(keysOf(labels.keySort), { default: 'newest', description: 'The order' }),
  after: Type.Optional(text(0, 200, { description: 'The cursor before the first key of the page' })),
})

export type KeysQuery = Static<typeof keysQuery>

type KeyPage = Found<KeyRow> & { readonly next?: string | undefined }

type Reader = Pick<AdminDeps, 'store' | 'clock' | 'config'>

/** The keys of one page. It reads at most a few hundred rows, however many keys there are. */
export async function readKeys(deps: Reader, query: KeysQuery): Promise<KeyPage> {
  const { store, clock } = deps
  const { status, sort, after, q = '' } = query
  const { keyList } = store
  const search = q.trim()
  if (search.length >= searchLengthMin) {
    const rows: KeyRow[] = []
    for (const key of await keyList.search(search, readMax))
      if (rows.length < rowsPerPage * 2 && (await hasStatusNow(deps, key, status))) rows.push(key)
    return { rows }
  }
  if (sort === 'used' || status === 'exhausted') return await readByUse(deps, query)
  const nowMs = clock.now()
  const rows =
    status === 'ending'
      ? await keyList.ending('first', soon(nowMs), rowsPerPage, after)
      : status === 'ended'
        ? await keyList.ending('last', past(nowMs), rowsPerPage, after)
        : await keyList.newest(status, rowsPerPage, after)
  return { rows, next: rows.length === rowsPerPage ? rows.at(-1)?.id : undefined }
}

function soon(nowMs: number): TimeSpan {
  return { afterMs: nowMs, upToMs: nowMs + keyEndSoonDays * dayMs }
}

function past(nowMs: number): TimeSpan {
  return { afterMs: 0, upToMs: nowMs }
}

export async function countEndings({ store: { keyList }, clock }: Reader, max: number) {
  const nowMs = clock.now()
  return {
    soon: await keyList.endingCount(soon(nowMs), max),
    ended: await keyList.endingCount(past(nowMs), max),
  }
}

async function readByUse(deps: Reader, { after, status }: KeysQuery): Promise<KeyPage> {
  const [used = '', id] = (after ?? '').split('.')
  const usedNumber = wholeNumber(used)
  const cursor = id === undefined || usedNumber === undefined ? undefined : { used: usedNumber, id }
  const read = await deps.store.keyList.mostUsed(utcDay(deps.clock.now()), readMax, cursor)
  const rows = read.filter((key) => hasStatus(deps, key, status, key.used)).slice(0, rowsPerPage)
  const isCut = rows.length === rowsPerPage
  const last = isCut ? rows.at(-1) : read.at(-1)
  const hasMore = isCut || read.length === readMax
  return { rows, next: hasMore && last ? `${last.used}.${last.id}` : undefined }
}

/**
 * Returns how many keys have used up their quota today. A plus means that there are more. Only the most used keys are read,
 * so a key with a quota far below the default may be missing.
 */
export async function countExhausted(deps: Reader): Promise<string> {
  const read = await deps.store.keyList.mostUsed(utcDay(deps.clock.now()), readMax)
  const count = read.filter((key) => hasStatus(deps, key, 'exhausted', key.used)).length
  const last = read.length === readMax ? read.at(-1) : undefined
  const hasMore = last !== undefined && last.used >= deps.config.KEY_DAILY_QUOTA
  return hasMore ? `${count}+` : String(count)
}

/** Like `hasStatus`, but reads today's use of the key first, if the status depends on it. */
async function hasStatusNow(deps: Reader, key: KeyRow, status: KeysQuery['status']): Promise<boolean> {
  const { store, clock } = deps
  const used = status === 'exhausted' ? await store.usage.used(utcDay(clock.now()), `key:${key.id}`) : 0
  return hasStatus(deps, key, status, used)
}

function hasStatus(
  { clock, config }: Reader,
  key: KeyRow,
  status: KeysQuery['status'],
  usedToday: number,
): boolean {
  const nowMs = clock.now()
  if (status === 'any') return true
  if (status === 'ended') return keyFault(key, nowMs) === 'ended_key'
  if (status === 'ending') return key.revokedAtMs === null && endsSoon(key, nowMs)
  if (status !== 'exhausted') return (status === 'revoked') === (key.revokedAtMs !== null)
  const limit = dailyLimitOf(key, config.KEY_DAILY_QUOTA, nowMs)
  return keyFault(key, nowMs) === undefined && limit !== null && usedToday >= limit
}

export function endsSoon(key: KeyRow, nowMs: number): key is KeyRow & { readonly expiresAtMs: number } {
  const { expiresAtMs } = key
  return expiresAtMs !== null && !hasEnded(key, nowMs) && expiresAtMs <= nowMs + keyEndSoonDays * dayMs
}

/** The number that a path or a cursor says in decimal digits; undefined for anything else, which not every database compares with. */
export function wholeNumber(digits: string): number | undefined {
  return /^\d{1,15}$/.test(digits) ? Number(digits) : undefined
}

const daysShown = 30

export type KeyDays = Awaited<ReturnType<typeof readKeyDays>>

export async function readKeyDays({ store, clock, config }: Reader, key: KeyRow) {
  const nowMs = clock.now()
  const today = utcDay(nowMs)
  const firstDay = today - daysShown + 1
  const history = await store.usage.history(`key:${key.id}`, firstDay, today)
  const used = new Map(history.map((row) => [row.day, row.used]))
  return {
    nowMs,
    firstDay,
    today,
    /** Calls of each day from `firstDay` to today. */
    calls: Array.from({ length: daysShown }, (_, index) => used.get(firstDay + index) ?? 0),
    lastDay: history.findLast((row) => row.used > 0)?.day,
    usedToday: used.get(today) ?? 0,
    limit: dailyLimitOf(key, config.KEY_DAILY_QUOTA, nowMs),
    /** True if it was not used in these days, and is older than them. */
    isIdle: utcDay(key.createdAtMs) < firstDay && history.every((row) => row.used === 0),
  }
}
