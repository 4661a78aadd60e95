import { type Static, Type } from '@sinclair/typebox'
import { choice, text } from '../../src/lib/fields.ts'
import { isOwnPicture, type RecentRequest } from './recent-requests.ts'

/** Views of the traffic page: the label, and which requests each one shows. */
const views = {
  requests: { label: 'Requests', includes: (request: RecentRequest) => !isOwnPicture(request) },
  errors: { label: 'Errors', includes: ({ status }: RecentRequest) => status >= 400 },
  /** With the pictures of our own pages. */
  all: { label: 'All', includes: () => true },
} as const

export type TrafficView = keyof typeof views

export const trafficViews = Object.entries(views).map(([name, { label }]) => ({ name, label }))

export const trafficQuery = Type.Object({
  show: choice(Object.keys(views) as readonly TrafficView[], {
    default: 'requests',
    description: 'Which requests',
  }),
  after: Type.Optional(text(0, 100, { description: 'The id of the request before the first of the page' })),
})

export type TrafficQuery = Static<typeof trafficQuery>

export function isInView(view: TrafficView, request: RecentRequest): boolean {
  return views[view].includes(request)
}

/** Requests on one page of the list. */
export const pageLength = 25

/** One page of the list: the requests after the one with the id `after`, or the newest if that is not known any more. */
export function trafficPageOf(all: readonly RecentRequest[], { show: view, after }: TrafficQuery) {
  const list = all.filter((request) => isInView(view, request))
  const start = list.findIndex(({ id }) => id === after) + 1
  const rows = list.slice(start, start + pageLength)
  return {
    rows,
    isFirst: start === 0,
    next: start + pageLength < list.length ? rows.at(-1)?.id : undefined,
  }
}
