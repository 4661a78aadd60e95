/** @jsxImportSource #jsx */
import type { Static } from '@sinclair/typebox'
import { dayMs, utcDay } from '../../src/lib/clock.ts'
import { formatCount, formatTimeLeft } from '../../src/lib/human-format.ts'
import type { Child, Markup } from '../../src/lib/jsx/markup.ts'
import { keyEndSoonDays } from '../../src/operator/concern.ts'
import {
  countEndings,
  countExhausted,
  type KeyListPage,
  type KeyListState,
  keyListPath,
  keyListState,
  type keysQuery,
  listKeys,
  searchLengthMin,
} from '../data/key-listing.ts'
import { callsOf } from '../data/traffic-sums.ts'
import type { AdminDeps } from '../deps.ts'
import { iconButton, linkButton, submitButton } from '../parts/buttons.tsx'
import { statRow } from '../parts/cards.tsx'
import { keyTable } from '../parts/key-table.tsx'
import { adminPage } from '../parts/layout.tsx'
import { emptyList, filter, listCard, listToolbar, pager } from '../parts/list.tsx'
import type { AdminRequest } from '../session/admin-request.ts'

const bulkForm = 'bulk'
const countedMax = 10_000

/** `/admin/keys`: search, filter, sort, page by page; revoke many at once. */
export async function keysPage(
  deps: AdminDeps,
  { query }: AdminRequest<Static<typeof keysQuery>>,
): Promise<Markup> {
  const state = keyListState(query)
  const list = await listKeys(deps, state)
  const nowMs = deps.clock.now()
  const resetMs = (utcDay(nowMs) + 1) * dayMs - nowMs
  const count = await deps.store.keys.issued()
  return adminPage(
    deps,
    {
      title: 'Keys',
      section: 'keys',
      lead: `Each key signs its own requests. Quotas reset at 00:00 UTC, in ${formatTimeLeft(resetMs)}.`,
      actions: [
        iconButton('download', '/admin/keys.csv', 'Export CSV'),
        iconButton('plus', '/admin/keys/new', 'New key', 'btn primary'),
      ],
    },
    [
      await keyStats(deps, count),
      listCard('List of keys', [
        toolbar(state),
        list.rows.length === 0 ? emptyState(state, count) : await keyTable(deps, list.rows, bulkForm),
        (list.rows.length > 0 || state.after) && foot(state, list, count),
      ]),
    ],
  )
}

async function keyStats(deps: AdminDeps, count: number): Promise<Markup> {
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

function toolbar({ search, status, sort }: KeyListState): Markup {
  const field = {
    value: search,
    placeholder: 'Search by name or key id',
    label: 'Search keys',
    minLength: searchLengthMin,
  }
  return listToolbar('/admin/keys', field, [
    filter({ name: 'status', label: 'Status', current: status }, [
      ['any', 'Any status'],
      ['active', 'Not revoked'],
      ['exhausted', 'Exhausted today'],
      ['ending', 'Ends soon'],
      ['ended', 'Ended'],
      ['revoked', 'Revoked'],
    ]),
    filter({ name: 'sort', label: 'Sort', current: sort }, [
      ['newest', 'Newest'],
      ['used', 'Most used today'],
    ]),
  ])
}

function foot(state: KeyListState, { rows, next }: KeyListPage, count: number): Child {
  const links = {
    'First page': state.after && keyListPath({ ...state, after: undefined }),
    Next: next && keyListPath({ ...state, after: next }),
  }
  return pager(links, [
    <form method="post" action="/admin/keys/revoke" id={bulkForm}>
      {rows.length > 0 && submitButton('Revoke selected')}
      {state.search.length >= searchLengthMin && rows.length > 0 && (
        <button class="btn" type="submit" name="search" value={state.search}>
          Revoke all that match
        </button>
      )}
    </form>,
    <span class="num hide">
      {formatCount(rows.length)} shown of {formatCount(count)}
    </span>,
  ])
}

function emptyState({ search, status }: KeyListState, count: number): Markup {
  if (count === 0)
    return emptyList('No keys yet', [
      <p>
        A key lets somebody sign requests with a quota of their own. Create one, or share the address of
        /api/key.
      </p>,
      iconButton('plus', '/admin/keys/new', 'New key', 'btn primary'),
    ])
  const isShort = search !== '' && search.length < searchLengthMin
  return emptyList(isShort ? `Search takes ${searchLengthMin} characters or more` : 'No key matches', [
    status === 'exhausted' && <p>No key has used up its quota today.</p>,
    status === 'ending' && <p>No key ends in the next {keyEndSoonDays} days.</p>,
    linkButton('/admin/keys', 'Show all keys'),
  ])
}
