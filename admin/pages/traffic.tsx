/** @jsxImportSource #jsx */
import type { Child, Markup } from '../../src/lib/jsx/markup.ts'
import {
  hasFilters,
  pageLength,
  type TrafficQuery,
  trafficPageOf,
  trafficPath,
  trafficViews,
} from '../data/traffic-views.ts'
import type { AdminDeps } from '../deps.ts'
import { segments } from '../parts/buttons.tsx'
import { panel } from '../parts/cards.tsx'
import { adminPage } from '../parts/layout.tsx'
import { pager } from '../parts/list.tsx'
import { requestColumns, requestRow } from '../parts/request-table.tsx'
import { scrollTable } from '../parts/table.tsx'
import { trafficFilters } from '../parts/traffic-filters.tsx'
import type { AdminRequest } from '../session/admin-request.ts'

const refreshSeconds = 5
const keysOffered = 100

/**
 * `/admin/traffic`: the last requests of this process, page by page. To the first page the script adds new ones; without
 * scripts it reloads.
 */
export async function trafficPage(deps: AdminDeps, { query }: AdminRequest<TrafficQuery>): Promise<Markup> {
  const { recent, keyNames, clock } = deps
  const all = recent.list()
  const { rows, isFirst, next } = trafficPageOf(all, query, clock.now())
  const keyIds = [...new Set(all.map(({ keyId }) => keyId))].filter(Boolean).slice(0, keysOffered)
  await keyNames.load([...keyIds, ...rows.map(({ keyId }) => keyId)])
  const address = trafficPath('/admin/traffic', query)
  return adminPage(
    deps,
    {
      title: 'Traffic',
      section: 'traffic',
      lead: 'The last 1,000 requests of this process, without those of the operator’s area. Queries are not shown: they may hold signatures.',
      ...(isFirst && { refreshSeconds }),
    },
    panel(
      'Last requests',
      [
        trafficFilters(deps, query, keyIds),
        scrollTable({
          label: 'Requests',
          class: 'log stack',
          feed: isFirst
            ? { path: trafficPath('/admin/traffic/events', query), rowsMax: pageLength }
            : undefined,
          columns: requestColumns(keyNames),
          rows: rows.length === 0 ? emptyRow(query) : rows.map((request) => requestRow(keyNames, request)),
        }),
        pager({
          'First page': isFirst ? undefined : address,
          Older: next && `${address}&after=${encodeURIComponent(next)}`,
        }),
      ],
      [isFirst && liveState(), viewPicker(query)],
    ),
  )
}

function liveState(): Markup {
  return (
    <span class="live pill" role="status">
      Reloads every {refreshSeconds} s
    </span>
  )
}

function viewPicker(query: TrafficQuery): Child {
  return segments(
    'Show',
    trafficViews.map(({ name, label }) => ({
      href: trafficPath('/admin/traffic', { ...query, show: name }),
      label,
      isCurrent: name === query.show,
    })),
  )
}

function emptyRow(query: TrafficQuery): Markup {
  return (
    <tr class="none">
      <td colspan="5" class="muted">
        {hasFilters(query)
          ? ['No request passes these filters. ', <a href="/admin/traffic">Show all</a>]
          : 'No requests yet. Open the playground or call the API, and they appear here.'}
      </td>
    </tr>
  )
}
