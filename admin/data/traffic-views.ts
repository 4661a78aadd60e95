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

/** The view that a query asks for; an unknown one is the first. */
export function trafficViewOf(query: URLSearchParams): TrafficView {
  const name = query.get('show')
  return name === 'errors' || name === 'all' ? name : 'requests'
}

export function isInView(view: TrafficView, request: RecentRequest): boolean {
  return views[view].includes(request)
}

/** Requests on one page of the list. */
export const pageLength = 25

/** One page of the list: the requests after the one with the id `after`, or the newest if that is not known any more. */
export function trafficPageOf(all: readonly RecentRequest[], view: TrafficView, after: string | null) {
  const list = all.filter((request) => isInView(view, request))
  const start = list.findIndex(({ id }) => id === after) + 1
  const rows = list.slice(start, start + pageLength)
  return {
    rows,
    isFirst: start === 0,
    next: start + pageLength < list.length ? rows.at(-1)?.id : undefined,
  }
}
