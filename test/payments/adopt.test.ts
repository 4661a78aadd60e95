import { afterEach, describe, expect, test } from 'bun:test'
import { evm, Mppx } from 'mppx/client'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { started } from '../support/started.ts'
import { sampleOf } from '../support/test-size.ts'
import { payer, settler, settlerEnv, startAnvil } from './support/anvil.ts'
import { carrying, openBundler } from './support/bundle.ts'
import { freshPath, freshUrl, proofHeader, verdictOf } from './support/pay.ts'
import { altered, type Fault, startRpcProxy } from './support/rpc-proxy.ts'
import { openShop, type Shop } from './support/shop.ts'
import { fromBase64, type SignOptions, signAuthorization, v1Header } from './support/sign.ts'

/** How far the shop's clock is ahead, so that what is signed now has expired for it. */
let laterMs = 0
const clock = { now: () => Date.now() + laterMs }
const chain = started(startAnvil)
const bundler = started(() => openBundler(chain))
const proxy = started(() => startRpcProxy(chain.url))
const facilitator = started(() => Bun.serve({ port: 0, fetch: () => new Response(null, { status: 502 }) }))
afterEach(async () => {
  proxy.heal()
  laterMs = 0
  await chain.calm()
})

function open(more: Parameters<typeof openShop>[1] = {}) {
  return openShop(proxy.url, { clock, ...more, env: { ...settlerEnv, ...more.env } })
}

function settlerOf(shop: Shop) {
  return async (url: string, headers: Record<string, string>) =>
    verdictOf(await fetch(`${shop.url}${url}`, { headers }))
}

const gasIsDear: Fault = (method, call) =>
  method === 'eth_gasPrice' ? altered(chain.url, call, () => '0x4a817c80000') : undefined
const noNonce: Fault = (method) =>
  method === 'eth_getTransactionCount' ? new Response(null, { status: 502 }) : undefined

/** Faults that keep us from settling, each by itself. */
const inabilities: Readonly<Record<string, { start(): unknown; env?: () => Record<string, string> }>> = {
  'gas is too dear': { start: () => proxy.breakWith(gasIsDear) },
  'the settler is empty': { start: () => chain.client.setBalance({ address: settler.address, value: 0n }) },
  'the settler’s nonce cannot be read': { start: () => proxy.breakWith(noNonce) },
  'the facilitator is down': {
    start: () => undefined,
    env: () => ({ X402_SETTLE: 'facilitator', X402_FACILITATOR_URL: `http://127.0.0.1:${facilitator.port}` }),
  },
}

/** An authorization that expires in five minutes, as its header and as what carries it to the chain. */
async function sign(options: SignOptions = {}) {
  const signed = await signAuthorization({ validBefore: Math.floor(Date.now() / 1000) + 300, ...options })
  return { signed, headers: v1Header(signed), carry: () => bundler.run([carrying(signed)]) }
}

function expire(): void {
  laterMs = 600_000
}

describe.each(sampleOf(Object.entries(inabilities), 3))('while %s', (_, { start, env }) => {
  test('what somebody else carried to the chain is adopted, before and after it expires', async () => {
    await using shop = await open({ env: env?.() ?? {} })
    const [now, late] = [await sign(), await sign()]
    await bundler.run([carrying(now.signed), carrying(late.signed)])
    await start()
    const send = settlerOf(shop)
    expect(await send(freshPath(), now.headers)).toBe('200')
    expire()
    expect(await send(freshPath(), late.headers)).toBe('200')
  })

  test('what was shown, then carried away, then expired buys the request that showed it, after a restart too', async () => {
    await using first = await open({ env: env?.() ?? {} })
    const shown = await sign()
    const [path, other] = [freshPath(), freshPath()]
    await start()
    expect(await settlerOf(first)(path, shown.headers)).toMatch(
      /^503 (payments_unavailable|settlement_pending)$/,
    )
    const txHash = await shown.carry()
    expire()
    // Uses the host of the first shop, so that it is one request for both.
    const { host } = new URL(first.url)
    first.payments.stop()
    await using second = await open({ env: env?.() ?? {}, path: first.path })
    const send = settlerOf(second)
    for (let tries = 0; tries < 3; tries += 1)
      expect(await send(other, { ...shown.headers, host })).toBe('402 payment_bound_to_other_request')
    const answer = await fetch(`${second.url}${path}`, { headers: { ...shown.headers, host } })
    expect(answer.status).toBe(200)
    expect(fromBase64(answer.headers.get('x-payment-response'))['transaction']).toBe(txHash)
    expect(await send(other, { ...shown.headers, host })).toBe('402 payment_already_used')
  })
})

describe('an authorization that is first shown when it is on chain', () => {
  const shop = started(open)
  const dear = started(() => open({ priceMicros: 6_000_000, env: { X402_CONFIRMATIONS_HIGH: '1' } }))

  test('buys one call, as a bare hash does', async () => {
    const late = await sign()
    await late.carry()
    expire()
    const send = settlerOf(shop)
    const verdicts = await Promise.all(Array.from({ length: 5 }, () => send(freshPath(), late.headers)))
    expect(verdicts.toSorted()).toEqual(['200', ...new Array(4).fill('402 payment_already_used')])
  })

  test('buys nothing that needs a proof, which its payer alone can give; expired or not', async () => {
    for (const isLate of [false, true]) {
      const value = 6_000_000n
      const late = await sign({ value })
      const txHash = await late.carry()
      if (isLate) expire()
      for (let tries = 0; tries < 3; tries += 1)
        expect(await settlerOf(dear)(freshPath(), late.headers)).toBe('402 proof_required')
      const path = freshPath()
      const url = `${dear.url}${path}`
      const issuedSeconds = Math.floor(clock.now() / 1000)
      const proof = await proofHeader({ url, txHash, signer: payer, issuedSeconds })
      expect(await settlerOf(dear)(path, { 'x-payment': txHash, 'x-payment-proof': proof })).toBe('200')
    }
  })

  test('buys nothing where it is too old, and costs no request to the chain', async () => {
    await using old = await open({ env: { X402_MAX_AGE_SECONDS: '700' } })
    const late = await sign()
    await late.carry()
    laterMs = 800_000
    expect(await settlerOf(old)(freshPath(), late.headers)).toBe('402 payment_too_old')
    laterMs = 2_000_000
    proxy.takeCalls()
    const expired = '402 invalid_exact_evm_payload_authorization_valid_before'
    expect(await settlerOf(old)(freshPath(), (await sign()).headers)).toBe(expired)
    expect(proxy.takeCalls()).toEqual([])
  })

  test('and that was never used is expired', async () => {
    const unused = await sign()
    expire()
    const expired = '402 invalid_exact_evm_payload_authorization_valid_before'
    expect(await settlerOf(shop)(freshPath(), unused.headers)).toBe(expired)
  })
})

test('what was settled while nobody waited is for the request that showed it, once it has expired', async () => {
  await using shop = await open()
  const send = settlerOf(shop)
  const [path, late] = [freshPath(), await sign()]
  await chain.client.setAutomine(false)
  expect(await shop.hurried(() => send(path, late.headers))).toBe('503 settlement_pending')
  await chain.client.mine({ blocks: 1 })
  await chain.client.setAutomine(true)
  await shop.payments.reconcile()
  expire()
  for (let tries = 0; tries < 2; tries += 1)
    expect(await send(freshPath(), late.headers)).toBe('402 payment_bound_to_other_request')
  expect(await send(path, late.headers)).toBe('200')
  expect(await send(freshPath(), late.headers)).toBe('402 payment_already_used')
})

test('money whose block the node does not have is neither too old nor here: 503, and it buys its call later', async () => {
  await using shop = await open()
  const carried = await sign()
  await carried.carry()
  proxy.breakWith((method, { id, params }) =>
    method === 'eth_getBlockByNumber' && params[0] !== 'latest'
      ? Response.json({ jsonrpc: '2.0', id, result: null })
      : undefined,
  )
  const [send, path] = [settlerOf(shop), freshPath()]
  expect(await send(path, carried.headers)).toBe('503 payments_unavailable')
  proxy.heal()
  expect(await send(path, carried.headers)).toBe('200')
})

test('a wallet without the money leaves no trace while nothing can be settled', async () => {
  await using shop = await open()
  proxy.breakWith(gasIsDear)
  const signer = privateKeyToAccount(generatePrivateKey())
  const poor = await sign({ signer })
  expect(await settlerOf(shop)(freshPath(), poor.headers)).toBe('402 insufficient_funds')
  expect(await shop.store.paymentList.ofPayer(signer.address.toLowerCase(), 1)).toEqual([])
})

test('an MPP credential fetches what it bought after its challenge has ended, and buys nothing new', async () => {
  await using shop = await open()
  const sent: Headers[] = []
  function listening(...call: Parameters<typeof fetch>) {
    sent.push(new Request(...call).headers)
    return fetch(...call)
  }
  const methods = [evm.charge({ account: payer, authorization: { name: 'USDC', version: '2' } })]
  const url = freshUrl(shop)
  const client = Mppx.create({ polyfill: false, methods, fetch: listening as typeof fetch })
  const card = await client.fetch(url)
  const authorization = sent.at(-1)?.get('authorization') ?? ''
  expect([card.status, authorization.slice(0, 8)]).toEqual([200, 'Payment '])
  // Longer than a challenge may be answered, and shorter than an answer is kept.
  laterMs = 400_000
  const again = await fetch(url, { headers: { authorization } })
  expect([again.status, await again.text()]).toEqual([200, await card.text()])
  laterMs = 1_200_000
  expect(await verdictOf(await fetch(url, { headers: { authorization } }))).toBe('402 payment_already_used')
})
