/** @jsxImportSource #jsx */
import { Type } from '@sinclair/typebox'
import { keyFault } from '../../src/access/keys.ts'
import { dayMs, utcDay } from '../../src/lib/clock.ts'
import { formatAgo, formatCount, formatDay, formatTimeLeft } from '../../src/lib/human-format.ts'
import type { Child, Markup } from '../../src/lib/jsx/markup.ts'
import { keyEndSoonDays } from '../../src/operator/concern.ts'
import type { KeyRow } from '../../src/store/keys.ts'
import { callsOf } from '../figures/requests.ts'
import { keyCsv } from '../keys/key-fields.ts'
import {
  type Column,
  iconButton,
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
import {
  countEndings,
  countExhausted,
  endsSoon,
  type KeyDays,
  type KeysQuery,
  keysQuery,
  readKeyDays,
  readKeys,
  searchLengthMin,
} from './read-keys.ts'

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
  const { ended } = await countEndings(deps, countedMax)
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

/** Revokes the key after a question, or restores it if it is revoked. @param kind class of the button */
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
