import { type Static, Type } from '@sinclair/typebox'
import { choice, text } from '../../src/lib/fields.ts'
import { isOwnPicture, type RecentRequest } from './recent-requests.ts'
import { outcomeOf, outcomes } from './request-kinds.ts'

/** Views of the traffic page: the label, and which requests each one shows. */
const views = {
  requests: { label: 'Requests', includes: (request: RecentRequest) => !isOwnPicture(request) },
  errors: { label: 'Not served', includes: ({ status }: RecentRequest) => status >= 400 },
  /** With the pictures of our own pages. */
  all: { label: 'All', includes: () => true },
} as const

export const trafficViews = Object.entries(views).map(([name, { label }]) => ({
  name: name as keyof typeof views,
  label,
}))

/** Spans of time that the list can be cut to, in minutes. */
const spans = ['any', '1', '5', '60', '1440'] as const

export const spanLabels: Readonly<Record<(typeof spans)[number], string>> = {
  any: 'Any time',
  '1': 'Last minute',
  '5': 'Last 5 minutes',
  '60': 'Last hour',
  '1440': 'Last 24 hours',
}

export const anyOutcome = 'any'

export const trafficQuery = Type.Object({
  show: choice(Object.keys(views) as readonly (keyof typeof views)[], {
    default: 'requests',
    description: 'Which requests',
  }),
  q: Type.Optional(text(0, 200, { description: 'A part of the path, or the id of a request' })),
  asset: Type.Optional(text(0, 40, { description: 'The id of an asset' })),
  status: choice([anyOutcome, ...outcomes], { default: anyOutcome, description: 'Only this outcome' }),
  key: Type.Optional(text(0, 64, { description: 'The id of a key' })),
  since: choice(spans, { default: 'any', description: 'For how many minutes back' }),
  after: Type.Optional(text(0, 100, { description: 'The id of the request before the first of the page' })),
})

export type TrafficQuery = Static<typeof trafficQuery>

/** The query of the page that has these filters, without the cursor. */
export function trafficPath(page: string, { after: _, ...filters }: TrafficQuery): string {
  const given = Object.entries(filters).filter(([, value]) => value && value !== anyOutcome)
  return `${page}?${new URLSearchParams(given as [string, string][])}`
}

export function hasFilters({ q, asset, status, key, since }: TrafficQuery): boolean {
  return Boolean(q || asset || key) || status !== anyOutcome || since !== 'any'
}

/** Returns whether a request is in the view and passes the filters. */
export function isInView(query: TrafficQuery, request: RecentRequest, nowMs: number): boolean {
  const { show, q = '', asset, status, key, since } = query
  const search = q.trim().toLowerCase()
  return (
    views[show].includes(request) &&
    (search === '' || request.path.toLowerCase().includes(search) || request.id === search) &&
    (!asset || request.asset === asset) &&
    (status === anyOutcome || outcomeOf(request) === status) &&
    (!key || request.keyId === key) &&
    (since === 'any' || nowMs - request.atMs <= Number(since) * 60_000)
  )
}

/** Requests on one page of the list. */
export const pageLength = 25

/** One page of the list: the requests after the one with the id `after`, or the newest if that is not known any more. */
export function trafficPageOf(all: readonly RecentRequest[], query: TrafficQuery, nowMs: number) {
  const list = all.filter((request) => isInView(query, request, nowMs))
  const start = list.findIndex(({ id }) => id === query.after) + 1
  const rows = list.slice(start, start + pageLength)
  return {
    rows,
    isFirst: start === 0,
    next: start + pageLength < list.length ? rows.at(-1)?.id : undefined,
  }
}
