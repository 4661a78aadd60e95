/** @jsxImportSource #jsx */
import { formatTime } from '../../src/lib/human-format.ts'
import type { Markup } from '../../src/lib/jsx/markup.ts'
import type { RecentRequest } from '../data/recent-requests.ts'
import type { AdminDeps } from '../deps.ts'
import { panel } from '../parts/cards.tsx'
import { adminPage } from '../parts/layout.tsx'
import { pill, type Tone } from '../parts/pill.tsx'
import { type Column, scrollTable, tableRow } from '../parts/table.tsx'

const refreshSeconds = 5

/** `/admin/traffic`: the last requests of this process. The page's script adds new ones; without scripts it reloads. */
export function trafficPage(deps: AdminDeps): Markup {
  const rows = deps.recent.list()
  return adminPage(
    deps,
    {
      title: 'Traffic',
      section: 'traffic',
      lead: 'Requests of this process as they finish, without those of these pages. Queries are not shown: they may hold signatures.',
      refreshSeconds,
    },
    panel(
      'Last requests',
      scrollTable({
        label: 'Requests',
        class: 'log stack',
        feed: '/admin/traffic/events',
        columns,
        rows: rows.length === 0 ? emptyRow() : rows.map(requestRow),
      }),
      <span class="live pill" role="status">
        reloads every {refreshSeconds} s
      </span>,
    ),
  )
}

function emptyRow(): Markup {
  return (
    <tr class="none">
      <td colspan={columns.length} class="muted">
        No request yet. The first one shows here: open the playground, or call the API.
      </td>
    </tr>
  )
}

const columns: readonly Column<RecentRequest>[] = [
  { head: 'Time, UTC', class: 'muted', cell: ({ atMs }) => formatTime(atMs).slice(11) },
  { head: 'Request', class: 'c-main mono', cell: ({ method, path }) => `${method} ${path.slice(0, 100)}` },
  { head: 'Status', class: 'c-side', cell: ({ status }) => pill(String(status), toneOf(status)) },
  { head: 'Paid by', cell: ({ auth }) => auth },
  { head: 'ms', class: 'right num', cell: ({ durationMs }) => durationMs.toFixed(1) },
]

export function requestRow(request: RecentRequest): Markup {
  return tableRow(columns, request, { title: request.id })
}

function toneOf(status: number): Tone {
  if (status >= 500) return 'bad'
  if (status >= 400) return 'warn'
  return status >= 300 ? 'plain' : 'ok'
}
