/** @jsxImportSource #jsx */
import { dayMs, utcDay } from '../../src/lib/clock.ts'
import { formatCount, formatSpan } from '../../src/lib/human-format.ts'
import type { Markup } from '../../src/lib/jsx/markup.ts'
import { icon } from '../../src/site/parts/icons.tsx'
import {
  countExhausted,
  type KeyListPage,
  type KeyListState,
  keyListPath,
  listKeys,
  readKeyListState,
  searchLengthMin,
} from '../data/key-listing.ts'
import { countOf } from '../data/traffic-days.ts'
import type { AdminDeps } from '../deps.ts'
import { keyTable } from '../parts/key-table.tsx'
import { adminPage } from '../parts/layout.tsx'
import { listToolbar, option, searchField } from '../parts/list-toolbar.tsx'
import { statRow } from '../parts/stat-row.tsx'
import type { AdminRequest } from '../session/admin-request.ts'

const bulkForm = 'bulk'
const revokedMax = 10_000

/** `/admin/keys`: search, filter, sort, page by page; revoke many at once. */
export function keysPage(deps: AdminDeps, { query }: AdminRequest): Markup {
  const state = readKeyListState(query)
  const list = listKeys(deps, state)
  const nowMs = deps.clock.now()
  const resetMs = (utcDay(nowMs) + 1) * dayMs - nowMs
  const count = deps.store.keys.issued()
  return adminPage(
    deps,
    {
      title: 'Keys',
      section: 'keys',
      lead: `Each key signs its own requests. Quotas reset at 00:00 UTC, in ${formatSpan(resetMs)}.`,
      actions: [
        <a class="btn" href="/admin/keys.csv">
          {icon('download')}Export CSV
        </a>,
        <a class="btn primary" href="/admin/keys/new">
          {icon('plus')}New key
        </a>,
      ],
    },
    [
      keyStats(deps, count),
      <section class="card" aria-labelledby="list">
        <h2 class="vh" id="list">
          List of keys
        </h2>
        {filters(state)}
        {list.rows.length === 0 ? emptyState(state, count) : keyTable(deps, list.rows, bulkForm)}
        {(list.rows.length > 0 || state.after) && pager(state, list, count)}
      </section>,
    ],
  )
}

function keyStats(deps: AdminDeps, count: number): Markup {
  const today = utcDay(deps.clock.now())
  const revoked = deps.store.keyList.revokedCount(revokedMax)
  const signed = deps.store.traffic.between(today, today).filter(({ auth }) => auth === 'key')
  const many = revoked === revokedMax ? '+' : ''
  return statRow([
    { label: 'Signed calls today', value: formatCount(countOf(signed)) },
    { label: 'Keys in force', value: formatCount(count - revoked), note: `of ${formatCount(count)}` },
    { label: 'Out of quota', value: countExhausted(deps), note: 'today' },
    { label: 'Revoked', value: `${formatCount(revoked)}${many}` },
    {
      label: 'Default quota',
      value: formatCount(deps.config.KEY_DAILY_QUOTA),
      note: 'a day',
    },
  ])
}

function filters({ search, status, sort }: KeyListState): Markup {
  return listToolbar('/admin/keys', [
    searchField({
      value: search,
      placeholder: 'Search by name or key id',
      label: 'Search keys',
      minLength: searchLengthMin,
    }),
    <select name="status" aria-label="Status">
      {option('any', 'Any status', status)}
      {option('active', 'Not revoked', status)}
      {option('exhausted', 'Exhausted today', status)}
      {option('revoked', 'Revoked', status)}
    </select>,
    <select name="sort" aria-label="Sort">
      {option('newest', 'Newest', sort)}
      {option('used', 'Most used today', sort)}
    </select>,
  ])
}

function pager(state: KeyListState, { rows, next }: KeyListPage, count: number): Markup {
  return (
    <div class="pager">
      <form method="post" action="/admin/keys/revoke" id={bulkForm}>
        {rows.length > 0 && (
          <button class="btn" type="submit">
            Revoke selected
          </button>
        )}
        {state.search.length >= searchLengthMin && rows.length > 0 && (
          <button class="btn" type="submit" name="search" value={state.search}>
            Revoke all that match
          </button>
        )}
      </form>
      <span class="num hide">
        {formatCount(rows.length)} shown of {formatCount(count)}
      </span>
      <div class="end">
        {state.after && (
          <a class="btn" href={keyListPath({ ...state, after: undefined })}>
            First page
          </a>
        )}
        {next && (
          <a class="btn" href={keyListPath({ ...state, after: next })}>
            Next
          </a>
        )}
      </div>
    </div>
  )
}

function emptyState({ search, status }: KeyListState, count: number): Markup {
  if (count === 0)
    return (
      <div class="empty">
        <h3>No keys yet</h3>
        <p>
          A key lets somebody sign requests with a quota of their own. Create one, or share the address of
          /api/key.
        </p>
        <a class="btn primary" href="/admin/keys/new">
          {icon('plus')}New key
        </a>
      </div>
    )
  const isShort = search !== '' && search.length < searchLengthMin
  return (
    <div class="empty">
      <h3>{isShort ? `Search takes ${searchLengthMin} characters or more` : 'No key matches'}</h3>
      {status === 'exhausted' && <p>No key has used up its quota today.</p>}
      <a class="btn" href="/admin/keys">
        Show all keys
      </a>
    </div>
  )
}
