import { expect, test } from 'bun:test'
import { startService } from '../support/service.ts'
import { started } from '../support/started.ts'

const server = started(startService)

async function textOf(path: string, { url } = server): Promise<string> {
  return await (await fetch(url + path)).text()
}
async function figure(label: string, at = server): Promise<string | undefined> {
  return new RegExp(`<dt>${label}</dt><dd><b class="num">([^<]*)<`).exec(await textOf('/status', at))?.[1]
}

test('a figure that was not measured yet is no number, on the page, in the JSON and on a badge', async () => {
  for (const metric of ['p99', 'cache_hit_ratio']) {
    const fresh = await startService()
    expect(await figure('p99 latency', fresh)).toBe('–')
    expect(await figure('Cache hit ratio', fresh)).toBe('–')
    const stats = JSON.parse(await textOf(`/api/stats?format=endpoint&metric=${metric}`, fresh))
    expect([metric, stats.message]).toEqual([metric, 'no data'])
    await fresh.stop()
  }
  const fresh = await startService()
  const { latency_ms } = JSON.parse(await textOf('/api/stats', fresh))
  expect(latency_ms).toEqual({ p50: null, p90: null, p99: null })
  await fresh.stop()
})

test('a figure that was measured is shown with its unit', async () => {
  for (let n = 0; n < 2; n += 1) await textOf('/api/badge?value=ok&demo=1')
  expect(await figure('p99 latency')).toMatch(/^[\d.]+ m?s$/)
  expect(await figure('Cache hit ratio')).toMatch(/^\d+ %$/)
  expect(JSON.parse(await textOf('/api/stats')).latency_ms.p99).toBeGreaterThan(0)
})

test('the days of the week are dates as people write them', async () => {
  await textOf('/api/badge?value=ok&demo=1')
  const html = await textOf('/status')
  expect(html.match(/<tr><td>\d{1,2} [A-Z][a-z]+<\/td>/g)).toHaveLength(7)
})
