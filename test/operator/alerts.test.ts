import { afterEach, describe, expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import { signUrl } from '../../src/client/sign-url.ts'
import { createAlertSender, createAlerts } from '../../src/operator/alerts.ts'
import type { Concern } from '../../src/operator/concerns.ts'
import { openAdminServer } from '../admin/support/admin-server.ts'
import { logIn } from '../admin/support/operator.ts'
import { movableClock } from '../store/clock.ts'
import { temporaryDirectory } from '../store/temporary-directory.ts'
import { slowTest } from '../support/test-size.ts'
import { openTestStore } from '../support/test-store.ts'

const secret = 'a secret of the receiver'
const noonMs = Date.parse('2026-03-01T12:00:00Z')
const hourMs = 3_600_000

type AlertParts = Parameters<typeof createAlerts>[0]

interface Received {
  readonly method: string
  readonly body: string
  readonly headers: Headers
}

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

/** A real receiver on loopback, which answers with its `status`. */
function openReceiver() {
  const received: Received[] = []
  const waiting: (() => void)[] = []
  const answer = { status: 204 }
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      received.push({ method: request.method, body: await request.text(), headers: request.headers })
      for (const wake of waiting.splice(0)) wake()
      return new Response(null, { status: answer.status, headers: { location: '/elsewhere' } })
    },
  })
  ends.push(() => server.stop(true))
  return {
    url: `http://127.0.0.1:${server.port}/alerts`,
    answer,
    received,
    alerts: () => received.map(({ body }) => JSON.parse(body)),
    /** Resolves when so many alerts of that kind have come. */
    async arrived(count: number, kind: Concern['kind']): Promise<void> {
      const ofKind = () => received.filter(({ body }) => JSON.parse(body).kind === kind)
      while (ofKind().length < count) await new Promise<void>((resolve) => waiting.push(resolve))
    },
  }
}

function senderTo(url: string, more: object = {}) {
  const config = {
    PORT: 3000,
    ALLOWED_HOSTS: [],
    FETCH_ALLOW_CIDRS: ['127.0.0.0/8'],
    FETCH_ALLOW_PORTS: [443],
    FETCH_DNS: [],
    FETCH_DENY_DOMAINS: [],
    FETCH_TARGET_PER_MINUTE: 600,
    FETCH_UNPAID_PER_MINUTE: 1,
    ALERT_WEBHOOK_URL: url,
    ALERT_WEBHOOK_SECRET: secret,
    ...more,
  }
  const send = createAlertSender({ config, clock: { now: () => noonMs }, readFile: () => '' })
  if (send === undefined) throw new Error('There is no receiver.')
  return send
}

function concern(id: string, kind: Concern['kind'] = 'disk', level: Concern['level'] = 'soon'): Concern {
  return { id, kind, level, subject: 'data', text: `It is ${id}.`, path: '/admin/settings', values: { n: 1 } }
}

/** Servers that share a database and a clock, and what they find. */
async function servers(count = 1) {
  const receiver = openReceiver()
  const path = `${temporaryDirectory()}/mintmark.sqlite`
  const clock = movableClock(noonMs)
  const found: { concerns: readonly Concern[] } = { concerns: [] }
  const problems: string[] = []
  async function open() {
    const store = await openTestStore({ path, clock })
    ends.push(() => store.close())
    return { store, look: alertsOf({ store, baseUrl: 'https://mintmark.example' }).look }
  }
  function alertsOf(parts: Pick<AlertParts, 'store'> & Partial<AlertParts>) {
    return createAlerts({
      clock,
      concerns: { read: async () => found.concerns },
      send: senderTo(receiver.url),
      baseUrl: undefined,
      onProblem: (problem) => problems.push(problem),
      ...parts,
    })
  }
  const opened = await Promise.all(Array.from({ length: count }, open))
  const lookAll = () => Promise.all(opened.map(({ look }) => look()))
  const [{ store } = await open()] = opened
  return { receiver, clock, found, problems, open, lookAll, alertsOf, store }
}

test('an event that lasts is stored at its first look, and not again at each later one', async () => {
  const { receiver, clock, found, problems, alertsOf, store } = await servers()
  let stored = 0
  const table = store.alerts
  function note(event: Parameters<typeof table.note>[0]) {
    stored += 1
    return table.note(event)
  }
  const alerts = alertsOf({ store: { transaction: store.transaction, alerts: { ...table, note } } })
  found.concerns = [concern('disk:low')]
  for (let look = 0; look < 3; look += 1) {
    await alerts.look()
    clock.nowMs += 10_000
  }
  expect(stored).toBe(1)
  clock.nowMs += hourMs / 2
  await alerts.look()
  expect([stored, receiver.received.length, problems]).toEqual([2, 1, []])
})

test('thousands of events that are new at once are stored in many turns of the event loop', async () => {
  const { found, alertsOf, store } = await servers()
  const table = store.alerts
  let turn = 0
  const notesOfTurn = new Map<number, number>()
  function note(event: Parameters<typeof table.note>[0]) {
    notesOfTurn.set(turn, (notesOfTurn.get(turn) ?? 0) + 1)
    return table.note(event)
  }
  const alerts = alertsOf({
    store: { transaction: store.transaction, alerts: { ...table, note } },
    send: async () => ({ isDelivered: true, text: '' }),
  })
  found.concerns = Array.from({ length: 2_000 }, (_, index) => concern(`key_quota:${index}`, 'key_quota'))
  let isCounting = true
  function count() {
    turn += 1
    if (isCounting) setImmediate(count)
  }
  count()
  await alerts.look()
  isCounting = false
  const counts = [...notesOfTurn.values()]
  expect(counts.reduce((sum, one) => sum + one)).toBe(2_000)
  expect(Math.max(...counts)).toBeLessThanOrEqual(50)
})

test('events that a look could not store are stored by the next, and every event is sent once', async () => {
  const { receiver, found, problems, alertsOf, store } = await servers()
  let transactionsLeft = 1
  const alerts = alertsOf({
    store: {
      alerts: store.alerts,
      transaction(...work: Parameters<typeof store.transaction>) {
        transactionsLeft -= 1
        if (transactionsLeft < 0) return Promise.reject(new Error('The database is gone.'))
        return store.transaction(...work)
      },
    } as typeof store,
  })
  found.concerns = Array.from({ length: 120 }, (_, index) => concern(`key_quota:${index}`, 'key_quota'))
  await alerts.look()
  expect(problems).toEqual(['Error: The database is gone.'])
  transactionsLeft = 100
  for (let look = 0; look < 4; look += 1) await alerts.look()
  const texts = receiver.alerts().map(({ text }) => text)
  expect(texts).toHaveLength(120)
  expect(new Set(texts).size).toBe(120)
})

describe('an alert', () => {
  test('is signed over its second and its bytes, so that a receiver can tell it from anybody’s', async () => {
    const { receiver, found, lookAll } = await servers(1)
    found.concerns = [concern('disk:ä')]
    await lookAll()
    const [{ method, body, headers } = { method: '', body: '', headers: new Headers() }] = receiver.received
    expect([method, headers.get('content-type')]).toEqual(['POST', 'application/json'])
    const sig = createHmac('sha256', secret)
      .update(`${noonMs / 1000}.${body}`)
      .digest('hex')
    expect(headers.get('x-mintmark-signature')).toBe(`t=${noonMs / 1000},sig=${sig}`)
    expect(JSON.parse(body)).toEqual({
      id: expect.stringMatching(/^al_[0-9a-f]{24}$/),
      kind: 'disk',
      level: 'soon',
      subject: 'data',
      text: 'It is disk:ä.',
      link: 'https://mintmark.example/admin/settings',
      values: { n: 1 },
      at: '2026-03-01T12:00:00.000Z',
      version: expect.any(String),
    })
  })

  test('is sent once, however many servers see its event, how often they look, and after a restart', async () => {
    const { receiver, found, lookAll, open, clock } = await servers(3)
    found.concerns = [concern('key_quota:mk_1:1:80', 'key_quota'), concern('disk:low')]
    for (let times = 0; times < 3; times += 1) {
      await lookAll()
      clock.nowMs += 60_000
    }
    await (await open()).look()
    expect(
      receiver
        .alerts()
        .map(({ text }) => text)
        .toSorted(),
    ).toEqual(['It is disk:low.', 'It is key_quota:mk_1:1:80.'])
  })

  test('that does not arrive is sent again later and later, the same bytes, and given up in the end', async () => {
    const { receiver, found, problems, lookAll, clock } = await servers(2)
    receiver.answer.status = 500
    found.concerns = [concern('disk:low')]
    await lookAll()
    await lookAll()
    expect(receiver.received).toHaveLength(1)
    for (const [index, waitMs] of [10_000, 60_000, 300_000, 1_800_000, 7_200_000, 21_600_000].entries()) {
      clock.nowMs += waitMs - 1
      await lookAll()
      expect(receiver.received).toHaveLength(index + 1)
      clock.nowMs += 1
      await lookAll()
      expect(receiver.received).toHaveLength(index + 2)
    }
    expect(problems.at(-1)).toBe('The receiver answered with status 500. The alert disk:low is given up.')
    clock.nowMs += 30 * 24 * hourMs
    receiver.answer.status = 204
    await lookAll()
    expect(receiver.received).toHaveLength(7)
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1)
  })

  test('arrives after the receiver is back, though its event has passed', async () => {
    const { receiver, found, lookAll, clock } = await servers(1)
    receiver.answer.status = 302
    found.concerns = [concern('disk:low')]
    await lookAll()
    found.concerns = []
    receiver.answer.status = 200
    clock.nowMs += 10_000
    await lookAll()
    expect(receiver.received).toHaveLength(2)
    clock.nowMs += hourMs
    await lookAll()
    expect(receiver.received).toHaveLength(2)
  })

  test('is sent anew for what comes again after an hour, and not for what flickers', async () => {
    const { receiver, found, lookAll, clock } = await servers(2)
    for (const waitMs of [1, hourMs - 1, hourMs + 1]) {
      found.concerns = [concern('disk:low'), concern('key_quota:mk_1:1:100', 'key_quota')]
      await lookAll()
      found.concerns = []
      clock.nowMs += waitMs
      await lookAll()
    }
    found.concerns = [concern('disk:low'), concern('key_quota:mk_1:1:100', 'key_quota')]
    await lookAll()
    expect(
      receiver
        .alerts()
        .map(({ kind }) => kind)
        .toSorted(),
    ).toEqual(['disk', 'disk', 'key_quota'])
  })

  test('that the database does not answer needs no database, and is sent once an absence', async () => {
    const { receiver, found, lookAll, clock, store } = await servers(1)
    found.concerns = [concern('database', 'database', 'now')]
    receiver.answer.status = 503
    await lookAll()
    receiver.answer.status = 204
    for (let times = 0; times < 3; times += 1) {
      await lookAll()
      clock.nowMs += 10_000
    }
    expect(receiver.received).toHaveLength(2)
    expect(await store.alerts.due(Number.MAX_SAFE_INTEGER, 10)).toEqual([])
    clock.nowMs += 2 * hourMs
    await lookAll()
    expect(receiver.received).toHaveLength(3)
  })
})

describe('a receiver', () => {
  test('on a private address is posted to only where FETCH_ALLOW_CIDRS allows it, and redirects are not followed', async () => {
    const { url, answer, received } = openReceiver()
    expect(await senderTo(url, { FETCH_ALLOW_CIDRS: [] })('{}')).toEqual({
      isDelivered: false,
      text: 'The host is not on the public internet. The operator can allow its address with FETCH_ALLOW_CIDRS.',
    })
    expect(received).toHaveLength(0)
    answer.status = 302
    expect(await senderTo(url)('{}')).toEqual({
      isDelivered: false,
      text: 'The receiver answered with status 302.',
    })
    expect(received).toHaveLength(1)
    expect((await senderTo('http://127.0.0.1:1/')('{}')).text).toContain('refused')
  })

  test('without a secret gets alerts that are not signed', async () => {
    const { url, received } = openReceiver()
    expect((await senderTo(url, { ALERT_WEBHOOK_SECRET: undefined })('{}')).isDelivered).toBe(true)
    expect(received[0]?.headers.has('x-mintmark-signature')).toBe(false)
  })

  slowTest(
    'is told by running servers that a key is near its quota, and then past it, once each',
    async () => {
      const { url, alerts, arrived } = openReceiver()
      const env = { ALERT_WEBHOOK_URL: url, ALERT_WEBHOOK_SECRET: secret, FETCH_ALLOW_CIDRS: '127.0.0.0/8' }
      const here = await openAdminServer({ env })
      ends.push(() => here.close())
      const there = await openAdminServer({ env, dataDir: here.dataDir })
      ends.push(() => there.close())
      const key = await (await logIn(here)).createKey({ name: 'docs.harbour.dev', quota: '5' })
      async function call(title: string) {
        const signed = await signUrl(`${there.url}/api/og?title=${title}`, {
          key: key.id,
          secret: key.secret,
        })
        return (await fetch(signed)).status
      }
      for (const title of ['A', 'B', 'C', 'D']) expect(await call(title)).toBe(200)
      await arrived(1, 'key_quota')
      expect([await call('E'), await call('F')]).toEqual([200, 402])
      await arrived(2, 'key_quota')
      const about = alerts().filter(({ kind }) => kind === 'key_quota')
      expect(about.map(({ level, values }) => [level, values.key, values.percent])).toEqual([
        ['soon', key.id, 80],
        ['now', key.id, 100],
      ])
      expect(about[1].link).toBe(key.path)
    },
  )
})
