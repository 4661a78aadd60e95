/** @jsxImportSource #jsx */
import { type Static, Type } from '@sinclair/typebox'
import { dailyLimitOf } from '../../src/access/key-quota.ts'
import { hasEnded, keyFault } from '../../src/access/keys.ts'
import { dayMs, utcDay } from '../../src/lib/clock.ts'
import { choice, text } from '../../src/lib/fields.ts'
import { formatAgo, formatCount, formatDay, formatTimeLeft } from '../../src/lib/human-format.ts'
import type { Child, Markup } from '../../src/lib/jsx/markup.ts'
import { keyEndSoonDays } from '../../src/operator/concerns.ts'
import type { KeyRow } from '../../src/store/keys.ts'
import type { AdminDeps } from '../deps.ts'
import { keyCsv } from '../keys/key-fields.ts'
import {
  type Column,
  iconButton,
  keysOf,
  linkButton,
  meter,
  nameLink,
  pill,
  postForm,
  rowMenu,
  statRow,
  submitButton,
  usedOf,
} from '../parts/elements.tsx'
import { csvFile } from './csv.ts'
import labels from './filter-labels.json' with { type: 'json' }
import { defineList, emptyList, type Found, type View } from './list.tsx'
import { callsOf } from './usage.tsx'

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

interface ListedKey {
  readonly key: KeyRow
  readonly days: KeyDays
}

type KeysView = View<KeysQuery, Found<ListedKey> & { readonly count: number }>

const bulkForm = 'bulk'
const countedMax = 10_000
const newKey = iconButton('plus', '/admin/keys/new', 'New key', 'btn primary')

/** `/admin/keys`: search, filter, sort, page by page; revoke many at once. */
export const keysList = defineList({
  path: '/admin/keys',
  section: 'keys',
  query: keysQuery,
  cursor: 'after',
  async read(deps, query) {
    const { rows, next } = await readKeys(deps, query)
    const listed = rows.map(async (key) => ({ key, days: await readKeyDays(deps, key) }))
    return { rows: await Promise.all(listed), next, count: await deps.store.keys.issued() }
  },
  head({ deps }) {
    const nowMs = deps.clock.now()
    const left = formatTimeLeft((utcDay(nowMs) + 1) * dayMs - nowMs)
    const lead = `Each key signs its own requests. Quotas reset at 00:00 UTC, in ${left}.`
    return { title: 'Keys', lead, buttons: newKey }
  },
  above: keyStats,
  table: {
    title: 'List of keys',
    search: { placeholder: 'Search by name or key id', label: 'Search keys', minLength: searchLengthMin },
    filters: () => [
      { name: 'status', label: 'Status', options: Object.entries(labels.keyStatus) },
      { name: 'sort', label: 'Sort', options: Object.entries(labels.keySort) },
    ],
    columns: () => columns,
    rowClass: ({ key, days }) => (keyFault(key, days.nowMs) === undefined ? undefined : 'off'),
    empty: emptyState,
    foot,
  },
  csv: {
    query: Type.Object({}),
    file({ store, clock }) {
      const today = utcDay(clock.now())
      return csvFile<KeyRow>(
        [...keyCsv, ['used_today', ({ id }) => store.usage.used(today, `key:${id}`)]],
        (limit, last) => store.keyList.newest('any', limit, last?.id),
      )
    },
  },
})

async function keyStats({ deps, found: { count } }: KeysView): Promise<Markup> {
  const today = utcDay(deps.clock.now())
  const revoked = await deps.store.keyList.revokedCount(countedMax)
  const ended = await countEnded(deps, countedMax)
  const signed = (await deps.store.traffic.between(today, today)).filter(({ auth }) => auth === 'key')
  const many = revoked === countedMax ? '+' : ''
  return statRow([
    ['Signed calls today', formatCount(callsOf(signed))],
    ['Active keys', formatCount(count - revoked - ended), `of ${formatCount(count)}`],
    ['Out of quota', await countExhausted(deps), 'today'],
    ['Revoked', `${formatCount(revoked)}${many}`, ended > 0 && `${formatCount(ended)} ended`],
    ['Default quota', formatCount(deps.config.KEY_DAILY_QUOTA), 'a day'],
  ])
}

function foot({ query: { q = '', after }, found: { rows, count } }: KeysView): Child {
  if (rows.length === 0 && after === undefined) return undefined
  const isSearch = q.trim().length >= searchLengthMin
  return [
    <form method="post" action="/admin/keys/revoke" id={bulkForm}>
      {rows.length > 0 && submitButton('Revoke selected')}
      {isSearch &&
        rows.length > 0 &&
        submitButton('Revoke all that match', 'btn', { name: 'search', value: q.trim() })}
    </form>,
    <span class="num">
      {formatCount(rows.length)} shown of {formatCount(count)}
    </span>,
  ]
}

function emptyState({ query: { q = '', status }, found: { count } }: KeysView): Markup {
  if (count === 0)
    return emptyList(
      'No keys yet',
      'A key lets somebody sign requests with a quota of their own. Create one, or share the URL of /api/key.',
      newKey,
    )
  const isShort = q.trim() !== '' && q.trim().length < searchLengthMin
  const reasons: Partial<Record<typeof status, string>> = {
    exhausted: 'No key has used up its quota today.',
    ending: `No key ends in the next ${keyEndSoonDays} days.`,
  }
  const title = isShort ? `Search takes ${searchLengthMin} characters or more` : 'No key matches'
  return emptyList(title, reasons[status], linkButton('/admin/keys', 'Show all keys'))
}

const columns: readonly Column<ListedKey>[] = [
  { head: 'Select', class: 'tool', hidesHead: true, cell: ({ key }) => checkbox(key) },
  { head: 'Key', class: 'main', cell: ({ key }) => nameLink('keys', key.id, nameOf(key)) },
  { head: 'Status', class: 'side', cell: ({ key, days }) => keyStatus(key, days) },
  {
    head: 'Used today',
    class: 'num',
    cell: ({ days: { usedToday, limit } }) => [
      usedOf(usedToday, limit),
      limit !== null && meter(usedToday, limit),
    ],
  },
  { head: '30 days', class: 'wide', cell: ({ days }) => sparkline(days.calls) },
  { head: 'Last used', cell: ({ days }) => lastUsed(days) },
  { head: 'Created', class: 'wide', cell: ({ key }) => formatDay(key.createdAtMs) },
  { head: 'Actions', class: 'tool', hidesHead: true, cell: ({ key }) => menu(key) },
]

function nameOf({ name }: KeyRow): string {
  return name || 'Untitled'
}

function checkbox(key: KeyRow): Markup {
  const label = `Select ${nameOf(key)}, ${key.id}`
  return <input type="checkbox" name="id" value={key.id} form={bulkForm} aria-label={label} />
}

export function keyStatus(key: KeyRow, { nowMs, usedToday, limit, isIdle }: KeyDays): Markup {
  const fault = keyFault(key, nowMs)
  if (fault === 'revoked_key') return pill('Revoked', 'plain')
  if (fault === 'ended_key') return pill('Ended', 'plain')
  if (limit !== null && usedToday >= limit) return pill('Exhausted', 'bad')
  if (endsSoon(key, nowMs)) return pill(`Ends in ${formatTimeLeft(key.expiresAtMs - nowMs)}`, 'warn')
  if (limit === null) return pill('Unlimited', 'ok')
  return isIdle ? pill('Idle', 'plain') : pill('Active', 'ok')
}

function menu(key: KeyRow): Child {
  const path = `/admin/keys/${key.id}`
  return rowMenu(key.id, `${nameOf(key)}, ${key.id}`, [
    <a href={path}>Open</a>,
    <a href={`${path}#quota`}>Change quota</a>,
    <a href={`${path}#expires`}>Set end</a>,
    <a href={`${path}#rotate`}>Rotate secret</a>,
    revokeForm(key),
  ])
}

export function revokeForm(key: KeyRow, kind = ''): Markup {
  const path = `/admin/keys/${key.id}`
  if (key.revokedAtMs !== null) return postForm(`${path}/restore`, submitButton('Restore', kind))
  const question = `Revoke ${key.name || key.id}? Every page that embeds its URLs shows broken images.`
  return postForm(`${path}/revoke`, submitButton('Revoke', `${kind} danger`), { 'data-confirm': question })
}

function sparkline(values: readonly number[]): Markup {
  const top = Math.max(1, ...values)
  const step = 100 / Math.max(1, values.length - 1)
  function fixed(value: number): number {
    return Number(value.toFixed(1))
  }
  const points = values.map((value, index) => `${fixed(index * step)} ${fixed(23 - (value / top) * 21)}`)
  const line = `M${points.join('L')}`
  return (
    <svg class="spark" viewBox="0 0 100 24" preserveAspectRatio="none" aria-hidden="true">
      <path class="area" d={`${line}L100 24L0 24z`} />
      <path d={line} />
    </svg>
  )
}

function lastUsed({ lastDay, isIdle, today }: KeyDays): Child {
  if (lastDay === undefined) return <span class="muted">{isIdle ? 'not in 30 days' : 'not yet'}</span>
  if (lastDay === today) return 'today'
  return lastDay === today - 1 ? 'yesterday' : formatAgo(lastDay * dayMs, today * dayMs)
}

type KeyPage = Found<KeyRow> & { readonly next?: string | undefined }

type Reader = Pick<AdminDeps, 'store' | 'clock' | 'config'>

export async function readKeys(deps: Reader, query: KeysQuery): Promise<KeyPage> {
  const { store, clock } = deps
  const { status, sort, after, q = '' } = query
  const { keyList } = store
  const search = q.trim()
  if (search.length >= searchLengthMin) {
    const rows: KeyRow[] = []
    for (const key of await keyList.search(search, readMax)) {
      if (rows.length === rowsPerPage * 2) break
      const used = status === 'exhausted' ? await store.usage.used(utcDay(clock.now()), `key:${key.id}`) : 0
      if (hasStatus(deps, key, status, used)) rows.push(key)
    }
    return { rows }
  }
  if (sort === 'used' || status === 'exhausted') return await readByUse(deps, query)
  const nowMs = clock.now()
  const soon = { afterMs: nowMs, upToMs: nowMs + keyEndSoonDays * dayMs }
  const rows =
    status === 'ending'
      ? await keyList.ending('first', soon, rowsPerPage, after)
      : status === 'ended'
        ? await keyList.ending('last', { afterMs: 0, upToMs: nowMs }, rowsPerPage, after)
        : await keyList.newest(status, rowsPerPage, after)
  return { rows, next: rows.length === rowsPerPage ? rows.at(-1)?.id : undefined }
}

export function countEnded({ store, clock }: Reader, max: number) {
  return store.keyList.endingCount({ afterMs: 0, upToMs: clock.now() }, max)
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

/** Keys out of quota today, `+` if more. Only the most used are read, so one with a small quota may be missing. */
export async function countExhausted(deps: Reader): Promise<string> {
  const read = await deps.store.keyList.mostUsed(utcDay(deps.clock.now()), readMax)
  const count = read.filter((key) => hasStatus(deps, key, 'exhausted', key.used)).length
  const last = read.length === readMax ? read.at(-1) : undefined
  const hasMore = last !== undefined && last.used >= deps.config.KEY_DAILY_QUOTA
  return hasMore ? `${count}+` : String(count)
}

function hasStatus({ clock, config }: Reader, key: KeyRow, status: KeysQuery['status'], usedToday: number) {
  const nowMs = clock.now()
  if (status === 'any') return true
  if (status === 'ended') return keyFault(key, nowMs) === 'ended_key'
  if (status === 'ending') return key.revokedAtMs === null && endsSoon(key, nowMs)
  if (status !== 'exhausted') return (status === 'revoked') === (key.revokedAtMs !== null)
  const limit = dailyLimitOf(key, config.KEY_DAILY_QUOTA, nowMs)
  return keyFault(key, nowMs) === undefined && limit !== null && usedToday >= limit
}

function endsSoon(key: KeyRow, nowMs: number): key is KeyRow & { readonly expiresAtMs: number } {
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
    calls: Array.from({ length: daysShown }, (_, index) => used.get(firstDay + index) ?? 0),
    lastDay: history.findLast((row) => row.used > 0)?.day,
    usedToday: used.get(today) ?? 0,
    limit: dailyLimitOf(key, config.KEY_DAILY_QUOTA, nowMs),
    /** True if it was not used in these days, and is older than them. */
    isIdle: utcDay(key.createdAtMs) < firstDay && history.every((row) => row.used === 0),
  }
}
