import { afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { PaymentRequiredV1Schema, PaymentRequiredV2Schema } from '@x402/core/schemas'
import { Challenge } from 'mppx'
import { getAddress } from 'viem'
import { started } from '../support/started.ts'
import { withStoppedTime } from '../support/stopped-time.ts'
import { settler, settlerEnv, shopkeeper, startAnvil, usdc } from './support/anvil.ts'
import { freshPath, freshUrl, verdictOf } from './support/pay.ts'
import { type Fault, startRpcProxy } from './support/rpc-proxy.ts'
import { openShop, type Shop } from './support/shop.ts'
import { fromBase64, signAuthorization, v1Header } from './support/sign.ts'

let bundler: string
const chain = started(startAnvil)
const proxy = started(() => startRpcProxy(chain.url))
beforeAll(async () => {
  bundler = await chain.deploy('Bundle')
})
const shop = started(() => openShop(chain.url, { env: settlerEnv }))
afterEach(() => proxy.heal())

function elsewhere(address: string) {
  return { X402_ASSET: address, X402_ASSET_NAME: 'USDC', X402_ASSET_VERSION: '2' }
}

interface Body {
  readonly accepts: readonly Record<string, unknown>[]
  readonly transfer: Record<string, unknown>
  readonly [name: string]: unknown
}

describe('the 402', () => {
  test('its body is what x402 version 1 reads, and says to people and wallets what to do', async () => {
    const url = freshUrl(shop)
    const response = await fetch(url)
    expect(response.status).toBe(402)
    expect(response.headers.get('content-type')).toStartWith('application/json')
    expect(response.headers.get('cache-control')).toBe('no-store')
    const body = (await response.json()) as Body
    expect(PaymentRequiredV1Schema.safeParse(body).success).toBe(true)
    expect(body.accepts).toEqual([
      {
        scheme: 'exact',
        network: 'base-sepolia',
        maxAmountRequired: '10000',
        resource: url,
        description: 'A card',
        mimeType: 'image/svg+xml',
        payTo: getAddress(shopkeeper.address),
        maxTimeoutSeconds: 60,
        asset: usdc,
        extra: { name: 'USDC', version: '2' },
      },
    ])
    expect(body.transfer).toMatchObject({
      method: 'erc20-transfer',
      network: 'eip155:84532',
      chainId: 84532,
      asset: usdc,
      symbol: 'USDC',
      decimals: 6,
      payTo: getAddress(shopkeeper.address),
      amount: '10000',
      amountDecimal: '0.01',
      confirmations: 1,
      maxAgeSeconds: 86_400,
    })
    expect(body['error']).toBe('payment_required')
    expect(String(body['detail']).length).toBeGreaterThan(20)
    expect(JSON.stringify(body)).not.toContain('null')
  })

  test('its header is what x402 version 2 reads', async () => {
    const url = freshUrl(shop)
    const required = fromBase64((await fetch(url)).headers.get('payment-required'))
    expect(PaymentRequiredV2Schema.safeParse(required).success).toBe(true)
    expect(required).toMatchObject({
      x402Version: 2,
      resource: { url },
      accepts: [{ scheme: 'exact', network: 'eip155:84532', amount: '10000', asset: usdc }],
      extensions: { 'payment-identifier': { info: { required: false } } },
    })
  })

  test('its challenge is what MPP clients read, and X402_MPP=off leaves it out', async () => {
    const response = await fetch(freshUrl(shop))
    const challenge = Challenge.fromResponse(response)
    expect(challenge).toMatchObject({ method: 'evm', intent: 'charge', realm: new URL(shop.url).host })
    await using without = await openShop(chain.url, { env: { ...settlerEnv, X402_MPP: 'off' } })
    expect((await fetch(freshUrl(without))).headers.has('www-authenticate')).toBe(false)
  })

  test('all its headers together stay below 4,096 bytes for the longest legal URL', async () => {
    const paths = ['', `&x=${'y'.repeat(400)}`, `&x=${'y'.repeat(14_000)}`].map((more) => freshPath() + more)
    for (const length of [560, 580, 600, 620, 640]) paths.push(`${freshPath()}&x=${'y'.repeat(length)}`)
    for (const path of paths) {
      const response = await fetch(`${shop.url}${path}`)
      expect(response.status).toBe(402)
      let bytes = 0
      response.headers.forEach((value, name) => {
        bytes += `${name}: ${value}\r\n`.length
      })
      expect(bytes).toBeLessThan(4_096)
    }
  })

  test('without anybody to settle, only transfers are offered', async () => {
    await using plain = await openShop(chain.url)
    const response = await fetch(freshUrl(plain))
    expect(((await response.json()) as Body).accepts).toEqual([])
    expect(response.headers.has('payment-required')).toBe(false)
  })
})

describe('the check at start', () => {
  /** A shop that starts while the token is configured like this. */
  async function openWhile(words: readonly unknown[], rpcUrl: string): Promise<Shop> {
    await chain.token('configure', words, shopkeeper)
    try {
      return await openShop(rpcUrl, { env: settlerEnv })
    } finally {
      await chain.token('configure', ['', '', 0], shopkeeper)
    }
  }

  test('a token of another name or domain is not advertised for signatures, and the status says why', async () => {
    const wrong = await openWhile(['Other', '2', 6], chain.url)
    const response = await fetch(freshUrl(wrong))
    expect(((await response.json()) as Body).accepts).toEqual([])
    const { problems, takesExact } = await wrong.payments.status()
    expect(takesExact).toBe(false)
    expect(problems.join(' ')).toContain('name is "Other"')
    expect(problems.join(' ')).toContain('DOMAIN_SEPARATOR')
    await wrong.close()
  })

  const misfits: Readonly<Record<string, { env: Record<string, string>; fault?: Fault; why: string }>> = {
    'other decimals': { env: { X402_ASSET_DECIMALS: '18' }, why: 'decimals is 6' },
    'no code': { env: elsewhere('0x00000000000000000000000000000000000abcde'), why: 'no contract at' },
    'no decimals at all': { env: elsewhere(''), why: 'decimals cannot be read' },
    'another chain': {
      env: {},
      fault: (method) =>
        method === 'eth_chainId' ? Response.json({ jsonrpc: '2.0', id: 1, result: '0x1' }) : undefined,
      why: 'is on chain 1',
    },
  }
  for (const [what, { env, fault, why }] of Object.entries(misfits)) {
    test(`${what}: nothing is advertised or sold, a transfer neither, and the status says why`, async () => {
      const asset = env['X402_ASSET'] === '' ? { X402_ASSET: bundler } : {}
      if (fault !== undefined) proxy.breakWith(fault)
      const all = { ...settlerEnv, ...env, ...asset }
      await using wrong = await openShop(proxy.url, { env: all })
      const url = freshUrl(wrong)
      const response = await fetch(url)
      const body = (await response.json()) as Body
      expect([response.status, body.accepts, 'transfer' in body]).toEqual([402, [], false])
      expect(['payment-required', 'www-authenticate'].filter((name) => response.headers.has(name))).toEqual(
        [],
      )
      expect(wrong.payments.canSell()).toBe(false)
      const txHash = await chain.transfer(shopkeeper.address, 10_000n)
      for (const headers of [{ 'x-payment': txHash }, v1Header(await signAuthorization())]) {
        const answer = await fetch(url, { headers })
        expect(answer.headers.get('x-payment-status')).toBe('not-charged')
        expect(await verdictOf(answer)).toBe('503 payments_unavailable')
      }
      expect((await wrong.payments.status()).problems.join(' ')).toContain(why)
    })
  }

  test('what was wrong for a moment is looked at again by the next 402, but not by each', async () => {
    const wrong = await openWhile(['', '', 18], proxy.url)
    expect(wrong.payments.canSell()).toBe(false)
    for (let accepts: readonly unknown[] = []; accepts.length === 0; await Bun.sleep(20))
      ({ accepts } = (await (await fetch(freshUrl(wrong))).json()) as Body)
    proxy.alter('eth_gasPrice', () => '0x4a817c80000')
    await wrong.payments.start()
    proxy.takeCalls()
    await withStoppedTime(async () => {
      for (let call = 0; call < 30; call += 1) await (await fetch(freshUrl(wrong))).arrayBuffer()
    })
    expect(proxy.takeCalls().filter((method) => method === 'eth_gasPrice').length).toBeLessThan(10)
    await wrong.close()
  })

  test('all is well: no problems, and what the settler has for gas', async () => {
    const status = await shop.payments.status()
    expect(status).toMatchObject({
      problems: [],
      settle: 'self',
      takesExact: true,
      settlerAddress: settler.address,
    })
    expect(status.settlerGasWei).toBeGreaterThan(0n)
  })
})

describe('every hash can be explained', () => {
  test('what it bought, why it is refused, or that it was never offered', async () => {
    const { explain } = shop.payments
    const spent = await chain.transfer(shopkeeper.address, 20_000n)
    await fetch(freshUrl(shop), { headers: { 'x-payment': spent } })
    const known = await explain(spent)
    expect(known.verdict).toBe('settled')
    expect(known.words).toContain('0.01 of 0.02 spent')
    expect(known.payments[0]?.charges).toHaveLength(1)
    expect((await explain(await chain.transfer(settler.address, 5n))).verdict).toBe('payment_wrong_recipient')
    expect((await explain(await chain.transfer(shopkeeper.address, 5n))).verdict).toBe('unspent')
    expect((await explain(`0x${'ef'.repeat(32)}`)).verdict).toBe('payment_not_found')
  })
})
