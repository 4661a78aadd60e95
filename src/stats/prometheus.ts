import type { HistogramSnapshot } from '../lib/histogram.ts'
import type { Incidents } from './incidents.ts'
import type { Latency } from './latency.ts'
import type { Stats } from './stats.ts'

type Labels = Readonly<Record<string, string>>
type Sample = readonly [value: number, labels?: Labels]

/** Writes the Prometheus text format. Counters never go down: a call that is given back waits for the next one. */
export function createPrometheusWriter(latency: Latency, incidents: () => Incidents) {
  const highest = new Map<string, number>()

  function monotonic(name: string, value: number): number {
    const high = Math.max(value, highest.get(name) ?? 0)
    highest.set(name, high)
    return high
  }

  return (stats: Stats): string => {
    const { total, demo, cache, keys, payments } = stats
    const { linesLost, unhandledErrors } = incidents()
    const startSeconds = Date.parse(stats.started_at) / 1000
    const requests = Object.entries(total.by_endpoint).map(
      ([endpoint, count]): Sample => [monotonic(endpoint, count), { endpoint }],
    )
    return [
      family('mintmark_info', 'gauge', 'The version that runs.', [[1, { version: stats.version }]]),
      family('mintmark_start_time_seconds', 'gauge', 'When this process started, in Unix seconds.', [
        [startSeconds],
      ]),
      family(
        'mintmark_requests_total',
        'counter',
        'Requests by endpoint, by all processes, since the service was set up.',
        requests,
      ),
      family('mintmark_demo_calls_limit', 'gauge', 'Demo calls that a UTC day has.', [[demo.limit]]),
      family('mintmark_demo_calls_used', 'gauge', 'Demo calls used on this UTC day.', [[demo.used]]),
      family('mintmark_cache_entries', 'gauge', 'Answers kept in memory.', [[cache.entries]]),
      family('mintmark_cache_size_bytes', 'gauge', 'Memory of the answers kept.', [[cache.bytes]]),
      family('mintmark_cache_hits_total', 'counter', 'Answers that were kept already.', [[cache.hits]]),
      family('mintmark_cache_misses_total', 'counter', 'Answers that had to be made.', [[cache.misses]]),
      family('mintmark_keys_issued_total', 'counter', 'Key pairs issued.', [[keys.issued]]),
      family('mintmark_payments_verified_total', 'counter', 'Payments verified.', [[payments.verified]]),
      family('mintmark_log_lines_lost_total', 'counter', 'Log lines that could not be written.', [
        [linesLost],
      ]),
      family('mintmark_unhandled_errors_total', 'counter', 'Errors that nothing caught.', [
        [unhandledErrors],
      ]),
      durations(latency),
    ].join('')
  }
}

function family(name: string, type: 'counter' | 'gauge', help: string, samples: readonly Sample[]): string {
  const lines = samples.map(([value, labels]) => line(name, value, labels))
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`
}

function durations(latency: Latency): string {
  const name = 'mintmark_request_duration_seconds'
  const rows = latency
    .byEndpoint()
    .map(([endpoint, histogram]) => histogramLines(name, endpoint, histogram.snapshot()))
  if (rows.length === 0) return ''
  return `# HELP ${name} Time to answer, by this process.\n# TYPE ${name} histogram\n${rows.join('')}`
}

function histogramLines(
  name: string,
  endpoint: string,
  { buckets, count, sumMs }: HistogramSnapshot,
): string {
  const bounds = buckets.map((bucket) =>
    line(`${name}_bucket`, bucket.count, { endpoint, le: String(bucket.boundMs / 1000) }),
  )
  return (
    bounds.join('') +
    line(`${name}_bucket`, count, { endpoint, le: '+Inf' }) +
    line(`${name}_sum`, sumMs / 1000, { endpoint }) +
    line(`${name}_count`, count, { endpoint })
  )
}

function line(name: string, value: number, labels: Labels = {}): string {
  const pairs = Object.entries(labels).map(([key, text]) => `${key}="${text.replace(/[\\"\n]/g, '\\$&')}"`)
  return `${name}${pairs.length > 0 ? `{${pairs.join(',')}}` : ''} ${value}\n`
}
