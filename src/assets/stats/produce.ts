import { textBody } from '../../lib/body.ts'
import { loadedOnce } from '../../lib/memo.ts'
import type { TextDrawer } from '../../text/text-drawer.ts'
import { shieldsEndpoint } from '../badge/query.ts'
import type { Producer } from '../kit/producer.ts'
import { DrawingClient, fileHead, jsonBody } from '../picture-files.ts'
import { type Metrics, metricBadge, type StatsQuerySchema } from './metric.ts'
import { prometheusType } from './prometheus.ts'
import type { StatsSource } from './stats.ts'

export function createStatsProducer(
  source: StatsSource,
  metrics: Metrics,
  text: TextDrawer,
): Producer<StatsQuerySchema> {
  // Loaded with the first badge, because few servers are asked for one of their own counters.
  const withBadges = loadedOnce(async () =>
    (await import('../badge/badge-renderer.ts')).createBadgeRenderer(text),
  )
  return {
    describe({ format, metric }) {
      if (format === 'prometheus') return { contentType: prometheusType, filename: 'stats.txt' }
      return fileHead(format === 'svg' ? 'svg' : 'json', format === 'json' ? 'stats' : metric)
    },
    async produce(query, context) {
      if (query.format === 'prometheus') return textBody(await source.prometheus())
      const stats = await source.read()
      if (query.format === 'json') return jsonBody(stats)
      const badge = metricBadge(metrics, stats, query)
      return query.format === 'endpoint'
        ? jsonBody(shieldsEndpoint(badge))
        : textBody(await withBadges((badges) => badges.svg(badge, new DrawingClient(context))))
    },
  }
}
