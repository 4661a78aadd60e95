import type { RequestContext } from '../http/request-context.ts'
import type { Latency } from './latency.ts'
import type { TrafficLog } from './traffic-log.ts'

interface ObserverDeps {
  readonly traffic: Pick<TrafficLog, 'record'>
  readonly latency: Pick<Latency, 'observe'>
}

/** Counts the answers that the meter does not: free ones, refused ones, failed ones. It counts each call that it grants. */
export function createTrafficObserver({ traffic, latency }: ObserverDeps) {
  return ({ method, logFields: notes }: RequestContext, { status }: Response, durationMs: number): void => {
    const { asset: endpoint, auth } = notes
    if (endpoint === undefined) return
    latency.observe(endpoint, durationMs)
    const isCounted = auth !== undefined && method !== 'HEAD' && status < 300
    if (!isCounted) traffic.record({ endpoint, auth: 'free', status: statusClass(status) })
  }
}

function statusClass(status: number): string {
  return status === 402 ? '402' : `${Math.floor(status / 100)}xx`
}
