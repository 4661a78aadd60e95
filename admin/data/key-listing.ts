import { type Static, Type } from '@sinclair/typebox'
import { dailyLimitOf } from '../../src/access/key-quota.ts'
import { keyFault } from '../../src/access/key-validity.ts'
import { dayMs, utcDay } from '../../src/lib/clock.ts'
import { choice, text } from '../../src/lib/fields.ts'
import { keyEndSoonDays } from '../../src/operator/concern.ts'
import type { KeyRow, TimeSpan } from '../../src/store/keys.ts'
import type { AdminDeps } from '../deps.ts'
import { endsSoon } from './key-ending.ts'
import { wholeNumber } from './whole-number.ts'

/** Search, filter, order and page of the list of keys; all of it is in the page's query. */
export interface KeyListState {
  readonly search: string
  readonly status: KeyListStatus
  readonly sort: 'newest' | 'used'
  /** Cursor: the page begins behind it. */
  readonly after: string | undefined
}

type KeyListStatus = (typeof statuses)[number]
const statuses = ['any', 'active', 'exhausted', 'ending', 'ended', 'revoked'] as const

export interface KeyListPage {
  readonly rows: readonly KeyRow[]
  /** The cursor of the next page, if there may be one. */
  readonly next?: string
}

export const searchLengthMin = 3
/** Searches and filters without an index read at most so many rows. */
const readMax = 200
const rowsPerPage = 25

export const keysQuery = Type.Object({
  q: Type.Optional(text(0, 100, { description: 'A part of a name or an id' })),
  status: choice(statuses, { default: 'any', description: 'Only keys with this status' }),
  sort: choice(['newest', 'used'], { default: 'newest', description: 'The order' }),
  after: Type.Optional(text(0, 200, { description: 'The cursor before the first key of the page' })),
})

export function keyListState({ q = '', status, sort, after }: Static<typeof keysQuery>): KeyListState {
  return { search: q.trim(), status, sort, after }
}

export function keyListPath({ search, status, sort, after }: KeyListState): string {
  const query = new URLSearchParams()
  if (search) query.set('q', search)
  if (status !== 'any') query.set('status', status)
  if (sort !== 'newest') query.set('sort', sort)
  if (after) query.set('after', after)
  return query.size === 0 ? '/admin/keys' : `/admin/keys?${query}`
}

/** The keys of one page. It reads at most a few hundred rows, however many keys there are. */
export async function listKeys(deps: AdminDeps, state: KeyListState): Promise<KeyListPage> {
  const { keyList } = deps.store
  if (state.search.length >= searchLengthMin) {
    const rows: KeyRow[] = []
    for (const key of await keyList.search(state.search, readMax)) {
      if (rows.length < rowsPerPage * 2 && (await hasStatusNow(deps, key, state.status))) rows.push(key)
    }
    return { rows }
  }
  if (state.sort === 'used' || state.status === 'exhausted') return await listByUse(deps, state)
  const rows = await readRows(deps, state.status, state.after)
  const last = rows.at(-1)
  return { rows, ...(rows.length === rowsPerPage && last && { next: last.id }) }
}

async function readRows(
  { store: { keyList }, clock }: AdminDeps,
  status: Exclude<KeyListStatus, 'exhausted'>,
  after: string | undefined,
): Promise<readonly KeyRow[]> {
  if (status === 'ending') return await keyList.ending('first', soon(clock.now()), rowsPerPage, after)
  if (status === 'ended') return await keyList.ending('last', past(clock.now()), rowsPerPage, after)
  return await keyList.newest(status, rowsPerPage, after)
}

function soon(nowMs: number): TimeSpan {
  return { afterMs: nowMs, upToMs: nowMs + keyEndSoonDays * dayMs }
}

function past(nowMs: number): TimeSpan {
  return { afterMs: 0, upToMs: nowMs }
}

/** How many keys end soon, and how many have ended, both without those that are revoked. */
export async function countEndings({ store: { keyList }, clock }: AdminDeps, max: number) {
  const nowMs = clock.now()
  return {
    soon: await keyList.endingCount(soon(nowMs), max),
    ended: await keyList.endingCount(past(nowMs), max),
  }
}

async function listByUse(deps: AdminDeps, { after, status }: KeyListState): Promise<KeyListPage> {
  const [used = '', id] = (after ?? '').split('.')
  const usedNumber = wholeNumber(used)
  const cursor = id === undefined || usedNumber === undefined ? undefined : { used: usedNumber, id }
  const read = await deps.store.keyList.mostUsed(utcDay(deps.clock.now()), readMax, cursor)
  const rows = read.filter((key) => hasStatus(deps, key, status, key.used)).slice(0, rowsPerPage)
  const isCut = rows.length === rowsPerPage
  const last = isCut ? rows.at(-1) : read.at(-1)
  const hasMore = last !== undefined && (isCut || read.length === readMax)
  return { rows, ...(hasMore && { next: `${last.used}.${last.id}` }) }
}

/**
 * How many keys have used up their quota today. A plus means that there are more. Only the most used keys are read, so
 * a key with a quota far below the default may be missing.
 */
export async function countExhausted(deps: AdminDeps): Promise<string> {
  const read = await deps.store.keyList.mostUsed(utcDay(deps.clock.now()), readMax)
  const count = read.filter((key) => hasStatus(deps, key, 'exhausted', key.used)).length
  const last = read.length === readMax ? read.at(-1) : undefined
  const hasMore = last !== undefined && last.used >= deps.config.KEY_DAILY_QUOTA
  return hasMore ? `${count}+` : String(count)
}

/** Like `hasStatus`, but reads today's use of the key first, if the status depends on it. */
async function hasStatusNow(deps: AdminDeps, key: KeyRow, status: KeyListState['status']): Promise<boolean> {
  const isUseNeeded = status === 'exhausted'
  const { store, clock } = deps
  const used = isUseNeeded ? await store.usage.used(utcDay(clock.now()), `key:${key.id}`) : 0
  return hasStatus(deps, key, status, used)
}

function hasStatus(
  { clock, config }: AdminDeps,
  key: KeyRow,
  status: KeyListState['status'],
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
