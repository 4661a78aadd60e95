import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Hex, parseTransaction } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { type Chain, keyOf, payer, settler, shopkeeper, startAnvil } from '../payments/support/anvil.ts'
import { signAuthorization, v1Header } from '../payments/support/authorize.ts'
import { freshPath, laterVerdictOf, payWith } from '../payments/support/pay.ts'
import { altered, startRpcProxy } from '../payments/support/rpc-proxy.ts'
import { walletEnv } from '../payments/support/wallet-env.ts'
import { hasPostgres, startPostgres, type TestPostgres } from '../support/postgres.ts'
import { type Servers, startServers } from './support/servers.ts'

const price = 10_000n

describe.skipIf(!hasPostgres)('payments to servers that share PostgreSQL', () => {
  let postgres: TestPostgres
  let chain: Chain
  let rpc: ReturnType<typeof startRpcProxy>
  let servers: Servers
  beforeAll(async () => {
    ;[postgres, chain] = await Promise.all([startPostgres(), startAnvil()])
    rpc = startRpcProxy(chain.url)
    const url = postgres.makeDatabase('payments')
    servers = await startServers({
      databaseUrls: [url, url, url],
      env: {
        ...walletEnv(rpc.url),
        X402_SETTLER_KEY: keyOf(settler),
        X402_POLL_MS: '50',
        X402_WAIT_MS: '1000',
      },
    })
  })
  afterAll(async () => {
    await servers?.close()
    await rpc?.stop()
    await chain?.stop()
    await postgres?.close()
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
