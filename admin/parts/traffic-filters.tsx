/** @jsxImportSource #jsx */
import type { Markup } from '../../src/lib/jsx/markup.ts'
import { outcomes } from '../data/request-kinds.ts'
import { anyOutcome, spanLabels, type TrafficQuery } from '../data/traffic-views.ts'
import type { AdminDeps } from '../deps.ts'
import { filter, listToolbar } from './list.tsx'

/** Filters of the traffic page. Keys are offered by name: those whose requests are in memory. */
export function trafficFilters(
  { assets, keyNames }: Pick<AdminDeps, 'assets' | 'keyNames'>,
  query: TrafficQuery,
  keyIds: readonly string[],
): Markup {
  const { show, q = '', asset = '', status, key = '', since } = query
  const offered = [...new Set(key === '' ? keyIds : [key, ...keyIds])]
  return listToolbar(
    '/admin/traffic',
    { value: q, placeholder: 'Path or request id', label: 'Search requests by path or id' },
    [
      <input type="hidden" name="show" value={show} />,
      filter({ name: 'asset', label: 'Asset', current: asset }, [
        ['', 'Any asset'],
        ...assets.map(({ asset: { id, title } }) => [id, title] as const),
      ]),
      filter({ name: 'status', label: 'Outcome', current: status }, [
        [anyOutcome, 'Any outcome'],
        ...outcomes.map((outcome) => [outcome, outcome] as const),
      ]),
      filter({ name: 'key', label: 'Key', current: key }, [
        ['', 'Any key'],
        ...offered.map((id) => [id, keyNames.nameOf(id)] as const),
      ]),
      filter({ name: 'since', label: 'Time', current: since }, Object.entries(spanLabels)),
    ],
  )
}
