import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { embedUrl, signUrl } from '../../../src/client/index.ts'
import { logIn } from '../../admin/support/operator.ts'
import { type Chain, startAnvil } from '../../payments/support/anvil.ts'
import { walletEnv } from '../../payments/support/wallet-env.ts'
import { eventually } from '../../support/eventually.ts'
import { hasPostgres, startPostgres, type TestPostgres, testPassword } from '../../support/postgres.ts'
import { outputOf, startServerOn } from '../../support/served-database.ts'
import type { TestServer } from '../../support/server.ts'
import { startTcpProxy, type TcpProxy } from '../../support/tcp-proxy.ts'
import { throughPort } from './databases.ts'

/** Callers are answered within two seconds; a statement that nobody ends would take ten. */
const answerMsMax = 8_000
/** Until then `/readyz` says yes, and a slow machine may be past it already. */
const readyMs = 5_000

describe.skipIf(!hasPostgres)('while PostgreSQL is away', () => {
  let postgres: TestPostgres
  let chain: Chain
  beforeAll(async () => {
    ;[postgres, chain] = await Promise.all([startPostgres(), startAnvil({ blockSeconds: 1 })])
  })
  afterAll(async () => {
    await postgres?.close()
    await chain?.stop()
  })

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
