import { afterEach, describe, expect, test } from 'bun:test'
import { concat, encodeFunctionData, type Hex, parseAbi, parseEther } from 'viem'
import { movableClock } from '../store/clock.ts'
import { started } from '../support/started.ts'
import { accounts, otherPayer, payer, shopkeeper, startAnvil, stranger, usdc } from './support/anvil.ts'
import { errorOf, freshPath, freshUrl, payWith, verdictOf } from './support/pay.ts'
import { startRpcProxy } from './support/rpc-proxy.ts'
import { openShop } from './support/shop.ts'

const chain = started(startAnvil)
const proxy = started(() => startRpcProxy(chain.url))
const shop = started(() => openShop(chain.url))
afterEach(() => chain.calm())

const price = 10_000n
function pay(txHash: string, path = freshPath()) {
  return payWith(`${shop.url}${path}`, txHash)
}

describe('the flow', () => {
  test('402, a transfer of the stated amount, the same request with its hash, the card', async () => {
    const url = freshUrl(shop)
    const required = await fetch(url)
    expect(required.status).toBe(402)
    const { transfer } = (await required.json()) as { transfer: { payTo: Hex; amount: string; asset: Hex } }
    expect(transfer.asset).toBe(usdc)
    const txHash = await chain.transfer(transfer.payTo, BigInt(transfer.amount))
    const paid = await payWith(url, txHash)
    expect(paid.status).toBe(200)
    expect(await paid.text()).toStartWith('<svg')
    expect(paid.headers.get('cache-control')).toStartWith('private')
    expect(paid.headers.get('x-auth-mode')).toBe('payment')
    expect(paid.headers.get('x-payment-response')).toBeTruthy()
  })

  test('a wrong parameter is named before any money is looked at, and the payment stays good', async () => {
    const txHash = await chain.transfer(shopkeeper.address, price)
    const wrong = await payWith(`${shop.url}/api/og?title=&theme=nope`, txHash)
    expect(wrong.status).toBe(400)
    expect(await verdictOf(await pay(txHash))).toBe('200')
  })

  test('HEAD costs nothing', async () => {
    const txHash = await chain.transfer(shopkeeper.address, price)
    await fetch(freshUrl(shop), { method: 'HEAD', headers: { 'x-payment': txHash } })
    expect(await verdictOf(await pay(txHash))).toBe('200')
  })
})

describe('a hash buys one call', () => {
  test('a spent hash buys nothing else', async () => {
    const txHash = await chain.transfer(shopkeeper.address, price)
    expect(await verdictOf(await pay(txHash))).toBe('200')
    expect(await verdictOf(await pay(txHash))).toBe('402 payment_already_used')
  })

  test('the same request gets the same bytes again, free', async () => {
    const txHash = await chain.transfer(shopkeeper.address, price)
    const path = freshPath()
    const first = await pay(txHash, path)
    const bytes = await first.text()
    const { makes } = shop.counts
    const again = await pay(txHash, path)
    expect(again.status).toBe(200)
    expect(await again.text()).toBe(bytes)
    expect(again.headers.get('content-type')).toBe(first.headers.get('content-type'))
    expect(shop.counts.makes).toBe(makes)
  })

  test('twenty calls at once with one hash on twenty URLs: exactly one is answered', async () => {
    const txHash = await chain.transfer(shopkeeper.address, price)
    const verdicts = await Promise.all(Array.from({ length: 20 }, async () => verdictOf(await pay(txHash))))
    expect(verdicts.filter((verdict) => verdict === '200')).toHaveLength(1)
    expect(verdicts.filter((verdict) => verdict === '402 payment_already_used')).toHaveLength(19)
  })

  test('twenty calls at once for one URL: one is made, all are answered with its bytes', async () => {
    const txHash = await chain.transfer(shopkeeper.address, price)
    const path = freshPath()
    const { makes } = shop.counts
    const bodies = await Promise.all(Array.from({ length: 20 }, async () => (await pay(txHash, path)).text()))
    expect(new Set(bodies).size).toBe(1)
    expect(bodies[0]).toStartWith('<svg')
    expect(shop.counts.makes).toBe(makes + 1)
  })

  test('the case of a hash makes no other payment of it', async () => {
    const txHash = await chain.transfer(shopkeeper.address, price)
    const upper = `0x${txHash.slice(2).toUpperCase()}`
    expect(await verdictOf(await pay(upper))).toBe('200')
    expect(await verdictOf(await pay(txHash))).toBe('402 payment_already_used')
  })

  test('a call that cannot be made leaves the payment usable', async () => {
    const txHash = await chain.transfer(shopkeeper.address, price)
    expect((await pay(txHash, freshPath('fail'))).status).toBe(500)
    expect(await verdictOf(await pay(txHash))).toBe('200')
  })
})

describe('what a transaction must have done', () => {
  /** Every row: how to send it, and the word for it. */
  const refused: readonly (readonly [string, () => Promise<Hex>, string])[] = [
    ['one unit short', () => chain.transfer(shopkeeper.address, price - 1n), 'payment_insufficient'],
    ['a transfer of nothing', () => chain.transfer(shopkeeper.address, 0n), 'payment_insufficient'],
    ['paid to somebody else', () => chain.transfer(stranger.address, price), 'payment_wrong_recipient'],
    [
      'a transfer to itself',
      () => chain.transfer(shopkeeper.address, price, shopkeeper),
      'payment_no_transfer',
    ],
    ['an approval', () => chain.token('approve', [shopkeeper.address, price], payer), 'payment_no_transfer'],
    [
      'plain ether',
      async () => {
        const value = parseEther('1')
        const hash = await chain.client.sendTransaction({ account: payer, to: shopkeeper.address, value })
        await chain.mined(hash)
        return hash
      },
      'payment_no_transfer',
    ],
    [
      'another token',
      async () => {
        const other = await chain.deploy('Token')
        await chain.write(other, 'Token', 'mint', [payer.address, price], payer)
        return await chain.write(other, 'Token', 'transfer', [shopkeeper.address, price], payer)
      },
      'payment_wrong_asset',
    ],
    [
      'logs that only look like a transfer',
      async () => {
        const script = await chain.deploy('Script')
        const args = [payer.address, shopkeeper.address, price]
        return await chain.write(script, 'Script', 'pretend', args, payer)
      },
      'payment_wrong_asset',
    ],
    [
      'a transfer that reverted',
      () => chain.transfer(shopkeeper.address, 10n ** 30n, payer, { gas: 200_000n }),
      'payment_tx_failed',
    ],
  ]
  for (const [name, send, reason] of refused) {
    test(`${name} is ${reason}`, async () => {
      expect(await verdictOf(await pay(await send()))).toBe(`402 ${reason}`)
    })
  }

  test('several transfers in one transaction are added up', async () => {
    const script = await chain.deploy('Script')
    await chain.token('approve', [script, price], payer)
    const txHash = await chain.write(
      script,
      'Script',
      'transferTwice',
      [usdc, shopkeeper.address, 4_000n, 6_000n],
      payer,
    )
    expect(await verdictOf(await pay(txHash))).toBe('200')
  })

  test('transferFrom pays, and belongs to whom the money was taken from', async () => {
    await chain.token('approve', [stranger.address, price], payer)
    const txHash = await chain.token('transferFrom', [payer.address, shopkeeper.address, price], stranger)
    expect(await verdictOf(await pay(txHash))).toBe('200')
    const [row] = await shop.store.payments.byTransaction(84532, txHash)
    expect(row?.payer).toBe(payer.address.toLowerCase())
  })

  test('a fee on the way counts: only what arrived is money', async () => {
    await chain.token('setFeePercent', [10n], payer)
    const sent: Hex[] = []
    try {
      for (const value of [price, 12_000n]) sent.push(await chain.transfer(shopkeeper.address, value))
    } finally {
      await chain.token('setFeePercent', [0n], payer)
    }
    const [short = '', enough = ''] = sent
    expect(await verdictOf(await pay(short))).toBe('402 payment_insufficient')
    expect(await verdictOf(await pay(enough))).toBe('200')
  })

  test('a hash of another chain is not found here', async () => {
    expect(await verdictOf(await pay(`0x${'ab'.repeat(32)}`))).toBe('402 payment_not_found')
  })

  test('what is no hash and no payload is said to be so', async () => {
    for (const header of ['0x12', 'ab'.repeat(32), 'hello', `0x${'zz'.repeat(32)}`]) {
      expect(await verdictOf(await pay(header))).toBe('402 invalid_tx_hash')
    }
  })
})

describe('time', () => {
  test('a transfer older than the maximum age is too old', async () => {
    const clock = movableClock(Date.now())
    await using late = await openShop(chain.url, { clock, env: { X402_MAX_AGE_SECONDS: '600' } })
    const txHash = await chain.transfer(shopkeeper.address, price)
    clock.nowMs += 1_200_000
    expect(await verdictOf(await payWith(freshUrl(late), txHash))).toBe('402 payment_too_old')
  })

  test('a transfer from before the first start is too old', async () => {
    const txHash = await chain.transfer(shopkeeper.address, price)
    await using young = await openShop(chain.url, { clock: movableClock(Date.now() + 100_000) })
    expect(await verdictOf(await payWith(freshUrl(young), txHash))).toBe('402 payment_too_old')
  })
})

test('after the replay window the answer is forgotten, and the hash stays spent', async () => {
  const clock = movableClock(Date.now())
  await using shop = await openShop(chain.url, { clock })
  const txHash = await chain.transfer(shopkeeper.address, price)
  const url = freshUrl(shop)
  expect(await verdictOf(await payWith(url, txHash))).toBe('200')
  clock.nowMs += 601_000
  expect(await verdictOf(await payWith(url, txHash))).toBe('402 payment_already_used')
  await shop.payments.start()
  const [row] = await shop.store.payments.byTransaction(84532, txHash)
  const [charge] = await shop.store.charges.byPayment(row?.id ?? '')
  const kept = await shop.store.charges.byId(charge?.id ?? '')
  expect(kept).toMatchObject({ state: 'done', responseHead: null, responseBody: null })
})

test('an answer whose payer had gone is kept for its return, and the replay window begins then', async () => {
  const clock = movableClock(Date.now())
  await using shop = await openShop(chain.url, { clock })
  const txHash = await chain.transfer(shopkeeper.address, price)
  const url = freshUrl(shop)
  const { promise, resolve: finish } = Promise.withResolvers<void>()
  shop.gate.wait = promise
  const client = new AbortController()
  const gone = fetch(url, { headers: { 'x-payment': txHash }, signal: client.signal }).catch(() => 'gone')
  while (shop.counts.makes === 0) await Bun.sleep(5)
  client.abort()
  expect(await gone).toBe('gone')
  // A later connection is read after the end of this one.
  for (let turns = 0; turns < 3; turns++) await (await fetch(`${shop.url}/nothing`)).text()
  finish()
  async function charge() {
    const [row] = await shop.store.payments.byTransaction(84532, txHash)
    return (await shop.store.charges.byPayment(row?.id ?? ''))[0]
  }
  while ((await charge())?.state !== 'done') await Bun.sleep(5)
  clock.nowMs += 3_600_000
  await shop.payments.start()
  const first = await payWith(url, txHash)
  const text = await first.text()
  expect([first.status, shop.counts.makes]).toEqual([200, 1])
  clock.nowMs += 500_000
  expect(await (await payWith(url, txHash)).text()).toBe(text)
  clock.nowMs += 101_000
  expect(await verdictOf(await payWith(url, txHash))).toBe('402 payment_already_used')
})

describe('a chain that is not done yet', () => {
  test('pending, then mined: 402 with Retry-After, then the card', async () => {
    await chain.client.setAutomine(false)
    const txHash = await chain.transfer(shopkeeper.address, price)
    const early = await pay(txHash)
    expect(early.headers.get('retry-after')).toBeTruthy()
    expect(await verdictOf(early)).toBe('402 payment_pending')
    await chain.client.mine({ blocks: 1 })
    await chain.client.setAutomine(true)
    expect(await verdictOf(await pay(txHash))).toBe('200')
  })

  test('a transaction that is mined while we wait is taken without a second request', async () => {
    await using patient = await openShop(proxy.url, { env: { X402_WAIT_MS: '20000' } })
    await chain.client.setAutomine(false)
    const txHash = await chain.transfer(shopkeeper.address, price)
    const isLookedFor = proxy.isWaitedFor()
    const waiting = payWith(freshUrl(patient), txHash)
    await isLookedFor
    await chain.client.mine({ blocks: 1 })
    await chain.client.setAutomine(true)
    expect(await verdictOf(await waiting)).toBe('200')
  })

  test('unconfirmed until enough blocks are on top', async () => {
    await using careful = await openShop(chain.url, { env: { X402_CONFIRMATIONS: '3' } })
    const txHash = await chain.transfer(shopkeeper.address, price)
    function ask() {
      return payWith(freshUrl(careful), txHash)
    }
    const early = await ask()
    expect(early.headers.get('retry-after')).toBeTruthy()
    expect(await verdictOf(early)).toBe('402 payment_unconfirmed')
    await chain.client.mine({ blocks: 1 })
    expect(await verdictOf(await ask())).toBe('402 payment_unconfirmed')
    await chain.client.mine({ blocks: 1 })
    expect(await verdictOf(await ask())).toBe('200')
  })

  test('dear calls need more confirmations than cheap ones', async () => {
    await using dear = await openShop(chain.url, { priceMicros: 1_000_000 })
    const txHash = await chain.transfer(shopkeeper.address, 1_000_000n)
    function ask() {
      return payWith(freshUrl(dear), txHash)
    }
    expect(await verdictOf(await ask())).toBe('402 payment_unconfirmed')
    await chain.client.mine({ blocks: 2 })
    expect(await verdictOf(await ask())).toBe('200')
  })

  test('a transaction that its chain drops while it is waited for is payment_reorged', async () => {
    await using careful = await openShop(proxy.url, {
      env: { X402_CONFIRMATIONS: '3', X402_WAIT_MS: '20000' },
    })
    const before = await chain.client.snapshot()
    const txHash = await chain.transfer(shopkeeper.address, price)
    const isSeen = proxy.isWaitedFor()
    const waiting = payWith(freshUrl(careful), txHash)
    await isSeen
    await chain.rewind(before)
    await chain.client.mine({ blocks: 3 })
    expect(await verdictOf(await waiting)).toBe('402 payment_reorged')
  })
})

describe('calldata that names a request', () => {
  const transferAbi = parseAbi(['function transfer(address to, uint256 value)'])

  async function payBound(url: string): Promise<Hex> {
    const body = (await (await fetch(url)).json()) as { transfer: { proof: { dataSuffix: Hex } } }
    const data = encodeFunctionData({ abi: transferAbi, args: [shopkeeper.address, price] })
    const { dataSuffix } = body.transfer.proof
    const hash = await chain.client.sendTransaction({
      account: otherPayer,
      to: usdc,
      data: concat([data, dataSuffix]),
    })
    await chain.mined(hash)
    return hash
  }

  test('pays for that request and for no other, whoever saw the hash', async () => {
    const url = freshUrl(shop)
    const txHash = await payBound(url)
    expect(await verdictOf(await pay(txHash))).toBe('402 payment_bound_to_other_request')
    expect(await verdictOf(await payWith(url, txHash))).toBe('200')
  })

  test('is proof enough where a proof is required', async () => {
    await using strict = await openShop(chain.url, { env: { X402_REQUIRE_PROOF: 'always' } })
    const url = freshUrl(strict)
    const plain = await chain.transfer(shopkeeper.address, price, accounts[0])
    expect(await errorOf(await payWith(url, plain))).toBe('proof_required')
    expect(await verdictOf(await payWith(url, await payBound(url)))).toBe('200')
  })
})
