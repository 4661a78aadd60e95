import { afterAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { themeFileText } from '../../src/assets/og/engine/read-theme.ts'
import { mintmark } from '../cli/support/mintmark.ts'
import { settlerEnv, shopkeeper, startAnvil } from '../payments/support/anvil.ts'
import { freshPath, laterVerdictOf } from '../payments/support/pay.ts'
import { startRpcProxy } from '../payments/support/rpc-proxy.ts'
import { signAuthorization, v1Header } from '../payments/support/sign.ts'
import { walletEnv } from '../payments/support/wallet-env.ts'
import { eventually } from '../support/eventually.ts'
import { hasPostgres, startPostgres } from '../support/postgres.ts'
import { sharedSettings, startServerOn } from '../support/served-database.ts'
import type { TestServer } from '../support/server.ts'
import { started } from '../support/started.ts'
import { earlierCommit, unpackRelease } from './support/earlier-release.ts'
import { callSigned, issueKey } from './support/signed-calls.ts'

const price = 10_000n
const quota = 40

/** Servers of the earlier release serve on while those of this one start and bring the tables up to date. */
describe.skipIf(!hasPostgres || earlierCommit === undefined)('a rolling upgrade', () => {
  let present: TestServer
  const release = started(() => unpackRelease(earlierCommit ?? ''))
  const postgres = started(startPostgres)
  const chain = started(startAnvil)
  const rpc = started(() => startRpcProxy(chain.url))
  const earlier = started(() => {
    postgres.makeDatabase('upgraded')
    return start(release.command)
  })
  afterAll(() => present?.stop())

  function start(command?: readonly string[]): Promise<TestServer> {
    const env = {
      ...walletEnv(rpc.url),
      ...settlerEnv,
      X402_POLL_MS: '50',
      KEY_DAILY_QUOTA: String(quota),
      // A paid request is known by its URL, which is one whichever server it is sent to.
      BASE_URL: 'https://cards.example',
    }
    return startServerOn(postgres.url('upgraded'), { env, ...(command && { command }) })
  }

  /** Sends a payment. Resolves when the server is about to send its transaction, which waits until `goOn` is called. */
  async function startPayment(server: TestServer) {
    const isSending = Promise.withResolvers<void>()
    const mayGoOn = Promise.withResolvers<void>()
    rpc.breakWith(async (method) => {
      if (method !== 'eth_sendRawTransaction') return undefined
      isSending.resolve()
      await mayGoOn.promise
      return undefined
    })
    const path = freshPath()
    const headers = v1Header(await signAuthorization())
    const send = (to: TestServer) => laterVerdictOf(() => fetch(to.url + path, { headers }))
    const verdict = send(server)
    await Promise.race([isSending.promise, verdict])
    return { send, verdict, goOn: () => mayGoOn.resolve() }
  }

  async function expectFinishedBy(other: TestServer, dying: TestServer): Promise<void> {
    const [before, done] = [await chain.balanceOf(shopkeeper.address), chargesDone()]
    const payment = await startPayment(dying)
    const verdict = payment.verdict.catch(() => 'broken')
    await dying.stop('SIGKILL')
    payment.goOn()
    expect(await verdict).toBe('broken')
    expect(await payment.send(other)).toBe('200')
    expect((await chain.balanceOf(shopkeeper.address)) - before).toBe(price)
    expect(chargesDone() - done).toBe(1)
  }

  function chargesDone(): number {
    return Number(postgres.run(`select count(*) from charges where state = 'done'`, 'upgraded'))
  }

  function schemaVersion(): number {
    return Number(postgres.run('select version from mintmark_schema', 'upgraded'))
  }

  test('calls and a payment that are under way on the earlier release finish there while this one starts', async () => {
    const key = await issueKey(earlier.url)
    const earlierVersion = schemaVersion()
    const before = await chain.balanceOf(shopkeeper.address)
    const payment = await startPayment(earlier)
    const starting = start()
    let isListening = false
    void starting.then(() => {
      isListening = true
    })
    const statuses: number[] = []
    while (!isListening) statuses.push(await callSigned(earlier.url, key))
    present = await starting
    expect(schemaVersion()).toBeGreaterThanOrEqual(earlierVersion)
    payment.goOn()
    expect(await payment.verdict).toBe('200')
    expect(statuses).toEqual(statuses.map((_, index) => (index < quota ? 200 : 402)))
    expect((await chain.balanceOf(shopkeeper.address)) - before).toBe(price)
  })

  test('both releases count the calls of a key that either issued as one', async () => {
    for (const issuer of [earlier, present]) {
      const key = await issueKey(issuer.url)
      const calls = Array.from({ length: 2 * quota }, (_, index) =>
        callSigned((index % 2 === 0 ? earlier : present).url, key),
      )
      const statuses = (await Promise.all(calls)).toSorted()
      expect(statuses).toEqual(statuses.map((_, index) => (index < quota ? 200 : 402)))
    }
  })

  /** The output of the command that saves a brand with a theme file. */
  async function savedTheme(): Promise<string> {
    const folder = mkdtempSync(join(tmpdir(), 'mintmark-theme-'))
    writeFileSync(join(folder, 'brand.json'), '{"name":"Acme","slug":"acme"}')
    writeFileSync(join(folder, 'theme.yaml'), await themeFileText('paper'))
    const env = { ...sharedSettings, DATABASE_URL: postgres.url('upgraded') }
    const { output, errors } = await mintmark(['brand', 'import', folder], { env })
    return output + errors
  }

  test('a brand with a theme file is not saved while the earlier release serves', async () => {
    expect(await savedTheme()).toContain('restart the older ones first')
  })

  test('a payment that one release was settling when it died is finished by the other, and charged once', async () => {
    await expectFinishedBy(earlier, present)
    present = await start()
    await expectFinishedBy(present, earlier)
  })

  test('a brand with a theme file is saved once the earlier release is known to be gone', async () => {
    expect(await eventually(async () => /is acme@1/.exec(await savedTheme())?.[0])).toBe('is acme@1')
  })
})
