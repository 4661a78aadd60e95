/** @jsxImportSource #jsx */
import { formatTime } from '../../src/lib/human-format.ts'
import type { Child, Markup } from '../../src/lib/jsx/markup.ts'
import type { RecentRequest } from '../data/recent-requests.ts'
import {
  pageLength,
  type TrafficQuery,
  type TrafficView,
  trafficPageOf,
  trafficViews,
} from '../data/traffic-views.ts'
import type { AdminDeps } from '../deps.ts'
import { segments } from '../parts/buttons.tsx'
import { panel } from '../parts/cards.tsx'
import { adminPage } from '../parts/layout.tsx'
import { pager } from '../parts/list.tsx'
import { pill, type Tone } from '../parts/pill.tsx'
import { type Column, scrollTable, tableRow } from '../parts/table.tsx'
import type { AdminRequest } from '../session/admin-request.ts'

const refreshSeconds = 5

/**
 * `/admin/traffic`: the last requests of this process, page by page. To the first page the script adds new ones; without
 * scripts it reloads.
 */
export function trafficPage(deps: AdminDeps, { query }: AdminRequest<TrafficQuery>): Promise<Markup> {
  const { show: view } = query
  const { rows, isFirst, next } = trafficPageOf(deps.recent.list(), query)
  const address = `/admin/traffic?show=${view}`
  return adminPage(
    deps,
    {
      title: 'Traffic',
      section: 'traffic',
      lead: 'The last requests of this process, without those of the operator’s area. Queries are not shown: they may hold signatures.',
      ...(isFirst && { refreshSeconds }),
    },
    panel(
      'Last requests',
      [
        scrollTable({
          label: 'Requests',
          class: 'log stack',
          feed: isFirst ? { path: `/admin/traffic/events?show=${view}`, rowsMax: pageLength } : undefined,
          columns,
          rows: rows.length === 0 ? emptyRow() : rows.map(requestRow),
        }),
        pager({
          'First page': isFirst ? undefined : address,
          Older: next && `${address}&after=${encodeURIComponent(next)}`,
        }),
      ],
      [isFirst && liveState(), viewPicker(view)],
    ),
  )
}

function liveState(): Markup {
  return (
    <span class="live pill" role="status">
      reloads every {refreshSeconds} s
    </span>
  )
}

function viewPicker(current: TrafficView): Child {
  return segments(
    'Show',
    trafficViews.map(({ name, label }) => ({
      href: `/admin/traffic?show=${name}`,
      label,
      isCurrent: name === current,
    })),
  )
}

function emptyRow(): Markup {
  return (
    <tr class="none">
      <td colspan={columns.length} class="muted">
        No requests yet. Open the playground or call the API, and they appear here.
      </td>
    </tr>
  )
}

const columns: readonly Column<RecentRequest>[] = [
  { head: 'Time, UTC', class: 'muted', cell: ({ atMs }) => formatTime(atMs).slice(11) },
  { head: 'Request', class: 'c-main mono', cell: ({ method, path }) => `${method} ${path.slice(0, 100)}` },
  { head: 'Status', class: 'c-side', cell: ({ status }) => pill(String(status), toneOf(status)) },
  { head: 'Auth', cell: ({ auth }) => auth },
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
