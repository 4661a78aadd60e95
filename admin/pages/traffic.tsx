/** @jsxImportSource #jsx */

import { formatTime } from '../../src/lib/human-format.ts'
import type { Markup } from '../../src/lib/jsx/markup.ts'
import type { RecentRequest } from '../data/recent-requests.ts'
import type { AdminDeps } from '../deps.ts'
import { adminPage } from '../parts/layout.tsx'
import { pill, type Tone } from '../parts/pill.tsx'
import { scrollTable } from '../parts/scroll-table.tsx'

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
    <section class="card panel">
      <header>
        <h2>Last requests</h2>
        <span class="live pill" role="status">
          reloads every {refreshSeconds} s
        </span>
      </header>
      {scrollTable({
        label: 'Requests',
        class: 'log stack',
        feed: '/admin/traffic/events',
        columns: ['Time, UTC', 'Request', 'Status', 'Paid by', { right: 'ms' }],
        rows: rows.length === 0 ? emptyRow() : rows.map(requestRow),
      })}
    </section>,
  )
}

function emptyRow(): Markup {
  return (
    <tr class="none">
      <td colspan="5" class="muted">
        No request yet. The first one shows here: open the playground, or call the API.
      </td>
    </tr>
  )
}

export function requestRow({ atMs, method, path, status, auth, durationMs, id }: RecentRequest): Markup {
  return (
    <tr title={id}>
      <td data-l="Time, UTC" class="muted">
        {formatTime(atMs).slice(11)}
      </td>
      <td class="c-main mono">
        {method} {path.slice(0, 100)}
      </td>
      <td class="c-side">{pill(String(status), toneOf(status))}</td>
      <td data-l="Paid by">{auth}</td>
      <td class="right num" data-l="ms">
        {durationMs.toFixed(1)}
      </td>
    </tr>
  )
}

function toneOf(status: number): Tone {
  if (status >= 500) return 'bad'
  if (status >= 400) return 'warn'
  return status >= 300 ? 'plain' : 'ok'
}
