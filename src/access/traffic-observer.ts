import type { Latency } from '../lib/latency.ts'
import type { TrafficLog } from './traffic-log.ts'

/** A request, as far as its statistics need to know. The fields of its log line say what it was about. */
export interface ObservedRequest {
  readonly method: string
  readonly logFields: { readonly asset?: string; readonly auth?: string }
}

interface ObserverDeps {
  readonly traffic: Pick<TrafficLog, 'record'>
  readonly latency: Pick<Latency, 'observe'>
}

/** Counts the answers that the meter does not count: free, refused and failed ones. Measures how long all of them took. */
export function createTrafficObserver({ traffic, latency }: ObserverDeps) {
  return ({ method, logFields }: ObservedRequest, { status }: Response, durationMs: number): void => {
    const { asset: endpoint, auth } = logFields
    if (endpoint === undefined) return
    latency.observe(endpoint, durationMs)
    const isCounted = auth !== undefined && method !== 'HEAD' && status < 300
    if (!isCounted) traffic.record({ endpoint, auth: 'free', status: statusClass(status) })
  }
}

function statusClass(status: number): string {
  return status === 402 ? '402' : `${Math.floor(status / 100)}xx`
}
