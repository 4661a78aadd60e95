import { countOf, cumulativeBuckets, type LatencySnapshot } from '../../lib/latency.ts'
import type { ProcessReport } from './process-report.ts'
import type { Stats } from './stats.ts'

type Labels = Readonly<Record<string, string>>
type Sample = readonly [value: number, labels?: Labels]

export const prometheusType = 'text/plain; version=0.0.4; charset=utf-8'

export function writePrometheus(stats: Stats, all: ProcessReport): string {
  const { demo, cache } = stats
  const { incidents, highest } = all
  const startSeconds = Date.parse(stats.started_at) / 1000
  const requests = Object.keys(stats.total.by_endpoint).map(
    (endpoint): Sample => [highest[`requests ${endpoint}`] ?? 0, { endpoint }],
  )
  const responses = Object.entries(all.responses).map(([outcome, count]): Sample => [count, { outcome }])
  function gauge(name: string, help: string, value: number, labels: Labels = {}) {
    return metricFamily(`mintmark_${name}`, 'gauge', help, [[value, labels]])
  }
  function counter(name: string, help: string, ...samples: readonly Sample[]) {
    return metricFamily(`mintmark_${name}_total`, 'counter', help, samples)
  }
  return [
    gauge('info', 'The version that runs.', 1, { version: stats.version }),
    gauge('start_time_seconds', 'When the service started, in Unix seconds.', startSeconds),
    counter('requests', 'Requests by endpoint, by all processes, since the service was set up.', ...requests),
    counter(
      'responses',
      'Responses by outcome, pages included: served, unpaid (402), refused (other 4xx), failed (5xx).',
      ...responses,
    ),
    gauge('demo_calls_limit', 'Demo calls that a UTC day has.', demo.limit),
    gauge('demo_calls_used', 'Demo calls used on this UTC day.', demo.used),
    gauge('cache_entries', 'Answers kept in memory, by all processes.', cache.entries),
    gauge('cache_size_bytes', 'Memory of the answers kept, by all processes.', cache.bytes),
    counter('cache_hits', 'Answers that were kept already.', [cache.hits]),
    counter('cache_misses', 'Answers that had to be made.', [cache.misses]),
    counter('keys_issued', 'Key pairs issued.', [highest['keys issued'] ?? 0]),
    counter('payments_verified', 'Payments verified.', [highest['payments verified'] ?? 0]),
    counter('log_lines_lost', 'Log lines that could not be written.', [incidents.linesLost]),
    counter('unhandled_errors', 'Errors that nothing caught.', [incidents.unhandledErrors]),
    counter('worker_restarts', 'Worker processes that ended and were started again.', [all.workerRestarts]),
    durations(all.latency),
  ].join('')
}

export function metricFamily(
  name: string,
  type: 'counter' | 'gauge',
  help: string,
  samples: readonly Sample[],
): string {
  const lines = samples.map(([value, labels]) => line(name, value, labels))
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`
}

function durations(latency: LatencySnapshot): string {
  const name = 'mintmark_request_duration_seconds'
  const rows = Object.entries(latency).flatMap(([endpoint, histogram]) => [
    ...cumulativeBuckets(histogram).map((bucket) =>
      line(`${name}_bucket`, bucket.count, { endpoint, le: String(bucket.boundMs / 1000) }),
    ),
    line(`${name}_bucket`, countOf(histogram), { endpoint, le: '+Inf' }),
    line(`${name}_sum`, histogram.sumMs / 1000, { endpoint }),
    line(`${name}_count`, countOf(histogram), { endpoint }),
  ])
  return rows.length === 0 ? '' : `# HELP ${name} Time to answer.\n# TYPE ${name} histogram\n${rows.join('')}`
}

function line(name: string, value: number, labels: Labels = {}): string {
  const pairs = Object.entries(labels).map(([key, text]) => `${key}="${text.replace(/[\\"\n]/g, '\\$&')}"`)
  return `${name}${pairs.length > 0 ? `{${pairs.join(',')}}` : ''} ${value}\n`
}
