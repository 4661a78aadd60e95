import { describe, expect, test } from 'bun:test'
import { embedUrl, signUrl } from '../src/client/index.ts'
import { type AdminServer, openAdminServer, operatorPassword } from './admin/support/admin-server.ts'
import { logIn, secretIn, send } from './admin/support/operator.ts'
import { payer, shopkeeper, startAnvil } from './payments/support/anvil.ts'
import { proofHeader, verdictOf } from './payments/support/pay.ts'
import { walletEnv } from './payments/support/wallet-env.ts'
import { hasPostgres, startPostgres } from './support/postgres.ts'
import { sharedSettings } from './support/served-database.ts'
import { started } from './support/started.ts'

/** Promises of one server hold over all servers of a database, from the next request on. */
describe.skipIf(!hasPostgres)('over two servers of one database', () => {
  const postgres = started(startPostgres)
  const chain = started(startAnvil)
  const here = started(() => openPaid(postgres.makeDatabase('pair')))
  const there = started(() => openPaid(postgres.url('pair')))

  function openPaid(databaseUrl: string) {
    const payments = { UPGRADE_DAYS: '30', X402_CONFIRMATIONS_HIGH: '1', X402_POLL_MS: '50' }
    return open(databaseUrl, { ...sharedSettings, ...walletEnv(chain.url), ...payments })
  }

  function open(databaseUrl: string, env: Readonly<Record<string, string>>) {
    return openAdminServer({ env: { DATABASE_URL: databaseUrl, LOG_LEVEL: 'error', ...env } })
  }

  async function openPair(databaseUrl: string, env: Readonly<Record<string, string>>) {
    return [await open(databaseUrl, env), await open(databaseUrl, env)] as const
  }

  function other(index: number): AdminServer {
    return index % 2 === 0 ? here : there
  }

  async function statusOf(at: AdminServer, { id, secret }: { id: string; secret: string }): Promise<number> {
    return (await fetch(await signUrl(`${at.url}/api/og?title=A`, { key: id, secret }))).status
  }

  test('a key that one made is used on the other, and refused there once it is revoked', async () => {
    const operator = await logIn(here)
    const key = await operator.createKey()
    const embed = await embedUrl(`${there.url}/api/og`, { title: 'B' }, { key: key.id, secret: key.secret })
    expect([await statusOf(there, key), (await fetch(embed)).status]).toEqual([200, 200])
    await operator.post(`${key.path}/revoke`)
    expect([await statusOf(there, key), (await fetch(embed)).status]).toEqual([402, 402])
    await operator.post(`${key.path}/restore`)
    expect(await statusOf(there, key)).toBe(200)
  })

  test('a quota and a secret that one changed hold on the other at its next call', async () => {
    const operator = await logIn(here)
    const key = await operator.createKey()
    for (const at of [there, here, there]) expect(await statusOf(at, key)).toBe(200)
    await operator.post(`${key.path}/quota`, { quota: '4' })
    expect([await statusOf(there, key), await statusOf(there, key), await statusOf(here, key)]).toEqual([
      200, 402, 402,
    ])
    await operator.post(`${key.path}/quota`, { quota: '' })
    const moved = await operator.post(`${key.path}/rotate`, { overlap: '0' })
    const secret = secretIn(await operator.page(moved.headers.get('location') ?? '')) ?? ''
    expect([await statusOf(there, key), await statusOf(there, { id: key.id, secret })]).toEqual([402, 200])
  })

  test('a secret is shown once, whichever of them are asked at the same moment', async () => {
    const operator = await logIn(here)
    const created = await operator.post('/admin/keys', { name: 'once' })
    const path = created.headers.get('location') ?? ''
    const pages = await Promise.all(
      Array.from({ length: 8 }, async (_, index) =>
        (await fetch(other(index).url + path, { headers: { cookie: operator.cookie } })).text(),
      ),
    )
    expect(pages.map(secretIn).filter((secret) => secret !== undefined)).toHaveLength(1)
  })

  test('a session of one is one of the other, and ends on both', async () => {
    const operator = await logIn(here)
    const elsewhere = { headers: { cookie: operator.cookie }, redirect: 'manual' } as const
    expect((await fetch(`${there.url}/admin/audit`, elsewhere)).status).toBe(200)
    await send(`${there.url}/admin/logout`, {}, { cookie: operator.cookie })
    expect((await operator.get('/admin/audit')).status).toBe(303)
  })

  test('wrong passwords are counted over both: five are checked, whoever sends how many at once', async () => {
    const strangers = await openPair(postgres.makeDatabase('strangers'), sharedSettings)
    const statuses = []
    for (let round = 0; round < 8; round += 1) {
      const tries = Array.from({ length: 4 }, (_, index) =>
        send(`${strangers[index % 2]?.url}/admin/login`, { password: `wrong ${round} ${index}` }),
      )
      statuses.push(...(await Promise.all(tries)).map(({ status }) => status))
    }
    expect(statuses.filter((status) => status === 401)).toHaveLength(5)
    expect(statuses.filter((status) => status === 429)).toHaveLength(27)
    const right = { password: operatorPassword }
    for (const { url } of strangers) expect((await send(`${url}/admin/login`, right)).status).toBe(429)
    for (const server of strangers) await server.close()
  })

  test('an address is issued as many keys as on one', async () => {
    const statuses = await Promise.all(
      Array.from({ length: 14 }, async (_, index) => (await fetch(`${other(index).url}/api/key`)).status),
    )
    expect(statuses.toSorted()).toEqual([200, 200, 200, 200, 200, ...Array.from({ length: 9 }, () => 429)])
  })

  test('the link that sets the password sets one, whoever uses it on both at once', async () => {
    const { ADMIN_PASSWORD: _, ...unset } = sharedSettings
    const fresh = await openPair(postgres.makeDatabase('fresh'), { ...unset, ADMIN_PASSWORD: '' })
    const token = (await fresh[0].service.startSetup()) ?? ''
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, index) =>
        send(`${fresh[index % 2]?.url}/admin/setup`, { token, password: `a good password ${index}` }),
      ),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 401, 401, 401, 401, 401])
    const winner = answers.findIndex(({ status }) => status === 303)
    for (const server of fresh)
      expect((await logIn(server, `a good password ${winner}`)).cookie).toContain('session')
    for (const server of fresh) await server.close()
  })

  test('upgrades that are paid on both at once for one key extend one another', async () => {
    const operator = await logIn(here)
    const key = await operator.createKey()
    const hashes = []
    for (let count = 0; count < 4; count += 1)
      hashes.push(await chain.transfer(shopkeeper.address, 10_000_000n, payer))
    const verdicts = await Promise.all(
      hashes.map(async (txHash, index) => {
        const url = `${other(index).url}/api/upgrade?key=${key.id}`
        const proof = await proofHeader({ url, txHash, signer: payer, method: 'POST' })
        return verdictOf(
          await fetch(url, { method: 'POST', headers: { 'x-payment': txHash, 'x-payment-proof': proof } }),
        )
      }),
    )
    expect(verdicts).toEqual(['200', '200', '200', '200'])
    const untilMs = Number(postgres.run(`select unlimited_until_ms from keys where id = '${key.id}'`, 'pair'))
    const days = (untilMs - Date.now()) / 86_400_000
    expect(Math.round(days)).toBe(120)
  })
})
