import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import { agentFamily } from '../../src/access/crawlers.ts'
import { type AdminServer, openAdminServer } from './support/admin-server.ts'
import { logIn, type Operator } from './support/operator.ts'

let server: AdminServer
let operator: Operator
let key: Awaited<ReturnType<Operator['createKey']>>
beforeAll(async () => {
  server = await openAdminServer()
  operator = await logIn(server)
  key = await operator.createKey({ name: 'harbour docs' })
  const seconds = Math.floor(server.clock.now() / 1000)
  const sig = createHmac('sha256', key.secret).update(`${seconds}.GET /api/badge`).digest('hex')
  await ask(`/api/badge?label=a&message=b&key=${key.id}&t=${seconds}&sig=${sig}`)
  await ask(`/api/badge?label=a&message=b&key=${key.id}&t=${seconds}&sig=${'0'.repeat(64)}`)
  await ask('/api/avatar?name=Ada&demo=1')
  await ask('/api/og?title=a')
  await ask('/nothing-here')
})
afterAll(() => server.close())

async function ask(path: string): Promise<void> {
  const headers = { 'user-agent': 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)' }
  await (await fetch(server.url + path, { headers })).arrayBuffer()
}

async function listed(query: string): Promise<readonly string[]> {
  const html = await operator.page(`/admin/traffic?${query}`)
  const rows = html.match(/<tr><td class="muted".*?<\/tr>/gs) ?? []
  return rows.map((row) => {
    const [, path] = /<summary class="mono">GET ([^<]*)/.exec(row) ?? []
    const [, status] = /class="pill[^"]*">([^<]*)</.exec(row) ?? []
    return `${path} ${status}`
  })
}

test('requests are filtered by path, asset, outcome, key and time', async () => {
  expect(await listed('q=AVATAR')).toEqual(['/api/avatar 200 Served'])
  expect(await listed('asset=badge')).toEqual(['/api/badge 402 Unpaid', '/api/badge 200 Served'])
  expect(await listed('status=Unpaid')).toEqual(['/api/og 402 Unpaid', '/api/badge 402 Unpaid'])
  expect(await listed('status=Refused')).toEqual(['/nothing-here 404 Refused'])
  expect(await listed('status=Failed')).toEqual([])
  expect(await listed(`key=${key.id}`)).toEqual(['/api/badge 402 Unpaid', '/api/badge 200 Served'])
  expect(await listed(`key=${key.id}&status=Served`)).toEqual(['/api/badge 200 Served'])
  const all = await listed('')
  expect(await listed('since=60')).toEqual(all)
  server.clock.aheadMs += 2 * 3_600_000
  expect(await listed('since=60')).toEqual([])
  server.clock.aheadMs = 0
})

test('a row opens to its id, credential, key by name, duration and kind of program, and to no address', async () => {
  const html = await operator.page('/admin/traffic?asset=badge&status=Served')
  const [details = ''] = /<details class="row">.*?<\/details>/s.exec(html) ?? []
  for (const text of ['Request id', '>badge<', '>Key<', 'harbour docs', ' ms<', '>Slack<'])
    expect(details).toContain(text)
  expect(html).not.toContain('127.0.0.1')
  expect(html).not.toContain('LinkExpanding')
})

test('a User-Agent is kept as a kind of program only', () => {
  const chrome =
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0 Safari/537.36'
  const agents = ['curl/8.9.1', 'Discordbot/2.0', chrome, `${chrome} Edg/130.0`, '<script>', null]
  expect(agents.map(agentFamily)).toEqual(['curl', 'discord', 'Chrome', 'Edge', 'Other', ''])
})
