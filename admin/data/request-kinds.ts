import { responseOutcome } from '../../src/assets/stats/process-report.ts'
import type { ChartSeries } from '../../src/site/parts/chart-data.ts'

/**
 * Outcomes of requests, in the order of a chart's bars, bottom to top. Each request has exactly one, so the bars of a day
 * add up to its requests. Only the failed ones are a fault of this server.
 */
export const outcomes = ['Served', 'Unpaid', 'Refused', 'Failed'] as const

export type RequestOutcome = (typeof outcomes)[number]

const tones: Readonly<Record<RequestOutcome, ChartSeries['tone']>> = {
  Served: 's1',
  Unpaid: 'unpaid',
  Refused: 'refused',
  Failed: 's5',
}

export const outcomeSeries: readonly ChartSeries[] = outcomes.map((name) => ({ name, tone: tones[name] }))

/** @param status a class such as `4xx`, or `402` */
export function outcomeOf({ status }: { readonly status: string | number }): RequestOutcome {
  return labels[responseOutcome(status)]
}

const labels = { served: 'Served', unpaid: 'Unpaid', refused: 'Refused', failed: 'Failed' } as const

const credentials: Readonly<Record<string, string>> = { key: 'Key', demo: 'Demo quota', payment: 'Payment' }

/** The thing that a served request was granted for. */
export function credentialOf({ auth }: { readonly auth: string }): string {
  return credentials[auth] ?? 'None needed'
}
