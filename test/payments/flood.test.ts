import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import { bytesToHex, concat, type Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { started } from '../support/started.ts'
import { otherPayer, payer, settlerEnv, shopkeeper, startAnvil, stranger, usdc } from './support/anvil.ts'
import { freshUrl, proofHeader, verdictOf } from './support/pay.ts'
import { startRpcProxy } from './support/rpc-proxy.ts'
import { openShop } from './support/shop.ts'
import { fromBase64, type Signed, signAuthorization, toBase64, v1Header } from './support/sign.ts'

/** Limits grow with time, so that a slow machine may ask more often: floods are tried while the clock stands still. */
let stoppedAtMs: number | undefined
const clock = { now: () => stoppedAtMs ?? Date.now() }

const chain = started(startAnvil)
const proxy = started(() => startRpcProxy(chain.url))
const shop = started(() =>
  openShop(proxy.url, { clock, env: { ...settlerEnv, X402_RPC_TIMEOUT_MS: '20000' } }),
)
beforeEach(() => void proxy.takeCalls())

/** An address that nobody has called from before. */
let clients = 0
function newClient(): string {
  clients += 1
  return `203.0.113.${clients}`
}

function call(headers: Record<string, string>, from = newClient()) {
  return fetch(freshUrl(shop), { headers: { ...headers, 'x-forwarded-for': from } })
}
function someAddress() {
  return bytesToHex(randomBytes(20))
}

/** A payment that anybody can make up without a key: somebody's address, and bytes that nobody signed. */
async function unsigned(more: Partial<Signed['authorization']> = {}): Promise<Signed> {
  const { authorization } = await signAuthorization()
  const signature = concat([bytesToHex(randomBytes(32)), `0x${'11'.repeat(32)}`, '0x1b'])
  return { signature, authorization: { ...authorization, from: someAddress(), ...more } }
}

describe('what cannot be valid asks the chain nothing', () => {
  const now = Math.floor(Date.now() / 1000)
  const rows: readonly (readonly [string, () => Promise<Signed>, string])[] = [
    ['expired', () => unsigned({ validBefore: String(now - 1) }), 'authorization_valid_before'],
    ['not yet valid', () => unsigned({ validAfter: String(now + 600) }), 'authorization_valid_after'],
    ['for less than the price', () => unsigned({ value: '9999' }), 'authorization_value'],
    ['for somebody else', () => unsigned({ to: stranger.address }), 'recipient_mismatch'],
    ['from the shop to itself', () => unsigned({ from: shopkeeper.address }), 'recipient_mismatch'],
    [
      'with one byte for a signature',
      async () => ({ ...(await unsigned()), signature: '0x01' }),
      'signature',
    ],
    [
      'with a signature of 63 bytes',
      async () => ({ ...(await unsigned()), signature: `0x${'22'.repeat(63)}` as Hex }),
      'signature',
    ],
  ]
  test.each(rows)('an unsigned authorization %s', async (_, make, word) => {
    expect(await verdictOf(await call(v1Header(await make())))).toBe(`402 invalid_exact_evm_payload_${word}`)
    expect(proxy.takeCalls()).toEqual([])
  })

  test('one for another network', async () => {
    const payload = { x402Version: 1, scheme: 'exact', network: 'base', payload: await unsigned() }
    expect(await verdictOf(await call({ 'x-payment': toBase64(payload) }))).toBe('402 invalid_network')
    expect(proxy.takeCalls()).toEqual([])
  })
})

test('an address without code is asked about once, however often it is offered', async () => {
  const from = someAddress()
  for (let turn = 0; turn < 5; turn += 1) {
    const verdict = await verdictOf(await call(v1Header(await unsigned({ from }))))
    expect(verdict).toBe('402 invalid_exact_evm_payload_signature')
  }
  expect(proxy.takeCalls().filter((method) => method === 'eth_getCode')).toHaveLength(1)
})

test('bytes that end like a wrapped signature and are none are refused, for contracts as for others', async () => {
  const signature: Hex = `0x${'ff'.repeat(64)}${'6492'.repeat(16)}`
  const signed = { ...(await unsigned({ from: usdc })), signature }
  expect(await verdictOf(await call(v1Header(signed)))).toBe('402 invalid_exact_evm_payload_signature')
})

describe('a flood of payments that are worth nothing, from one client', () => {
  beforeEach(() => {
    stoppedAtMs = Date.now()
  })
  afterEach(() => {
    stoppedAtMs = undefined
  })

  /** More than one client may ask in vain within a minute. */
  const floodCount = 400

  test('is answered, and asks the chain so often and no more; another client pays meanwhile', async () => {
    const heldBack = Promise.withResolvers<undefined>()
    proxy.breakWith((method) => (method === 'eth_getCode' && isFlooded ? heldBack.promise : undefined))
    let isFlooded = true
    const flooder = newClient()
    const flood = Array.from({ length: floodCount }, async () =>
      verdictOf(await call(v1Header(await unsigned()), flooder)),
    )
    while (!proxy.takeCalls().includes('eth_getCode')) await Bun.sleep(5)
    isFlooded = false
    // None of the flood's questions is answered before the honest payer is.
    expect(await verdictOf(await call(v1Header(await signAuthorization())))).toBe('200')
    proxy.takeCalls()
    heldBack.resolve(undefined)
    const verdicts = await Promise.all(flood)
    proxy.heal()
    expect([...new Set(verdicts)].toSorted()).toEqual(['402 invalid_exact_evm_payload_signature', '503 busy'])
    expect(proxy.takeCalls().length).toBeLessThanOrEqual(80)
    expect(await verdictOf(await call(v1Header(await unsigned()), flooder))).toBe('503 busy')
    expect(proxy.takeCalls()).toEqual([])
    // Who calls from the same address, signs and holds the money pays all the same.
    expect(
      await verdictOf(await call(v1Header(await signAuthorization({ signer: otherPayer })), flooder)),
    ).toBe('200')
    const empty = await Promise.all(
      Array.from({ length: 30 }, async () => {
        const signer = privateKeyToAccount(generatePrivateKey())
        return verdictOf(await call(v1Header(await signAuthorization({ signer })), flooder))
      }),
    )
    expect(empty).toContain('503 busy')
  })

  test('is bounded too when each is signed by a key of its own that owns nothing', async () => {
    const flooder = newClient()
    const flood = Array.from({ length: 150 }, async () => {
      const signer = privateKeyToAccount(generatePrivateKey())
      return verdictOf(await call(v1Header(await signAuthorization({ signer })), flooder))
    })
    const verdicts = await Promise.all(flood)
    expect([...new Set(verdicts)].toSorted()).toEqual(['402 insufficient_funds', '503 busy'])
    // Balance, nonce, a trial run and code for each; what gas costs is shared.
    const askedFor = proxy.takeCalls().filter((method) => method === 'eth_getCode').length
    expect(askedFor).toBeLessThanOrEqual(70)
    expect(await verdictOf(await call(v1Header(await signAuthorization()), newClient()))).toBe('200')
  })

  test('is bounded for proofs of contracts as well', async () => {
    const flooder = newClient()
    const wallet = await chain.deploy('Wallet', [payer.address])
    await chain.token('mint', [wallet, 10_000n], payer)
    const paid = await call(v1Header(await signAuthorization({ from: wallet })))
    const hash = String(fromBase64(paid.headers.get('x-payment-response'))['transaction'])
    expect(await verdictOf(paid)).toBe('200')
    proxy.takeCalls()
    const flood = Array.from({ length: 150 }, async () => {
      const proof = `t=${Math.floor(Date.now() / 1000)}, sig=${bytesToHex(randomBytes(65))}`
      return verdictOf(await call({ 'x-payment': hash, 'x-payment-proof': proof }, flooder))
    })
    const verdicts = await Promise.all(flood)
    expect([...new Set(verdicts)].toSorted()).toEqual(['402 invalid_proof', '503 busy'])
    expect(proxy.takeCalls().length).toBeLessThanOrEqual(80)
  })

  test('costs nobody anything where the chain need not be asked: no limit counts it', async () => {
    const flooder = newClient()
    const from = someAddress()
    async function offer() {
      return verdictOf(await call(v1Header(await unsigned({ from })), flooder))
    }
    for (let turn = 0; turn < 100; turn += 1) {
      expect(await offer()).toBe('402 invalid_exact_evm_payload_signature')
    }
    expect(proxy.takeCalls().filter((method) => method === 'eth_getCode').length).toBeLessThan(20)
  })
})

describe('credit that was seen on the chain a moment ago', () => {
  async function credit(amount: bigint) {
    const txHash = await chain.transfer(shopkeeper.address, amount)
    async function draw(url: string, issuedSeconds = Math.floor(Date.now() / 1000)) {
      const proof = await proofHeader({ url, txHash, signer: payer, issuedSeconds })
      return verdictOf(await fetch(url, { headers: { 'x-payment': txHash, 'x-payment-proof': proof } }))
    }
    return draw
  }

  test('a proof that was answered is answered again without a question to the chain', async () => {
    const draw = await credit(30_000n)
    const url = freshUrl(shop)
    const issued = Math.floor(Date.now() / 1000)
    expect(await draw(url, issued)).toBe('200')
    proxy.takeCalls()
    for (let turn = 0; turn < 20; turn += 1) expect(await draw(url, issued)).toBe('200')
    expect(proxy.takeCalls().filter((method) => method === 'eth_getTransactionReceipt')).toEqual([])
  })

  test('many proofs at once share the questions whether it is still there', async () => {
    const draw = await credit(200_000n)
    expect(await draw(freshUrl(shop))).toBe('200')
    proxy.takeCalls()
    proxy.breakWith(() => Bun.sleep(300).then(() => undefined))
    const verdicts = await Promise.all(Array.from({ length: 40 }, () => draw(freshUrl(shop))))
    proxy.heal()
    expect(verdicts.filter((verdict) => verdict === '200').length).toBe(19)
    expect(
      proxy.takeCalls().filter((method) => method === 'eth_getTransactionReceipt').length,
    ).toBeLessThanOrEqual(10)
  })
})

test('an honest client may pay as often as it likes', async () => {
  const client = newClient()
  const verdicts: string[] = []
  for (let round = 0; round < 8; round += 1) {
    const signed = await Promise.all(Array.from({ length: 10 }, () => signAuthorization()))
    verdicts.push(
      ...(await Promise.all(signed.map(async (each) => verdictOf(await call(v1Header(each), client))))),
    )
  }
  expect(new Set(verdicts)).toEqual(new Set(['200']))
})
