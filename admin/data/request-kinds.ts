import type { TrafficRow } from '../../src/store/traffic.ts'

/**
 * The kinds that charts and sums tell apart, in the order of a chart's bars, bottom to top. Each request is of exactly one
 * kind, so the bars of a day add up to its requests. What was answered counts by who authorized it, everything else as an
 * error.
 */
export const requestKinds = ['Signed', 'Demo', 'Paid', 'Free', 'Errors'] as const

export type RequestKind = (typeof requestKinds)[number]

const kindsByAuth: Readonly<Record<string, RequestKind>> = { key: 'Signed', demo: 'Demo', payment: 'Paid' }

export function kindOf({ auth, status }: Pick<TrafficRow, 'auth' | 'status'>): RequestKind {
  return /^[45]/.test(status) ? 'Errors' : (kindsByAuth[auth] ?? 'Free')
}
