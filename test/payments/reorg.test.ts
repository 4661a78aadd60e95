import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { encodeFunctionData, type Hex, keccak256, parseAbi } from 'viem'
import { movableClock } from '../store/clock.ts'
import { started } from '../support/started.ts'
import { chainId, settlerEnv as env, payer, shopkeeper, startAnvil, usdc } from './support/anvil.ts'
import { carry } from './support/bundle.ts'
import { freshUrl, laterVerdictOf, payWith, proofHeader, verdictOf } from './support/pay.ts'
import { startRpcProxy } from './support/rpc-proxy.ts'
import { openShop, type Shop } from './support/shop.ts'
import { type Signed, signAuthorization, v1Header } from './support/sign.ts'

let shop: Shop
const chain = started(startAnvil)
const proxy = started(() => startRpcProxy(chain.url))
beforeEach(async () => {
  shop = await openShop(proxy.url, { env })
})
afterEach(async () => {
  proxy.heal()
  await shop.close()
  await chain.calm()
})

const amount = 30_000n
async function draw(txHash: string, at = shop): Promise<string> {
  const url = freshUrl(at)
  const proof = await proofHeader({ url, txHash, signer: payer })
  return verdictOf(await payWith(url, txHash, { 'x-payment-proof': proof }))
}

async function stateOf(txHash: string, at = shop) {
  return (await at.store.payments.byTransaction(chainId, txHash))[0]?.state
}

/** Nodes that lag know nothing of the newest transactions. */
function forget(...methods: readonly string[]) {
  proxy.breakWith((method) =>
    methods.includes(method) ? Response.json({ jsonrpc: '2.0', id: 1, result: null }) : undefined,
  )
}

/** A transfer whose bytes are kept, so that it can be sent again with the same hash. */
async function signTransfer(): Promise<{ raw: Hex; txHash: Hex }> {
  const raw = await payer.signTransaction({
    type: 'eip1559',
    chainId,
    to: usdc,
    data: encodeFunctionData({
      abi: parseAbi(['function transfer(address to, uint256 value)']),
      args: [shopkeeper.address, amount],
    }),
    gas: 200_000n,
    maxFeePerGas: 10n ** 10n,
    maxPriorityFeePerGas: 1n,
    nonce: await chain.client.getTransactionCount({ address: payer.address }),
  })
  return { raw, txHash: keccak256(raw) }
}

async function send(raw: Hex): Promise<void> {
  await chain.client.sendRawTransaction({ serializedTransaction: raw })
  await chain.mined(keccak256(raw))
}

describe('credit', () => {
  test('is not lost by one answer of a node that knows nothing of it', async () => {
    const txHash = await chain.transfer(shopkeeper.address, amount)
    expect(await draw(txHash)).toBe('200')
    for (const methods of [
      ['eth_getTransactionReceipt'],
      ['eth_getTransactionReceipt', 'eth_getTransactionByHash'],
      ['eth_getTransactionReceipt', 'eth_getTransactionByHash', 'eth_getBlockByNumber'],
    ]) {
      forget(...methods)
      expect(await draw(txHash)).toBe('503 payments_unavailable')
      expect(await stateOf(txHash)).toBe('settled')
    }
    proxy.heal()
    expect(await draw(txHash)).toBe('200')
  })

  test('is not lost while one of two nodes that have to agree does not know it', async () => {
    await using careful = await openShop(`${proxy.url},${chain.url}`, {
      env: { ...env, X402_RPC_QUORUM: '2' },
    })
    const txHash = await chain.transfer(shopkeeper.address, amount)
    expect(await draw(txHash, careful)).toBe('200')
    forget('eth_getTransactionReceipt', 'eth_getTransactionByHash')
    expect(await draw(txHash, careful)).toBe('503 payments_unavailable')
    proxy.heal()
    expect(await draw(txHash, careful)).toBe('200')
  })

  test('goes with its block and comes back with its hash in another one', async () => {
    const before = await chain.client.snapshot()
    const { raw, txHash } = await signTransfer()
    await send(raw)
    expect(await draw(txHash)).toBe('200')
    await chain.rewind(before)
    await chain.client.mine({ blocks: 2 })
    expect(await draw(txHash)).toBe('402 payment_reorged')
    expect(await stateOf(txHash)).toBe('reorged')
    await send(raw)
    expect(await draw(txHash)).toBe('200')
    expect(await stateOf(txHash)).toBe('settled')
    expect(await draw(txHash)).toBe('200')
    expect(await draw(txHash)).toBe('402 payment_already_used')
  })

  test('that came back is found without being shown', async () => {
    const before = await chain.client.snapshot()
    const { raw, txHash } = await signTransfer()
    await send(raw)
    expect(await draw(txHash)).toBe('200')
    await chain.rewind(before)
    await chain.client.mine({ blocks: 2 })
    const [{ id = '' } = {}] = await shop.store.payments.byTransaction(chainId, txHash)
    await shop.payments.recheck(id)
    expect(await stateOf(txHash)).toBe('reorged')
    await shop.payments.reconcile()
    expect(await stateOf(txHash)).toBe('reorged')
    await send(raw)
    await shop.payments.reconcile()
    expect(await stateOf(txHash)).toBe('settled')
    expect((await shop.store.paymentList.days(0, 99_999)).at(-1)).toMatchObject({
      amountMicros: Number(amount),
    })
  })

  test('moves with its transaction into another block unseen', async () => {
    const before = await chain.client.snapshot()
    const { raw, txHash } = await signTransfer()
    await send(raw)
    expect(await draw(txHash)).toBe('200')
    const [first] = await shop.store.payments.byTransaction(chainId, txHash)
    await chain.rewind(before)
    await chain.client.mine({ blocks: 2 })
    await send(raw)
    expect(await draw(txHash)).toBe('200')
    const [now] = await shop.store.payments.byTransaction(chainId, txHash)
    expect(now).toMatchObject({ state: 'settled', spentMicros: 20_000 })
    expect(now?.blockHash).not.toBe(first?.blockHash)
  })
})

describe('a bare hash', () => {
  test('that was seen and has bought nothing is looked at again before it does', async () => {
    const before = await chain.client.snapshot()
    const txHash = await chain.transfer(shopkeeper.address, amount)
    expect((await payWith(freshUrl(shop, 'fail'), txHash)).status).toBe(500)
    await chain.rewind(before)
    await chain.client.mine({ blocks: 2 })
    expect(await verdictOf(await payWith(freshUrl(shop), txHash))).toBe('402 payment_reorged')
  })

  test('that was taken for something cheap needs its confirmations for something dear', async () => {
    await using dear = await openShop(proxy.url, { path: shop.path, priceMicros: 1_000_000 })
    const txHash = await chain.transfer(shopkeeper.address, 1_000_000n)
    expect((await payWith(freshUrl(shop, 'fail'), txHash)).status).toBe(500)
    expect(await verdictOf(await payWith(freshUrl(dear), txHash))).toBe('402 payment_unconfirmed')
    await chain.client.mine({ blocks: 2 })
    expect(await verdictOf(await payWith(freshUrl(dear), txHash))).toBe('200')
  })

  test('that a node forgets while it is waited for is unknown, not dropped', async () => {
    await using careful = await openShop(proxy.url, {
      env: { X402_CONFIRMATIONS: '3', X402_WAIT_MS: '20000' },
    })
    const txHash = await chain.transfer(shopkeeper.address, amount)
    const seen = proxy.isWaitedFor()
    const waiting = payWith(freshUrl(careful), txHash)
    await seen
    forget('eth_getTransactionReceipt', 'eth_getTransactionByHash')
    const isReadAgain = proxy.isWaitedFor()
    await chain.client.mine({ blocks: 3 })
    await isReadAgain
    // Ends the wait for a block that follows those, as its time would.
    careful.payments.stop()
    expect(await verdictOf(await waiting)).toBe('503 payments_unavailable')
    proxy.heal()
    expect(await verdictOf(await payWith(freshUrl(careful), txHash))).toBe('200')
  })
})

describe('an authorization', () => {
  function offer(signed: Signed, at = shop) {
    return fetch(freshUrl(at), { headers: v1Header(signed) })
  }

  test('that somebody carried is unknown while the node lacks its log or its receipt, never refused', async () => {
    for (const [method, result] of [
      ['eth_getLogs', []],
      ['eth_getTransactionReceipt', null],
    ] as const) {
      const signed = await signAuthorization()
      await carry(chain, signed)
      proxy.breakAt(method, () => Response.json({ jsonrpc: '2.0', id: 1, result }))
      expect(await verdictOf(await offer(signed))).toBe('503 settlement_pending')
      proxy.heal()
      expect(await laterVerdictOf(() => offer(signed))).toBe('200')
    }
  })

  test('that waits in somebody’s transaction is unknown until that is mined, and then paid', async () => {
    const signed = await signAuthorization()
    await chain.client.setAutomine(false)
    try {
      await carry(chain, signed)
      expect(await shop.hurried(async () => verdictOf(await offer(signed)))).toBe('503 settlement_pending')
    } finally {
      await chain.client.mine({ blocks: 1 })
      await chain.client.setAutomine(true)
    }
    expect(await laterVerdictOf(() => offer(signed))).toBe('200')
  })

  test('that somebody carried waits for as many confirmations as its amount needs', async () => {
    await using dear = await openShop(proxy.url, { env, priceMicros: 1_000_000 })
    const signed = await signAuthorization({ value: 1_000_000n })
    await carry(chain, signed)
    const expected = '503 settlement_pending'
    expect(await dear.hurried(async () => verdictOf(await offer(signed, dear)))).toBe(expected)
    await chain.client.mine({ blocks: 2 })
    expect(await verdictOf(await offer(signed, dear))).toBe('200')
  })

  test('is not held to have expired by our clock alone', async () => {
    const clock = movableClock(Date.now())
    await using late = await openShop(proxy.url, { env, clock })
    const signed = await signAuthorization()
    await chain.client.setAutomine(false)
    try {
      const expected = '503 settlement_pending'
      expect(await late.hurried(async () => verdictOf(await offer(signed, late)))).toBe(expected)
      clock.nowMs += 600_000
      await late.payments.reconcile()
      expect(await late.store.payments.open()).toHaveLength(1)
    } finally {
      await chain.client.mine({ blocks: 1 })
      await chain.client.setAutomine(true)
    }
    await late.payments.reconcile()
    expect(await late.store.payments.open()).toHaveLength(0)
    expect(await late.store.paymentList.newest('settled', 9)).toHaveLength(1)
  })

  test('whose time has passed on the chain as well has failed', async () => {
    const clock = movableClock(Date.now())
    const late = await openShop(proxy.url, { env, clock })
    const before = await chain.client.snapshot()
    proxy.breakAt('eth_sendRawTransaction', () => new Response('oops', { status: 502 }))
    const signed = await signAuthorization()
    expect((await offer(signed, late)).status).toBe(503)
    proxy.heal()
    clock.nowMs += 600_000
    await chain.client.increaseTime({ seconds: 600 })
    await chain.client.mine({ blocks: 1 })
    await late.payments.reconcile()
    expect(await late.store.paymentList.newest('failed', 9)).toHaveLength(1)
    await late.close()
    await chain.rewind(before)
  })
})
