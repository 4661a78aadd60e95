import { describe, expect, test } from 'bun:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { type Hex, parseTransaction } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { operatorPassword } from '../admin/support/admin-server.ts'
import { enter, hasBrowser, openBrowser, openPage } from '../admin/support/browser.ts'
import { payer, settlerEnv, shopkeeper, startAnvil } from '../payments/support/anvil.ts'
import { freshPath, laterVerdictOf, payWith } from '../payments/support/pay.ts'
import { altered, startRpcProxy } from '../payments/support/rpc-proxy.ts'
import { signAuthorization, v1Header } from '../payments/support/sign.ts'
import { walletEnv } from '../payments/support/wallet-env.ts'
import { throughPort } from '../store/postgres/databases.ts'
import { hangMsMax } from '../support/hang-limit.ts'
import { hasPostgres, startPostgres } from '../support/postgres.ts'
import { started } from '../support/started.ts'
import { startTcpProxy } from '../support/tcp-proxy.ts'
import { type Servers, startServers, untilAllAnswer } from './support/servers.ts'
import { callSigned, issueKey } from './support/signed-calls.ts'

const serverCount = 3
const callers = 24
const limit = 400
const callsAfterFault = 10
const frozenMs = [300, 1_800] as const

interface Fault {
  readonly name: string
  readonly rounds: number
  /** A server that is killed may have counted calls whose answers nobody received. */
  readonly killsServer?: true
  readonly make: (round: number) => Promise<void>
}

describe.skipIf(!hasPostgres)('servers that share PostgreSQL', () => {
  const postgres = started(startPostgres)
  const proxies = Array.from({ length: serverCount }, () => started(() => startTcpProxy(postgres.port)))
  const servers = started(() => {
    const url = postgres.makeDatabase('faults')
    return startServers({
      databaseUrls: proxies.map(({ port }) => throughPort(url, port)),
      env: { KEY_DAILY_QUOTA: String(limit) },
    })
  })

  const faults: readonly Fault[] = [
    {
      name: 'PostgreSQL is ended at once and started again',
      rounds: 10,
      async make() {
        await postgres.crash()
        await postgres.start()
      },
    },
    {
      name: 'backends are terminated',
      rounds: 10,
      async make() {
        for (let n = 0; n < 5; n += 1) {
          postgres.run(`select pg_terminate_backend(pid) from pg_stat_activity where usename = 'owner'`)
          await sleep(10)
        }
      },
    },
    {
      name: 'connections are cut',
      rounds: 10,
      async make() {
        for (let n = 0; n < 12; n += 1) {
          proxies[n % serverCount]?.cut()
          await sleep(7)
        }
      },
    },
    {
      name: 'connections freeze',
      rounds: 6,
      async make(round) {
        const proxy = proxies[round % serverCount]
        proxy?.freeze()
        await sleep(frozenMs[round % 2])
        proxy?.thaw()
      },
    },
    {
      name: 'a server is killed',
      rounds: 6,
      killsServer: true,
      async make(round) {
        const index = round % serverCount
        await servers.kill(index)
        await servers.start(index)
      },
    },
  ]

  test.each(faults.map((fault) => [fault.name, fault] as const))(
    'count what they answer and never exceed a quota while %s',
    async (_, { name, rounds, killsServer, make }) => {
      const totals = { answered: 0, counted: 0, unavailable: 0 }
      for (let round = 0; round < rounds; round += 1) {
        const key = await issueKey(servers.url(round))
        const { answered, unavailable } = await hammer(
          servers,
          (url) => callSigned(url, key),
          () => make(round),
        )
        await untilAllAnswer(servers)
        const counted = await settledCount(`key:${key.key}`, answered, killsServer ? 4 : 40)
        if (killsServer) expect(counted).toBeGreaterThanOrEqual(answered)
        else expect({ round, counted }).toEqual({ round, counted: answered })
        expect(counted).toBeLessThanOrEqual(limit)
        totals.answered += answered
        totals.counted += counted
        totals.unavailable += unavailable
      }
      console.log(`${name}: ${rounds} rounds, ${JSON.stringify(totals)}`)
      expect(totals.answered).toBeGreaterThan(0)
    },
  )

  /**
   * The stored count of a bucket. Calls that were counted and not delivered are released soon after the database is
   * back.
   */
  async function settledCount(bucket: string, answered: number, triesMax: number): Promise<number> {
    for (let tries = 0; ; tries += 1) {
      const counted = Number(
        postgres.run(`select coalesce(sum(used), 0) from usage_days where bucket = '${bucket}'`, 'faults'),
      )
      if (counted === answered || tries === triesMax) return counted
      await sleep(50)
    }
  }
})

/** Callers call all servers while something breaks, and some calls longer. */
async function hammer(
  servers: Servers,
  call: (serverUrl: string) => Promise<number>,
  breakSomething: () => Promise<void>,
): Promise<{ readonly answered: number; readonly unavailable: number }> {
  const outcomes = { answered: 0, unavailable: 0 }
  let isOver = false
  async function caller(index: number): Promise<void> {
    for (let after = 0; after < callsAfterFault; after += isOver ? 1 : 0) {
      const status = await call(servers.url(index))
      if (status === 200) outcomes.answered += 1
      else if (status === 402) await sleep(5)
      else {
        expect([0, 503]).toContain(status)
        outcomes.unavailable += 1
        await sleep(20)
      }
    }
  }
  const calls = Array.from({ length: callers }, (_, index) => caller(index))
  await sleep(20)
  await breakSomething()
  isOver = true
  await Promise.all(calls)
  return outcomes
}

describe.skipIf(!hasPostgres || !hasBrowser)('the operator of two servers, in a browser', () => {
  const postgres = started(startPostgres)
  const servers = started(() => {
    const url = postgres.makeDatabase('operator')
    return startServers({ databaseUrls: [url, url], env: { ADMIN_PASSWORD: operatorPassword } })
  })
  const browser = started(openBrowser)

  test('logs in on one and works on the other; a key is shown once, used on the other, revoked on the first and refused', async () => {
    // One name with two ports, as a browser sees two servers behind one proxy: the cookie goes to both.
    const [first = '', second = ''] = servers.urls().map((url) => url.replace('127.0.0.1', 'localhost'))
    const { page, complaints, close } = await openPage(browser)
    page.on('dialog', (dialog) => dialog.accept())
    page.setDefaultTimeout(hangMsMax)
    await enter(page, { url: first })

    await page.goto(`${second}/admin/keys`)
    await page.getByRole('link', { name: 'New key' }).first().click()
    await page.getByLabel('Name').fill('docs.harbour.dev')
    await page.getByRole('button', { name: 'Create key' }).click()
    await page.waitForURL(/\/admin\/keys\/mk_/)
    const key = await shownKey(page)
    const path = new URL(page.url()).pathname
    // The secret is shown that one time, on whichever server.
    for (const server of [first, second]) {
      await page.goto(server + path)
      expect(await page.locator('#secret-value').count()).toBe(0)
      expect(await page.content()).not.toContain(key.secret)
    }

    expect([await callSigned(first, key), await callSigned(second, key)]).toEqual([200, 200])
    await page.goto(first + path)
    expect(await page.locator('.kpis div', { hasText: 'Used today' }).locator('dd').textContent()).toContain(
      '2',
    )
    await page.locator('.head').getByRole('button', { name: 'Revoke' }).click()
    await page.locator('main', { hasText: 'Restore' }).waitFor()
    expect(await callSigned(second, key)).toBe(402)
    await page.goto(second + path)
    await page.locator('.head').getByRole('button', { name: 'Restore' }).click()
    await page.locator('main', { hasText: 'Active' }).waitFor()
    expect(await callSigned(first, key)).toBe(200)

    await page.getByRole('button', { name: 'Log out' }).click()
    await page.waitForURL(/login/)
    await page.goto(`${first}/admin/keys`)
    expect(page.url()).toContain('/admin/login')
    expect(complaints).toEqual([])
    await close()
  })

  test('has one page of keys that either server shows the secret of, and only one', async () => {
    const { page, close } = await openPage(browser)
    page.setDefaultTimeout(hangMsMax)
    const [first = '', second = ''] = servers.urls().map((url) => url.replace('127.0.0.1', 'localhost'))
    await enter(page, { url: second })
    const cookie = (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join('; ')
    const headers = { cookie, 'sec-fetch-site': 'same-origin' }
    const created = await fetch(`${first}/admin/keys`, {
      method: 'POST',
      body: new URLSearchParams({ name: 'once' }),
      headers,
      redirect: 'manual',
    })
    const path = created.headers.get('location') ?? ''
    const pages = await Promise.all(
      Array.from({ length: 8 }, async (_, index) =>
        (await fetch([first, second][index % 2] + path, { headers })).text(),
      ),
    )
    expect(pages.filter((html) => html.includes('id="secret-value"'))).toHaveLength(1)
    await close()
  })
})

async function shownKey(page: Page) {
  return {
    key: (await page.locator('#secret-id').textContent()) ?? '',
    secret: (await page.locator('#secret-value').textContent()) ?? '',
  }
}

const price = 10_000n

describe.skipIf(!hasPostgres)('payments to servers that share PostgreSQL', () => {
  const postgres = started(startPostgres)
  const chain = started(startAnvil)
  const rpc = started(() => startRpcProxy(chain.url))
  const servers = started(() => {
    const url = postgres.makeDatabase('payments')
    return startServers({
      databaseUrls: [url, url, url],
      env: {
        ...walletEnv(rpc.url),
        ...settlerEnv,
        X402_POLL_MS: '50',
        X402_WAIT_MS: '1000',
      },
    })
  })

  test('one transaction on twenty URLs over two servers buys one call', async () => {
    const txHash = await chain.transfer(shopkeeper.address, price)
    const verdicts = await Promise.all(
      Array.from({ length: 20 }, (_, index) => {
        const url = `${servers.url(index % 2)}${freshPath()}`
        return laterVerdictOf(() => payWith(url, txHash))
      }),
    )
    expect(countOf(verdicts)).toEqual({ '200': 1, '402 payment_already_used': 19 })
  })

  test('one settler on two servers uses no nonce twice', async () => {
    const before = await chain.balanceOf(shopkeeper.address)
    const taken = new Set<Hex>()
    rpc.breakWith((method, call) => {
      if (method !== 'eth_sendRawTransaction') return undefined
      // A nonce that was mined a moment ago may be tried again: the chain refuses it, and answers with no hash.
      return altered(chain.url, call, (hash) => {
        if (hash !== undefined) taken.add(call.params[0] as Hex)
        return hash
      })
    })
    const count = 16
    const verdicts = await Promise.all(
      Array.from({ length: count }, async (_, index) => {
        const headers = v1Header(await signAuthorization())
        const url = `${servers.url(index % 2)}${freshPath()}`
        return laterVerdictOf(() => fetch(url, { headers }))
      }),
    )
    expect(countOf(verdicts)).toEqual({ '200': count })
    expect((await chain.balanceOf(shopkeeper.address)) - before).toBe(price * BigInt(count))
    const nonces = [...taken].map((transaction) => parseTransaction(transaction).nonce)
    expect(new Set(nonces).size).toBe(count)
    expect(nonces).toHaveLength(count)
  })

  test('a wallet that holds money for seven calls gets seven of 21, from three servers', async () => {
    const modest = privateKeyToAccount(generatePrivateKey())
    await chain.token('mint', [modest.address, 7n * price], payer)
    const verdicts = await Promise.all(
      Array.from({ length: 21 }, async (_, index) => {
        const headers = v1Header(await signAuthorization({ signer: modest }))
        const url = `${servers.url(index % 3)}${freshPath()}`
        return laterVerdictOf(() => fetch(url, { headers }))
      }),
    )
    expect(countOf(verdicts)).toEqual({ '200': 7, '402 insufficient_funds': 14 })
    expect(await chain.balanceOf(modest.address)).toBe(0n)
  })
})

function countOf(verdicts: readonly string[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const verdict of verdicts) counts[verdict] = (counts[verdict] ?? 0) + 1
  return counts
}
