/** @jsxImportSource #jsx */
import type { Asset } from '../assets/kit/asset.ts'
import type { Stats } from '../assets/stats/stats.ts'
import { formatBytes, formatCount, formatDay, formatDuration, formatSpan } from '../lib/human-format.ts'
import type { Markup } from '../lib/jsx/markup.ts'
import { siteAssets } from './assets.ts'
import { headOf, layout } from './layout.tsx'
import { chart } from './parts/chart.tsx'
import { tableHead } from './parts/elements.tsx'

const notMeasured = '–'

/** `/status`: the public statistics as a page. */
export function statusPage(origin: string, assets: readonly Asset[], stats: Stats): Markup {
  const { day, total, demo, cache, latency_ms: latency, uptime_seconds: uptime, version } = stats
  const p99 = latency.p99
  const by = day.by_status
  const isUsed = cache.hits + cache.misses > 0
  const hitRatio = isUsed ? `${Math.round(cache.hit_ratio * 100)} %` : notMeasured
  return layout(headOf('status', origin), [
    <div class="hero">
      <h1>Up for {formatSpan(uptime * 1000)}</h1>
      <p>
        Version {version}. {formatCount(day.requests)} requests since midnight UTC,{' '}
        {formatCount(total.requests)} since <time>{total.since.slice(0, 10)}</time>.
      </p>
    </div>,
    <dl class="figures">
      {figure('p99 latency', p99 === null ? notMeasured : formatDuration(p99), 'of all requests')}
      {figure('Demo calls left', formatCount(demo.remaining), `of ${formatCount(demo.limit)} today`)}
      {figure('Cache hit ratio', hitRatio, `${formatBytes(cache.bytes)} cached`)}
      {figure('Requests', formatCount(day.requests), 'today')}
    </dl>,
    <section id="today">
      <h2>Today</h2>
      <dl class="figures">
        {figure('Served', formatCount(by['2xx'] + by['3xx']), '2xx and 3xx')}
        {figure('Unpaid', formatCount(by['402']), '402')}
        {figure('Refused', formatCount(by['4xx']), 'other 4xx')}
        {figure('Failed', formatCount(by['5xx']), '5xx')}
      </dl>
      <div class="card">
        <table>
          {tableHead(['Asset', { right: 'Today' }, { right: 'All time' }])}
          <tbody>
            {assets.map((asset) => (
              <tr>
                <td>
                  <a href={`/docs#${asset.id}`}>{asset.title}</a>
                </td>
                <td class="right num">{formatCount(day.by_endpoint[asset.id] ?? 0)}</td>
                <td class="right num">{formatCount(total.by_endpoint[asset.id] ?? 0)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>,
    week(stats),
    <p class="onward small">
      The same as <a href="/api/stats">JSON</a>, and each number as a badge: <a href="/docs#stats">how</a>.
    </p>,
  ])
}

function figure(label: string, value: string, note: string): Markup {
  return (
    <div class="card">
      <dt>{label}</dt>
      <dd>
        <b class="num">{value}</b> <span class="muted small">{note}</span>
      </dd>
    </div>
  )
}

function week({ last_7_days: days }: Stats): Markup {
  return (
    <section id="week">
      <h2>Last 7 days</h2>
      <script type="module" src={siteAssets.path('chart.js')} />
      {chart({
        title: 'Requests per day',
        series: [{ name: 'Requests', tone: 's1' }],
        periods: days.map(({ date, requests }) => ({
          label: formatDay(Date.parse(date)),
          values: [requests],
        })),
        counted: 'requests',
        span: '7 days',
        empty: 'No requests in these days.',
      })}
    </section>
  )
}
