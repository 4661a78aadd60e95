import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Hex, keccak256 } from 'viem'
import { hasPostgres, startPostgres } from '../support/postgres.ts'
import { started } from '../support/started.ts'
import { queryTestStore } from '../support/test-store.ts'
import { settlerEnv as env, otherPayer, shopkeeper, startAnvil } from './support/anvil.ts'
import { startChild } from './support/child.ts'
import { freshPath, freshUrl, laterVerdictOf, payWith, verdictOf } from './support/pay.ts'
import { altered, startRpcProxy } from './support/rpc-proxy.ts'
import { openShop } from './support/shop.ts'
import { signAuthorization, v1Header } from './support/sign.ts'

const directory = mkdtempSync(join(tmpdir(), 'payments-'))
const chain = started(startAnvil)
afterAll(async () => {
  rmSync(directory, { recursive: true, force: true })
})

const script = join(import.meta.dirname, 'support/children/shop.ts')
function pathOf(name: string) {
  return name.startsWith('postgres:') ? name : join(directory, name)
}

function startShop(name: string, more: Readonly<Record<string, string>> = {}) {
  return startChild(script, [chain.url, pathOf(name), JSON.stringify({ ...env, ...more })])
}

function testTwo(databaseOf: (name: string) => string): void {
  test('two processes: twenty calls at once with one hash on twenty URLs, exactly one is answered', async () => {
    const shops = await Promise.all([startShop(databaseOf('two')), startShop(databaseOf('two'))])
    const txHash = await chain.transfer(shopkeeper.address, 10_000n)
    const verdicts = await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        const { line: url = '' } = shops[index % 2] ?? {}
        return verdictOf(await payWith(`${url}${freshPath()}`, txHash))
      }),
    )
    expect(verdicts.filter((verdict) => verdict === '200')).toHaveLength(1)
    expect(verdicts.filter((verdict) => verdict === '402 payment_already_used')).toHaveLength(19)
    await Promise.all(shops.map((shop) => shop.stop()))
  })

  test('two processes with one settler key do not take each other’s nonce', async () => {
    const shops = await Promise.all([startShop(databaseOf('pair')), startShop(databaseOf('pair'))])
    const before = await chain.balanceOf(shopkeeper.address)
    const verdicts = await Promise.all(
      Array.from({ length: 10 }, async (_, index) => {
        const { line: url = '' } = shops[index % 2] ?? {}
        return verdictOf(
          await fetch(`${url}${freshPath()}`, { headers: v1Header(await signAuthorization()) }),
        )
      }),
    )
    expect(verdicts).toEqual(Array.from({ length: 10 }, () => '200'))
    expect((await chain.balanceOf(shopkeeper.address)) - before).toBe(100_000n)
    await Promise.all(shops.map((shop) => shop.stop()))
  })

  test('a process that is killed while it makes the answer leaves the payment to one that goes on', async () => {
    const killed = await startShop(databaseOf('inherited'))
    await using alive = await openShop(chain.url, { path: pathOf(databaseOf('inherited')), env })
    const txHash = await chain.transfer(shopkeeper.address, 10_000n)
    const headers = v1Header(await signAuthorization())
    const { host } = new URL(killed.line)
    const path = freshPath('slow')
    const lost = [payWith(`${killed.line}${path}`, txHash), fetch(`${killed.line}${path}`, { headers })]
    const outcomes = Promise.allSettled(lost)
    await Bun.sleep(500)
    await killed.stop('SIGKILL')
    expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    // Sends the requests again, so that they wait for the process that was about to answer them.
    const again = [
      laterVerdictOf(() => payWith(`${alive.url}${path}`, txHash, { host })),
      laterVerdictOf(() => fetch(`${alive.url}${path}`, { headers: { ...headers, host } })),
    ]
    expect(await Promise.all(again)).toEqual(['200', '200'])
    expect(await verdictOf(await payWith(freshUrl(alive), txHash))).toBe('402 payment_already_used')
  })
}

describe('on one file', () => testTwo((name) => name))

describe.skipIf(!hasPostgres)('on one PostgreSQL', () => {
  const urls = new Map<string, string>()
  const postgres = started(startPostgres)
  beforeAll(async () => {
    for (const name of ['two', 'pair', 'inherited']) urls.set(name, postgres.makeDatabase(name))
  })
  testTwo((name) => urls.get(name) ?? '')
})

test('SIGKILL while the answer is made: after the restart the same payments buy their calls', async () => {
  const before = await chain.balanceOf(shopkeeper.address)
  const first = await startShop('killed')
  const txHash = await chain.transfer(shopkeeper.address, 10_000n)
  const headers = v1Header(await signAuthorization())
  const lost = [
    payWith(`${first.line}${freshPath('slow')}`, txHash),
    fetch(`${first.line}${freshPath('slow')}`, { headers }),
  ]
  const outcomes = Promise.allSettled(lost)
  await Bun.sleep(500)
  await first.stop('SIGKILL')
  expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  const second = await startShop('killed')
  expect(await verdictOf(await payWith(`${second.line}${freshPath()}`, txHash))).toBe('200')
  const expected = '402 payment_already_used'
  expect(await verdictOf(await payWith(`${second.line}${freshPath()}`, txHash))).toBe(expected)
  expect(await verdictOf(await fetch(`${second.line}${freshPath()}`, { headers }))).toBe('200')
  expect((await chain.balanceOf(shopkeeper.address)) - before).toBe(20_000n)
  await second.stop()
})

test('SIGKILL between broadcast and receipt: the money moves once and buys its call after the restart', async () => {
  const before = await chain.balanceOf(shopkeeper.address)
  const first = await startShop('broadcast')
  await chain.client.setAutomine(false)
  const headers = v1Header(await signAuthorization())
  const outcome = Promise.allSettled([fetch(`${first.line}${freshPath()}`, { headers })])
  while ((await chain.client.getTxpoolStatus()).pending === 0) await Bun.sleep(20)
  await first.stop('SIGKILL')
  expect((await outcome)[0]?.status).toBe('rejected')
  const second = await startShop('broadcast', { X402_SETTLE_TIMEOUT_MS: '1000' })
  const url = `${second.line}${freshPath()}`
  expect(await verdictOf(await fetch(url, { headers }))).toBe('503 settlement_pending')
  await chain.client.mine({ blocks: 1 })
  await chain.client.setAutomine(true)
  expect(await laterVerdictOf(() => fetch(url, { headers }))).toBe('200')
  const expected = '402 payment_already_used'
  expect(await verdictOf(await fetch(`${second.line}${freshPath()}`, { headers }))).toBe(expected)
  expect((await chain.balanceOf(shopkeeper.address)) - before).toBe(10_000n)
  await second.stop()
})

test.each([false, true])(
  'SIGKILL between the store and the network, the transaction having left: %p; the money moves once, and nobody is held up',
  async (hasLeft) => {
    const proxy = startRpcProxy(chain.url)
    const before = await chain.balanceOf(shopkeeper.address)
    const name = `stored-${hasLeft}`
    const first = await startChild(script, [proxy.url, pathOf(name), JSON.stringify(env)])
    const sent = Promise.withResolvers<Hex>()
    // The node has the transaction or not; its answer never comes.
    proxy.breakWith(async (method, call) => {
      if (method !== 'eth_sendRawTransaction') return undefined
      if (hasLeft) await altered(chain.url, call, (result) => result)
      sent.resolve(call.params[0] as Hex)
      return await new Promise<never>(() => {})
    })
    const headers = v1Header(await signAuthorization())
    const outcome = Promise.allSettled([fetch(`${first.line}${freshPath()}`, { headers })])
    const raw = await sent.promise
    await first.stop('SIGKILL')
    expect((await outcome)[0]?.status).toBe('rejected')
    proxy.heal()
    const [stored] = await queryTestStore<{ raw: string | null; hash: string }>(
      pathOf(name),
      'select raw_transaction as raw, tx_hash as hash from payments',
    )
    expect(stored).toEqual({ raw, hash: keccak256(raw) })
    const second = await startChild(script, [proxy.url, pathOf(name), JSON.stringify(env)])
    const other = v1Header(await signAuthorization({ signer: otherPayer }))
    expect(await laterVerdictOf(() => fetch(`${second.line}${freshPath()}`, { headers: other }))).toBe('200')
    const url = `${second.line}${freshPath()}`
    expect(await laterVerdictOf(() => fetch(url, { headers }))).toBe('200')
    const expected = '402 payment_already_used'
    expect(await verdictOf(await fetch(`${second.line}${freshPath()}`, { headers }))).toBe(expected)
    expect((await chain.balanceOf(shopkeeper.address)) - before).toBe(20_000n)
    await second.stop()
    await proxy.stop()
  },
)

test('SIGKILL after the answer was kept: the same request gets its bytes from the new process', async () => {
  const first = await startShop('kept')
  const txHash = await chain.transfer(shopkeeper.address, 10_000n)
  const path = freshPath()
  const bytes = await (await payWith(`${first.line}${path}`, txHash)).text()
  const { host } = new URL(first.line)
  await first.stop('SIGKILL')
  const second = await startShop('kept')
  const again = await fetch(`${second.line}${path}`, { headers: { 'x-payment': txHash, host } })
  expect(await again.text()).toBe(bytes)
  await second.stop()
})
