import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { signUrl } from '../../src/client/sign-url.ts'
import { startService } from '../support/service.ts'

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
