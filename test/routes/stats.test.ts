import { expect, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Stats } from '../../src/assets/stats/stats.ts'
import { signUrl } from '../../src/client/sign-url.ts'
import { eventually } from '../support/eventually.ts'
import { startServer } from '../support/server.ts'
import { startService, type TestService } from '../support/service.ts'
import { isQuick, slowTest } from '../support/test-size.ts'
import { parseXml } from '../support/xml-tree.ts'
import cases from './stats.json' with { type: 'json' }

type Server = Pick<TestService, 'url'>

async function withServer(env: Record<string, string>, use: (server: Server) => Promise<void>) {
  const server = await startService({ env })
  try {
    await use(server)
  } finally {
    await server.stop()
  }
}

function get(server: Server, query: string, init: RequestInit = {}) {
  return fetch(`${server.url}/api/transform?${query}`, init)
}
async function statsOf(server: Server): Promise<Stats> {
  return (await get(server, 'kind=stats')).json() as Promise<Stats>
}

/** Asks until the free traffic, which is stored twice a second, is there. */
function statsOnce(server: Server, isThere: (stats: Stats) => boolean): Promise<Stats> {
  return eventually(async () => {
    const stats = await statsOf(server)
    return isThere(stats) && stats
  })
}

test('metered calls are counted at once and exactly, whatever comes at the same time', () =>
  withServer({ DEMO_DAILY_QUOTA: '50' }, async (server) => {
    const calls = Array.from({ length: 60 }, (_, index) => get(server, `kind=badge&value=${index}&demo=1`))
    const statuses = (await Promise.all(calls)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 200).length).toBe(50)
    const { day, demo, total } = await statsOf(server)
    expect(day.by_endpoint['badge']).toBeGreaterThanOrEqual(50)
    expect(day.by_auth.demo).toBe(50)
    expect(day.by_status['2xx']).toBeGreaterThanOrEqual(50)
    expect(demo).toMatchObject({ limit: 50, used: 50, remaining: 0 })
    expect(total.requests).toBe(day.requests)
    const later = await statsOnce(server, (stats) => stats.day.by_status['402'] === 10)
    expect(later.day.by_endpoint['badge']).toBe(60)
  }))

test('what costs nothing is counted as free: bad queries, HEAD, 304 and the counters themselves', () =>
  withServer({}, async (server) => {
    await get(server, 'kind=badge&value=&demo=1')
    await get(server, 'kind=avatar&name=A&demo=1', { method: 'HEAD' })
    const first = await get(server, 'kind=avatar&name=A&demo=1')
    const again = await get(server, 'kind=avatar&name=A&demo=1', {
      headers: { 'if-none-match': first.headers.get('etag') ?? '' },
    })
    expect(again.status).toBe(304)
    const { day, demo } = await statsOnce(server, (stats) => stats.day.by_status['3xx'] === 1)
    expect([demo.used, day.by_status['4xx'], day.by_endpoint['avatar']]).toEqual([1, 1, 3])
    expect(day.by_auth.demo).toBe(1)
    expect(day.by_auth.free).toBeGreaterThanOrEqual(3)
  }))

slowTest('a hundred looks at the counters cost no quota', () =>
  withServer({}, async (server) => {
    await Promise.all(Array.from({ length: 100 }, () => get(server, 'kind=stats')))
    expect((await statsOf(server)).demo.used).toBe(0)
  }),
)

slowTest('metered counts survive a kill, free ones a stop', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'mintmark-stats-'))
  try {
    const first = await startServer({ dataDir })
    await Promise.all(
      Array.from({ length: 20 }, (_, index) => get(first, `kind=badge&value=${index}&demo=1`)),
    )
    await first.stop('SIGKILL')
    const second = await startServer({ dataDir })
    expect((await statsOf(second)).day.by_endpoint['badge']).toBe(20)
    await get(second, 'kind=badge&value=')
    await second.stop('SIGTERM')
    const third = await startServer({ dataDir })
    const { day, total } = await statsOf(third)
    expect([day.by_status['4xx'], total.by_endpoint['badge']]).toEqual([1, 21])
    await third.stop()
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
})

test('each metric is a badge, and what shields.io reads', () =>
  withServer({}, async (server) => {
    for (const metric of cases.metrics) {
      const drawing = await get(
        server,
        `kind=stats&format=svg&metric=${metric}&style=flat-square&color=red&label=x`,
      )
      const root = parseXml(await drawing.text())
      expect(root.attributes['aria-label']).toStartWith('x: ')
      const { schemaVersion, message } = (await (
        await get(server, `kind=stats&format=endpoint&metric=${metric}`)
      ).json()) as Record<string, unknown>
      expect(schemaVersion).toBe(1)
      expect(message).toBeString()
    }
    expect((await get(server, 'kind=stats&metric=secrets')).status).toBe(400)
    expect((await get(server, 'kind=stats&format=svg&logo=no-such-icon')).status).toBe(400)
  }))

slowTest('a badge of the counters has the aliases of other badges', () =>
  withServer({}, async (server) => {
    async function ask(query: string) {
      return (await get(server, `kind=stats&format=svg&${query}`)).text()
    }
    expect(await ask('colorB=red&subject=hi&metric=demo_remaining')).toBe(
      await ask('color=red&label=hi&metric=demo_remaining'),
    )
  }),
)

test('the answer names no key and no address', () =>
  withServer({}, async (server) => {
    const { id } = (await (await fetch(`${server.url}/api/key`)).json()) as { id: string }
    const body = await (await get(server, 'kind=stats')).text()
    for (const part of [id, '127.0.0.1']) expect(body).not.toContain(part)
    expect(JSON.parse(body).keys.issued).toBe(1)
  }))

const promtool = Bun.which('promtool')

test.skipIf(isQuick || promtool === null)('Prometheus finds nothing to complain about (promtool)', () =>
  withServer({}, async (server) => {
    await get(server, 'kind=badge&value=a&demo=1')
    for (const url of [`${server.url}/metrics`, `${server.url}/api/transform?kind=stats&format=prometheus`]) {
      const response = await fetch(url)
      expect(response.headers.get('content-type')).toStartWith('text/plain; version=0.0.4')
      const { status, stdout, stderr } = spawnSync(promtool ?? '', ['check', 'metrics'], {
        input: await response.text(),
      })
      expect(`${stdout}${stderr}`).toBe('')
      expect(status).toBe(0)
    }
  }),
)

test('/metrics is there for this machine and for the token, and for nobody else', () =>
  withServer({ METRICS_TOKEN: 'a-long-token', TRUSTED_PROXIES: '127.0.0.0/8' }, async (server) => {
    async function status(headers: Record<string, string>) {
      return (await fetch(`${server.url}/metrics`, { headers })).status
    }
    expect([await status({}), await status({ 'x-forwarded-for': '203.0.113.9' })]).toEqual([200, 404])
    expect(await status({ 'x-forwarded-for': '127.0.0.1' })).toBe(404)
    expect(await status({ 'x-forwarded-for': '203.0.113.9', authorization: 'Bearer a-long-toker' })).toBe(404)
    expect(await status({ 'x-forwarded-for': '203.0.113.9', authorization: 'Bearer a-long-token' })).toBe(200)
  }))

test('an unknown or missing kind names the ones there are', () =>
  withServer({}, async (server) => {
    for (const query of ['', 'kind=', 'kind=poster', 'kind=badge&kind=avatar']) {
      const response = await get(server, query, { headers: { accept: 'application/json' } })
      const { errors } = (await response.json()) as {
        errors: { parameter: string; allowed?: string[]; message: string }[]
      }
      expect([response.status, errors.map(({ parameter }) => parameter)]).toEqual([400, ['kind']])
      if (!query.includes('&'))
        expect(errors[0]?.allowed).toEqual(expect.arrayContaining(['avatar', 'badge', 'stats']))
    }
  }))

test('/metrics counts every response by its outcome', async () => {
  const own = await startService({ env: { METRICS_TOKEN: 'a-token' } })
  const asked = cases.asked as [outcome: string, path: string, init?: RequestInit][]
  async function counts(): Promise<Readonly<Record<string, number>>> {
    const text = await (await fetch(`${own.url}/metrics`)).text()
    return Object.fromEntries(
      [...text.matchAll(/^mintmark_responses_total\{outcome="(\w+)"\} (\d+)$/gm)].map(
        ([, name = '', count]) => [name, Number(count)],
      ),
    )
  }
  expect(await counts()).toEqual({ served: 0, unpaid: 0, refused: 0, failed: 0 })
  for (const [, path, init] of asked)
    await (await fetch(own.url + path, { redirect: 'manual', ...init })).text()
  // The metrics themselves were served once before.
  expect(await counts()).toEqual({ served: 4, unpaid: 2, refused: 3, failed: 1 })
  await own.stop()
})

interface Dashboard {
  readonly panels: readonly {
    readonly title: string
    readonly gridPos: Readonly<Record<'x' | 'y' | 'w' | 'h', number>>
    readonly targets: readonly { readonly expr: string }[]
  }[]
  readonly templating: { readonly list: readonly { readonly query: string }[] }
}

const dashboard: Dashboard = JSON.parse(readFileSync('deploy/grafana.json', 'utf8'))

test('the dashboard asks for metrics and labels that /metrics has, and for each of them', async () => {
  const server = await startService()
  try {
    // Histograms and the use of keys have their labels once there is a request.
    await fetch(`${server.url}/api/og?title=a&demo=1`)
    const { id, secret } = await (await fetch(`${server.url}/api/key`)).json()
    await fetch(await signUrl(`${server.url}/api/og?title=a`, { key: id, secret }))
    const text = await (await fetch(`${server.url}/metrics`)).text()
    const samples = [...text.matchAll(/^(mintmark_\w+)(?:\{(.*)\})? /gm)]
    const names = new Set(samples.map(([, name]) => name))
    const labels = new Set(samples.flatMap(([, , list = '']) => list.match(/\w+(?==")/g) ?? []))
    const asked = [
      ...dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
      ...dashboard.templating.list.map(({ query }) => query),
    ].join(' ')
    const askedNames = new Set(asked.match(/mintmark_\w+/g))
    expect([...askedNames].filter((name) => !names.has(name))).toEqual([])
    const grouped = [...asked.matchAll(/by \(([\w, ]+)\)/g)].flatMap(([, list = '']) => list.split(', '))
    expect(grouped.filter((label) => !labels.has(label))).toEqual([])
    // One of the histogram's three samples stands for it.
    const untold = [...names].filter((name = '') => !askedNames.has(name) && !/_(?:sum|count)$/.test(name))
    expect(untold).toEqual(['mintmark_cache_entries'])
  } finally {
    await server.stop()
  }
})

test('no two panels of the dashboard lie over one another', () => {
  const cells = dashboard.panels.flatMap(({ title, gridPos: { x, y, w, h } }) => {
    expect([title, x + w <= 24]).toEqual([title, true])
    return Array.from({ length: w * h }, (_, cell) => `${x + (cell % w)} ${y + Math.floor(cell / w)}`)
  })
  expect(new Set(cells).size).toBe(cells.length)
})
