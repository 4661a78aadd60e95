/** @jsxImportSource #jsx */
import { dayMs, utcDay } from '../../src/lib/clock.ts'
import type { Markup } from '../../src/lib/jsx/markup.ts'
import type { AdminDeps } from '../deps.ts'
import {
  countExhausted,
  type KeyListPage,
  type KeyListState,
  keyListAddress,
  listKeys,
  readKeyListState,
  searchLengthMin,
} from '../key-listing.ts'
import { figures } from '../parts/figures.tsx'
import { formatCount, formatSpan } from '../parts/format.ts'
import { icon } from '../parts/icons.tsx'
import { keyTable } from '../parts/key-table.tsx'
import { adminPage } from '../parts/layout.tsx'
import { option, searchField, tools } from '../parts/tools.tsx'
import type { Visit } from '../session-guard.ts'
import { countOf } from '../traffic-days.ts'

const bulkForm = 'bulk'
const revokedMax = 10_000

/** `/admin/keys`: search, filter, sort, page by page; revoke many at once. */
export function keysPage(deps: AdminDeps, { query }: Visit): Markup {
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
      keyFigures(deps, count),
      <section class="card" aria-labelledby="list">
        <h2 class="vh" id="list">
          List of keys
        </h2>
        {filters(state)}
        {list.rows.length === 0 ? emptyState(state, count) : keyTable(deps, list.rows, bulkForm)}
        {(list.rows.length > 0 || state.after) && foot(state, list, count)}
      </section>,
    ],
  )
}

function keyFigures(deps: AdminDeps, count: number): Markup {
  const today = utcDay(deps.clock.now())
  const revoked = deps.store.keyList.revokedCount(revokedMax)
  const signed = deps.store.traffic.between(today, today).filter(({ auth }) => auth === 'key')
  const many = revoked === revokedMax ? '+' : ''
  return figures([
    { label: 'Signed calls today', value: formatCount(countOf(signed)) },
    { label: 'Keys in force', value: formatCount(count - revoked), note: `of ${formatCount(count)}` },
    { label: 'Out of quota', value: countExhausted(deps), note: 'today' },
    { label: 'Revoked', value: `${formatCount(revoked)}${many}` },
    {
      label: 'General quota',
      value: formatCount(deps.config.KEY_DAILY_QUOTA),
      note: 'a day',
    },
  ])
}

function filters({ search, status, sort }: KeyListState): Markup {
  return tools('/admin/keys', [
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

function foot(state: KeyListState, { rows, next }: KeyListPage, count: number): Markup {
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
          <a class="btn" href={keyListAddress({ ...state, after: undefined })}>
            First page
          </a>
        )}
        {next && (
          <a class="btn" href={keyListAddress({ ...state, after: next })}>
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
