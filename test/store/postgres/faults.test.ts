import { describe, expect, test } from 'bun:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { embedUrl, signUrl } from '../../../src/client/index.ts'
import type { PostgresStore } from '../../../src/store/postgres/open-postgres.ts'
import { isPassing, retryWhileLocked } from '../../../src/store/store-error.ts'
import { logIn } from '../../admin/support/operator.ts'
import { startAnvil } from '../../payments/support/anvil.ts'
import { walletEnv } from '../../payments/support/wallet-env.ts'
import { eventually } from '../../support/eventually.ts'
import { hasPostgres, startPostgres, testPassword } from '../../support/postgres.ts'
import { outputOf, startServerOn } from '../../support/served-database.ts'
import type { TestServer } from '../../support/server.ts'
import { started } from '../../support/started.ts'
import { type CutMoment, startTcpProxy, type TcpProxy } from '../../support/tcp-proxy.ts'
import { closeAll, openServer, recovered, settled, throughPort } from './databases.ts'

const rounds = 40
const limit = 300

describe.skipIf(!hasPostgres)('a quota that several servers share', () => {
  const postgres = started(startPostgres)

  test('is never exceeded and counts just what was answered, under restarts, killed backends, cuts and freezes', async () => {
    const url = postgres.makeDatabase('faults')
    const proxies = await Promise.all([startTcpProxy(postgres.port), startTcpProxy(postgres.port, 2)])
    const servers = await Promise.all(proxies.map(({ port }) => openServer(throughPort(url, port))))
    const outcomes: Awaited<ReturnType<typeof hammer>>[] = []
    for (let round = 0; round < rounds; round += 1) {
      const outcome = await hammer(servers, `key:${round}`, () => fault(round, proxies))
      outcomes.push(outcome)
      for (const server of servers) await recovered(server)
    }
    await closeAll(servers)
    const counted = storedCounts('faults')
    for (const [round, { granted, released }] of outcomes.entries()) {
      expect({ round, counted: counted.get(`key:${round}`) ?? 0 }).toEqual({
        round,
        counted: granted - released,
      })
      expect(granted - released).toBeLessThanOrEqual(limit)
    }
    const total = outcomes.reduce((sum, { granted }) => sum + granted, 0)
    const refused = outcomes.reduce((sum, { unavailable }) => sum + unavailable, 0)
    console.log(`${total} granted, ${refused} refused with 503 in ${rounds} rounds`)
    expect(total).toBeGreaterThan(0)
    await Promise.all(proxies.map((proxy) => proxy.close()))
  })

  async function fault(round: number, proxies: readonly TcpProxy[]): Promise<void> {
    const proxy = proxies[round % proxies.length]
    const kind = Math.floor(round / 2) % 5
    if (kind === 0) proxy?.cut()
    else if (kind === 1) {
      postgres.run(`select pg_terminate_backend(pid) from pg_stat_activity where usename = 'owner'`)
    } else if (kind === 2) {
      proxy?.freeze()
      await sleep(round % 4 < 2 ? 300 : 2_500)
      proxy?.thaw()
    } else if (kind === 3) {
      await postgres.crash()
      await postgres.start()
    } else {
      for (let cuts = 0; cuts < 20; cuts += 1) {
        proxies[cuts % 2]?.cut()
        await sleep(7)
      }
    }
  }

  function storedCounts(database: string): ReadonlyMap<string, number> {
    const rows = postgres.run('select bucket, used from usage_days', database).split('\n')
    return new Map(rows.map((row) => row.split('|')).map(([bucket = '', used]) => [bucket, Number(used)]))
  }
})

/** Some callers call until the fault is over and the quota has run out for each of them, or no more can be had. */
async function hammer(servers: readonly PostgresStore[], bucket: string, makeFault: () => Promise<void>) {
  let granted = 0
  let released = 0
  let unavailable = 0
  let isOver = false
  async function call(server: PostgresStore, index: number): Promise<void> {
    for (let calls = 0; !isOver || calls < 20; calls += 1) {
      const reservation = await settled(server.meter.reserve({ bucket, limit, endpoint: 'og', auth: 'key' }))
      if (reservation === undefined) {
        unavailable += 1
        await sleep(10)
        continue
      }
      if (reservation.granted) granted += 1
      if (reservation.granted && (calls + index) % 3 === 0) {
        released += 1
        await server.meter.release(reservation)
      }
      if (!reservation.granted) await sleep(1)
    }
  }
  const callers = Array.from({ length: 24 }, (_, index) => servers[index % servers.length]).map(
    (server, index) => server && call(server, index),
  )
  await sleep(5)
  await makeFault()
  isOver = true
  await Promise.all(callers)
  return { granted, released, unavailable }
}

/** Callers are answered within two seconds; a statement that nobody ends would take ten. */
const answerMsMax = 8_000
/** Until then `/readyz` says yes, and a slow machine may be past it already. */
const readyMs = 5_000

describe.skipIf(!hasPostgres)('while PostgreSQL is away', () => {
  const postgres = started(startPostgres)
  const chain = started(() => startAnvil({ blockSeconds: 1 }))

  test.each([
    ['its server is killed', { begin: () => postgres.crash(), end: () => postgres.start() }],
    [
      'the network is silent',
      { begin: (proxy: TcpProxy) => proxy.freeze(), end: (proxy: TcpProxy) => proxy.thaw() },
    ],
  ])('because %s, what needs it is 503, and the rest is answered', async (name, fault) => {
    const proxy = await startTcpProxy(postgres.port)
    const url = postgres.makeDatabase(`away_${name.replaceAll(' ', '_').replaceAll(/[^a-z_]/g, '')}`)
    const server = await startServerOn(throughPort(url, proxy.port), {
      env: { ...walletEnv(chain.url), X402_POLL_MS: '50' },
    })
    try {
      const txHash = await chain.transfer(walletEnv('').X402_PAY_TO, 10_000n)
      const calls = await prepare(server, txHash)
      const atMs = performance.now()
      await fault.begin(proxy)
      expect(await outcomes(server, calls.refused)).toEqual(calls.refused.map(() => '503 retry'))
      expect(await outcomes(server, calls.answered)).toEqual(calls.answered.map(() => 'answered'))
      const ready = await fetch(`${server.url}/readyz`)
      if (performance.now() - atMs < readyMs) expect(ready.status).toBe(200)
      await eventually(async () => (await fetch(`${server.url}/readyz`)).status === 503)
      expect(performance.now() - atMs).toBeGreaterThan(readyMs - 500)
      expect(await outcomes(server, calls.answered)).toEqual(calls.answered.map(() => 'answered'))
      expect(await outcomes(server, calls.refused)).toEqual(calls.refused.map(() => '503 retry'))

      await fault.end(proxy)
      await eventually(async () => (await fetch(`${server.url}/readyz`)).status === 200)
      await eventually(async () => (await outcome(server, calls.free)) === 'answered')
      // A refused call was not charged, so its payment buys it now.
      const [paid] = calls.refused
      await eventually(async () => paid !== undefined && (await outcome(server, paid)) === 'answered')
      expect(await used(server, calls.keyId)).toBe(2)
      expect(outputOf(server)).toContain('the database is away')
    } finally {
      await server.stop()
      await proxy.close()
    }
  })
})

interface Call {
  readonly path: string
  readonly init?: RequestInit
}

/** Calls that need the database, the paid one first, and calls that do not; one of them was counted. */
async function prepare(server: TestServer, txHash: string) {
  const issued = await Promise.all([1, 2].map(() => fetch(`${server.url}/api/key`)))
  const [key, other] = (await Promise.all(issued.map((answer) => answer.json()))) as readonly {
    readonly id: string
    readonly secret: string
  }[]
  if (key === undefined || other === undefined) throw new Error('There is no key.')
  const pair = { key: key.id, secret: key.secret }
  const embed = pathOf(await embedUrl(`${server.url}/api/og`, { title: 'Counted' }, pair))
  const picture = pathOf(await embedUrl(`${server.url}/api/og.png`, { title: 'Counted' }, pair))
  const etags: string[] = []
  for (const path of [embed, picture]) {
    const answer = await fetch(server.url + path)
    expect(answer.status).toBe(200)
    etags.push(answer.headers.get('etag') ?? '')
  }
  const { cookie } = await logIn(server)
  await fetch(`${server.url}/status`)
  const refused: readonly Call[] = [
    { path: '/api/og?title=Paid', init: { headers: { 'x-payment': txHash } } },
    { path: '/api/og?title=Free&demo=1' },
    { path: pathOf(await signUrl(`${server.url}/api/og?title=Signed`, pair)) },
    {
      path: pathOf(
        await signUrl(`${server.url}/api/og?title=Other`, { key: other.id, secret: other.secret }),
      ),
    },
    { path: pathOf(await embedUrl(`${server.url}/api/og`, { title: 'New' }, pair)) },
    { path: '/api/key' },
    { path: `/api/usage?key=${pair.key}` },
    { path: `/api/upgrade?key=${pair.key}`, init: { method: 'POST', headers: { 'x-payment': txHash } } },
    { path: '/admin', init: { headers: { cookie, accept: 'text/html' } } },
    { path: '/admin/keys', init: { headers: { cookie, accept: 'text/html' } } },
  ]
  const answered: readonly Call[] = [
    { path: embed },
    { path: picture },
    { path: embed, init: { method: 'HEAD' } },
    { path: embed, init: { headers: { 'if-none-match': etags[0] ?? '' } } },
    { path: '/api/og?title=Free&demo=1', init: { headers: { 'if-none-match': '*' } } },
    ...['/', '/docs', '/status', '/healthz', '/llms.txt', '/openapi.json', '/api/stats'].map((path) => ({
      path,
    })),
  ]
  return { refused, answered, free: { path: '/api/og?title=Again&demo=1' }, keyId: pair.key }
}

function pathOf(url: string): string {
  const { pathname, search } = new URL(url)
  return pathname + search
}

function outcomes(server: TestServer, calls: readonly Call[]): Promise<readonly string[]> {
  return Promise.all(calls.map((call) => outcome(server, call)))
}

/** The outcome of a call in a word; if it is an unexpected one, with the body. */
async function outcome(server: TestServer, { path, init = {} }: Call): Promise<string> {
  const signal = AbortSignal.timeout(answerMsMax)
  const response = await fetch(server.url + path, { ...init, signal, redirect: 'manual' }).catch(String)
  if (typeof response === 'string') return `${path} ${response}`
  const text = await response.text()
  for (const secret of [testPassword, 'postgres://', 'DATABASE_URL', 'node_modules', 'StoreError'])
    if (response.status >= 400 && text.includes(secret)) return `${path} tells ${secret}`
  if ([200, 304].includes(response.status)) return 'answered'
  const retries = response.status === 503 && Number(response.headers.get('retry-after')) > 0
  return retries ? '503 retry' : `${path} ${response.status} ${text.slice(0, 300)}`
}

async function used(server: TestServer, keyId: string): Promise<number> {
  const answer = await fetch(`${server.url}/api/usage?key=${keyId}`)
  return ((await answer.json()) as { readonly used: number }).used
}

const moments: readonly CutMoment[] = ['before', 'after', 'underway']
/** Some 25 ms each, and 300 where a connection is cut; several times that where others want the processor. */
const increments = 30
/** The last one waits for all others. */
const patienceMs = 100_000

describe.skipIf(!hasPostgres)('a commit whose answer is lost with its connection', () => {
  const postgres = started(startPostgres)
  const proxy = started(() => startTcpProxy(postgres.port))
  const store = started(() => openServer(throughPort(postgres.makeDatabase('fates'), proxy.port)))

  function stored(name: string): string {
    return postgres.run(`select value from facts where name = '${name}'`, 'fates')
  }

  test.each(moments)('cut %s it reached the server: what it says is what is stored', async (when) => {
    const name = `fate-${when}`
    const isCut = proxy.cutAt('commit\0', when)
    const outcome = await store
      .transaction(() => store.keyValues.set(name, 'here'))
      .then(() => 'stored', isPassing)
    await isCut
    // Commits that were underway have arrived after this time.
    await sleep(500)
    expect([outcome, stored(name)]).toEqual(stored(name) === 'here' ? ['stored', 'here'] : [true, ''])
  })

  test.each(moments)('cut %s it reached the server: a write by itself happens once', async (when) => {
    const name = `once-${when}`
    await store.keyValues.set(name, 'secret')
    const isCut = proxy.cutAt('commit\0', when)
    const takers = Array.from({ length: 4 }, () =>
      retryWhileLocked(() => store.keyValues.removeIf(name, 'secret')),
    )
    expect((await Promise.all(takers)).filter((taken) => taken)).toHaveLength(1)
    await isCut
    expect(stored(name)).toBe('')
  })

  test('transactions that are tried again until they are stored are each stored once', async () => {
    await store.keyValues.set('counter', '0')
    const isOver = Promise.withResolvers<void>()
    let isDone = false
    async function cutAgainAndAgain() {
      for (let round = 0; !isDone; round += 1) {
        await Promise.race([proxy.cutAt('commit\0', moments[round % 3] ?? 'after'), isOver.promise])
        await sleep(60)
      }
    }
    const cutting = cutAgainAndAgain()
    const counted = Array.from({ length: increments }, async (_, index) => {
      await sleep(index * 20)
      await retryWhileLocked(
        () =>
          store.transaction(
            function* () {
              const before = Number(yield* store.keyValues.get('counter'))
              yield* store.keyValues.set('counter', String(before + 1))
            },
            { locks: ['counter'] },
          ),
        patienceMs,
      )
    })
    await Promise.all(counted).finally(() => {
      isDone = true
      isOver.resolve()
    })
    await cutting
    proxy.disarm()
    expect(stored('counter')).toBe(String(increments))
  })

  test('one that is read is read again', async () => {
    await store.keyValues.set('read', 'me')
    for (const when of moments) {
      const isCut = proxy.cutAt('from "facts"', when)
      expect(await store.keyValues.get('read')).toBe('me')
      await isCut
    }
  })
})
