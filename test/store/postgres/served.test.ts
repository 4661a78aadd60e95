import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { embedUrl, signUrl } from '../../../src/client/index.ts'
import type { Connection } from '../../../src/store/postgres/connection.ts'
import type { PostgresStore } from '../../../src/store/postgres/open-postgres.ts'
import { logIn } from '../../admin/support/operator.ts'
import { startAnvil } from '../../payments/support/anvil.ts'
import { payWith, verdictOf } from '../../payments/support/pay.ts'
import { walletEnv } from '../../payments/support/wallet-env.ts'
import { freePort } from '../../support/free-port.ts'
import { hasPostgres, startPostgres, testPassword } from '../../support/postgres.ts'
import { outputOf, startServerOn } from '../../support/served-database.ts'
import { started } from '../../support/started.ts'
import { openServer, openSession } from './databases.ts'
import cases from './served.json' with { type: 'json' }

describe.skipIf(!hasPostgres)('a server over PostgreSQL', () => {
  const postgres = started(startPostgres)
  const chain = started(() => startAnvil({ blockSeconds: 1 }))

  test.each(['bun', 'deno'] as const)('does on %s what one over SQLite does', async (runtime) => {
    const server = await startServerOn(postgres.makeDatabase(`all_${runtime}`), {
      runtime,
      env: { ...walletEnv(chain.url), X402_POLL_MS: '50' },
    })
    try {
      const card = `${server.url}/api/og?title=Hello`
      expect((await fetch(`${card}&demo=1`)).headers.get('x-quota-remaining')).toBe('2999')

      const issued = (await (await fetch(`${server.url}/api/key`)).json()) as { id: string; secret: string }
      const pair = { key: issued.id, secret: issued.secret }
      const signed = await fetch(await signUrl(card, pair))
      expect([signed.status, signed.headers.get('x-quota-remaining')]).toEqual([200, '99'])
      const embed = await embedUrl(`${server.url}/api/og`, { title: 'Embedded' }, pair)
      for (let call = 0; call < 2; call += 1)
        expect((await fetch(embed)).headers.get('x-quota-remaining')).toBe('98')
      const usage = (await (await fetch(`${server.url}/api/usage?key=${pair.key}`)).json()) as {
        used: number
      }
      expect(usage).toMatchObject({ used: 2, remaining: 98 })

      const txHash = await chain.transfer(walletEnv('').X402_PAY_TO, 10_000n)
      expect(await verdictOf(await payWith(card, txHash))).toBe('200')
      const expected = '402 payment_already_used'
      expect(await verdictOf(await payWith(`${server.url}/api/og?title=Other`, txHash))).toBe(expected)

      const operator = await logIn(server)
      const overview = await operator.page('/admin')
      expect(overview).toContain('Healthy')
      expect(overview).toContain('By the tools of PostgreSQL')
      for (const path of [
        '/admin/keys',
        `/admin/keys/${pair.key}`,
        '/admin/payments',
        '/admin/traffic',
        '/admin/audit',
      ])
        await operator.page(path)
      const settings = (await operator.page('/admin/settings')).replaceAll('<wbr/>', '')
      expect(settings).toContain(`postgres://127.0.0.1:${postgres.port}/all_${runtime}`)
      expect(settings).toContain('pg_dump')
      expect((await operator.post('/admin/backup')).status).toBe(404)
      expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
      expect(await (await fetch(`${server.url}/metrics`)).text()).toContain('mintmark_')
      for (const secret of [testPassword, encodeURIComponent(testPassword)]) {
        expect(outputOf(server)).not.toContain(secret)
        expect(settings).not.toContain(secret)
      }
    } finally {
      await server.stop()
    }
  })

  test('keeps what it stored over a restart, with several workers as well', async () => {
    const url = postgres.makeDatabase('workers')
    const first = await startServerOn(url)
    await fetch(`${first.url}/api/og?title=1&demo=1`)
    await first.stop()
    const second = await startServerOn(url, { env: { WORKERS: '2', PORT: String(await freePort()) } })
    const remaining = []
    for (let call = 0; call < 8; call += 1) {
      const answer = await fetch(`${second.url}/api/og?title=${call}&demo=1`, { keepalive: false })
      remaining.push(Number(answer.headers.get('x-quota-remaining')))
    }
    expect(remaining).toEqual([2998, 2997, 2996, 2995, 2994, 2993, 2992, 2991])
    expect(await second.stop()).toBe(0)
  })

  describe.each(['bun', 'deno'] as const)('that cannot start on %s says why and what helps', (runtime) => {
    /** The program's message before it ends. It may contain no part of a password, in any form. */
    async function problem(url: string, env: Readonly<Record<string, string>> = {}): Promise<string> {
      const message = await startServerOn(url, { runtime, env }).then(
        async (server) => `it serves, ${await server.stop()}`,
        (error) => String(error),
      )
      expect(message).toContain('ended with 1')
      expect(message).toMatch(/DATABASE_URL|MASTER_KEY/)
      for (const secret of [testPassword, encodeURIComponent(testPassword), 'word', 'marks', 'p@ss'])
        expect(message.replaceAll('password', '')).not.toContain(secret)
      return message
    }

    test.each([
      ...cases.refused,
      [
        'a password that is not encoded',
        `postgres://owner:${testPassword}@127.0.0.1/x`,
        'must be postgres://',
      ],
    ])('a URL with %s', async (_, url, expected) => {
      expect(await problem(url)).toContain(expected)
    })

    test('no master key', async () => {
      expect(await problem(postgres.url('none'), { MASTER_KEY: '' })).toContain('MASTER_KEY must be set')
    })

    test('a wrong password, no such database, no server', async () => {
      const url = postgres.makeDatabase(`way_${runtime}`)
      expect(await problem(url.replace('%3Aword', '%3Aother'))).toContain('Look at user and password')
      expect(await problem(postgres.url('missing'))).toContain('create database')
      const expected = 'whether the server runs'
      expect(await problem(url.replace(/:\d+\//, `:${await freePort()}/`))).toContain(expected)
    })

    test('a read-only server, and tables of another product', async () => {
      const name = `other_${runtime}`
      const url = postgres.makeDatabase(name)
      postgres.run('create table orders (id int)', name)
      expect(await problem(url)).toContain('tables of another product, such as orders')
      postgres.run(`alter role owner in database ${name} set default_transaction_read_only = on`)
      expect(await problem(url)).toContain('Name a server that takes writes')
    })

    test('another master key than the one that the keys of the database were made with', async () => {
      const url = postgres.makeDatabase(`master_${runtime}`)
      const server = await startServerOn(url, { runtime })
      expect((await fetch(`${server.url}/api/key`)).status).toBe(200)
      await server.stop()
      expect(await problem(url, { MASTER_KEY: '6f'.repeat(32) })).toContain('MASTER_KEY')
    })
  })

  test.each(['backup', 'restore copy.sqlite'])('is not backed up by %s: pg_dump is named', async (words) => {
    const { exitCode, said } = await runProgram(words.split(' '), { DATABASE_URL: postgres.url('x') })
    expect(exitCode).toBe(1)
    expect(said).toContain('DATABASE_URL names a PostgreSQL database')
    expect(said).toContain('pg_dump')
    expect(said).not.toContain('word')
  })
})

async function runProgram(words: readonly string[], env: Readonly<Record<string, string>>) {
  const main = join(import.meta.dir, '../../../src/main.ts')
  const child = Bun.spawn([process.execPath, main, ...words], { env, stdout: 'pipe', stderr: 'pipe' })
  const said = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  return { exitCode: await child.exited, said: said.join('') }
}

describe.skipIf(!hasPostgres)('deferred writes', () => {
  let store: PostgresStore
  let other: Connection
  const postgres = started(startPostgres)
  beforeAll(async () => {
    const url = postgres.makeDatabase('deferred')
    store = await openServer(url)
    other = await openSession(url)
  })
  afterAll(async () => {
    other?.destroy('the test is over')
    await store?.close()
  })

  test('are stored though others came while an earlier one waited for a lock of another server', async () => {
    const locks = ['payer 0x1']
    await other.query('begin')
    await other.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', locks)
    const first = store.deferred.add(() => store.usage.set(1, 'a', 1), { locks })
    await sleep(20)
    const second = store.deferred.add(() => store.usage.set(1, 'b', 2), { locks })
    await sleep(20)
    await other.query('commit')
    await Promise.all([first, second])
    await store.deferred.add(() => store.usage.set(1, 'c', 3), { locks })
    const used = ['a', 'b', 'c'].map((bucket) => store.usage.used(1, bucket))
    expect(await Promise.all(used)).toEqual([1, 2, 3])
  })
})
