import { afterEach, describe, expect, spyOn, test } from 'bun:test'
import type { Hex } from 'viem'
import { payerLock } from '../../src/payments/ledger/claims.ts'
import { movableClock } from '../store/clock.ts'
import { started } from '../support/started.ts'
import { slowTest } from '../support/test-size.ts'
import { type Chain, payer, settler, settlerEnv, startAnvil } from './support/anvil.ts'
import { freshUrl, verdictOf } from './support/pay.ts'
import { startRpcProxy } from './support/rpc-proxy.ts'
import { openShop, type Shop } from './support/shop.ts'
import { signAuthorization, v1Header } from './support/sign.ts'

/** The default of X402_SETTLE_GAS_MAX: less than four times what an honest settlement uses. */
const gasMax = 300_000n

const chain = started(startAnvil)
const proxy = started(() => startRpcProxy(chain.url))
const shop = started(() => openShop(proxy.url, { env: settling() }))
afterEach(async () => {
  proxy.heal()
  await chain.calm()
})

function settling(more: Record<string, string> = {}) {
  return { ...settlerEnv, ...more }
}
function send(headers: Record<string, string>, at: Shop) {
  return fetch(freshUrl(at), { headers })
}
function gasWei() {
  return chain.client.getBalance({ address: settler.address })
}
function sentCount() {
  return chain.client.getTransactionCount({ address: settler.address })
}

async function pay(from: Hex | undefined = undefined, at = shop): Promise<string> {
  const until = { validBefore: Math.floor(Date.now() / 1000) + 7_200 }
  return verdictOf(await send(v1Header(await signAuthorization(from ? { from, ...until } : until)), at))
}

/** A contract account with money. */
async function deployWallet(name: Parameters<Chain['deploy']>[0], argument: unknown): Promise<Hex> {
  const wallet = await chain.deploy(name, [argument])
  await chain.token('mint', [wallet, 1_000_000n], payer)
  return wallet
}

/** The gas that the newest settlements used, and their limits. */
async function newest(count: number) {
  const last = await chain.client.getBlockNumber()
  const found = []
  for (let number = last; number > 0n && found.length < count; number -= 1n) {
    const { transactions } = await chain.client.getBlock({ blockNumber: number, includeTransactions: true })
    for (const { hash, from, gas, maxFeePerGas } of transactions) {
      if (from !== settler.address.toLowerCase()) continue
      const { gasUsed, effectiveGasPrice } = await chain.client.getTransactionReceipt({ hash })
      found.push({ hash, gas, gasUsed, effectiveGasPrice, maxFeePerGas: maxFeePerGas ?? 0n })
    }
  }
  return found
}

describe('a settlement may use so much gas and no more', () => {
  test('keys and honest contract accounts fit, a passkey’s costly check among them', async () => {
    const plain = await deployWallet('Wallet', payer.address)
    const costly = await deployWallet('CostlyWallet', 200_000n)
    expect([await pay(), await pay(plain), await pay(costly)]).toEqual(['200', '200', '200'])
    for (const { gas, gasUsed } of await newest(3)) {
      expect(gas).toBeLessThanOrEqual(gasMax)
      expect(gasUsed).toBeLessThan(gas)
    }
  })

  test('a wallet that vouches only where it may burn millions is refused, and nothing is sent', async () => {
    const before = await gasWei()
    const burner = await deployWallet('GasBurner', 12_000_000n)
    expect(await pay(burner)).toMatch(/^402 /)
    expect(await pay(await deployWallet('CostlyWallet', 1_000_000n))).toBe('402 settlement_gas_too_high')
    expect(await gasWei()).toBe(before)
  })

  test('X402_SETTLE_GAS_MAX allows more', async () => {
    await using generous = await openShop(chain.url, { env: settling({ X402_SETTLE_GAS_MAX: '1500000' }) })
    expect(await pay(await deployWallet('CostlyWallet', 1_000_000n), generous)).toBe('200')
  })
})

describe('a payer whose settlements fail', () => {
  test('costs three capped settlements an hour, over restarts and in all processes; others go on', async () => {
    let laterMs = 0
    const clock = { now: () => Date.now() + laterMs }
    await using first = await openShop(chain.url, { env: settling(), clock })
    const burner = await deployWallet('GasBurner', 0n)
    const before = await sentCount()
    for (let call = 0; call < 3; call += 1) expect(await pay(burner, first)).toBe('402 settlement_failed')
    for (const { gasUsed } of await newest(3)) expect(gasUsed).toBeLessThanOrEqual(gasMax)
    const refused = await send(v1Header(await signAuthorization({ from: burner })), first)
    const waitSeconds = Number(refused.headers.get('retry-after'))
    expect([await verdictOf(refused), waitSeconds > 3_500]).toEqual(['402 payer_settlements_failed', true])
    await using second = await openShop(chain.url, { env: settling(), clock, path: first.path })
    expect(await pay(burner, second)).toBe('402 payer_settlements_failed')
    expect((await sentCount()) - before).toBe(3)
    expect(await pay(undefined, second)).toBe('200')
    laterMs = waitSeconds * 1000 + 1000
    expect(await pay(burner, second)).toBe('402 settlement_failed')
  })

  test('has its charge released once, in one transaction', async () => {
    const burner = await deployWallet('GasBurner', 0n)
    const deferred = spyOn(shop.store.deferred, 'add')
    const verdict = await pay(burner)
    const releases = deferred.mock.calls.filter(([, options]) =>
      options?.locks?.includes(payerLock({ payer: burner })),
    )
    deferred.mockRestore()
    expect([verdict, releases.length]).toEqual(['402 settlement_failed', 1])
  })

  test('costs no more when it comes with many at once', async () => {
    const burner = await deployWallet('GasBurner', 0n)
    const before = await sentCount()
    const verdicts = await Promise.all(Array.from({ length: 12 }, () => pay(burner)))
    expect((await sentCount()) - before).toBeLessThanOrEqual(3)
    expect(verdicts).not.toContain('200')
  })

  test('costs no more when the answer does not wait for the settlement', async () => {
    await using hasty = await openShop(chain.url, { env: settling({ X402_SETTLE_WAIT: 'submitted' }) })
    const burner = await deployWallet('GasBurner', 0n)
    const before = await sentCount()
    for (let call = 0; call < 5; call += 1) await pay(burner, hasty)
    await hasty.payments.reconcile()
    expect(await pay(burner, hasty)).toBe('402 payer_settlements_failed')
    expect((await sentCount()) - before).toBe(3)
  })

  slowTest(
    'in a crowd of fresh contracts: those that never paid wait, keys and known wallets go on',
    async () => {
      await using busy = await openShop(chain.url, { env: settling() })
      const known = await deployWallet('Wallet', payer.address)
      expect(await pay(known, busy)).toBe('200')
      for (let wallet = 0; wallet < 7; wallet += 1) {
        const burner = await deployWallet('GasBurner', 0n)
        for (let call = 0; call < 3; call += 1) await pay(burner, busy)
      }
      const before = await sentCount()
      expect(await pay(await deployWallet('GasBurner', 0n), busy)).toBe('503 busy')
      expect(await sentCount()).toBe(before)
      expect([await pay(known, busy), await pay(undefined, busy)]).toEqual(['200', '200'])
    },
  )
})

describe('gas that is too dear', () => {
  test('is not paid: 503 until it is cheaper, signatures are not advertised meanwhile, and the operator is told', async () => {
    await using careful = await openShop(proxy.url, { env: settling({ X402_MAX_FEE_GWEI: '20' }) })
    proxy.alter('eth_gasPrice', () => '0x4a817c801')
    const headers = v1Header(await signAuthorization())
    const url = freshUrl(careful)
    await careful.payments.start()
    const before = await sentCount()
    const response = await fetch(url, { headers })
    expect(response.headers.get('x-payment-status')).toBe('not-charged')
    expect(await verdictOf(response)).toBe('503 payments_unavailable')
    const offer = (await (await fetch(freshUrl(careful))).json()) as { accepts: unknown[] }
    expect(offer.accepts).toEqual([])
    expect((await careful.payments.status()).problems.join()).toMatch(/20\.000000001 gwei.*X402_MAX_FEE_GWEI/)
    expect(await sentCount()).toBe(before)
    proxy.heal()
    expect(await verdictOf(await fetch(url, { headers }))).toBe('200')
    expect((await careful.payments.status()).problems).toEqual([])
  })

  test('is never bid above X402_MAX_FEE_GWEI', async () => {
    await using careful = await openShop(proxy.url, { env: settling({ X402_MAX_FEE_GWEI: '20' }) })
    proxy.alter('eth_gasPrice', () => '0x4a817c800')
    expect(await pay(undefined, careful)).toBe('200')
    expect((await newest(1))[0]?.maxFeePerGas).toBe(20_000_000_000n)
  })
})

test('a settler without gas is not advertised and answers 503, until it is filled up', async () => {
  const balance = await gasWei()
  await chain.client.setBalance({ address: settler.address, value: 1000n })
  await using empty = await openShop(chain.url, { env: settling() })
  const offer = (await (await fetch(freshUrl(empty))).json()) as { accepts: unknown[] }
  expect(offer.accepts).toEqual([])
  const { makes } = empty.counts
  expect(await pay(undefined, empty)).toBe('503 payments_unavailable')
  expect(empty.counts.makes).toBe(makes)
  expect((await empty.payments.status()).problems.join()).toContain('too little for gas')
  await chain.client.setBalance({ address: settler.address, value: balance })
  expect(await pay(undefined, empty)).toBe('200')
})

test('what each settlement cost is written down once, as the chain says it', async () => {
  await using counted = await openShop(chain.url, { env: settling() })
  const burner = await deployWallet('GasBurner', 0n)
  const verdicts = [await pay(undefined, counted), await pay(burner, counted)]
  expect(verdicts).toEqual(['200', '402 settlement_failed'])
  await counted.payments.reconcile()
  const mined = await newest(2)
  const fees = mined.map(({ gasUsed, effectiveGasPrice }) =>
    Math.ceil(Number(gasUsed * effectiveGasPrice) / 1e9),
  )
  const today = Math.floor(Date.now() / 86_400_000)
  expect(await counted.store.settlements.days(today - 1, today)).toMatchObject([
    {
      count: 2,
      failed: 1,
      gasUsed: mined.reduce((sum, { gasUsed }) => sum + Number(gasUsed), 0),
      feeGwei: fees.reduce((sum, fee) => sum + fee, 0),
    },
  ])
  for (const { hash, gasUsed } of mined) {
    const [payment] = await counted.store.paymentList.byHash(hash, 1)
    expect(await counted.store.settlements.ofPayment(payment?.id ?? '')).toMatchObject({
      gasUsed: Number(gasUsed),
    })
  }
})

test('a settlement that gas became too dear for is bid for anew, and those behind it go on', async () => {
  const clock = movableClock(Date.now())
  const env = settling({ X402_MAX_FEE_GWEI: '1000' })
  await using patient = await openShop(proxy.url, { env, clock })
  async function buy() {
    const headers = v1Header(await signAuthorization())
    const url = freshUrl(patient)
    return async () => verdictOf(await fetch(url, { headers }))
  }
  const [stuck, behind] = [await buy(), await buy()]
  await chain.client.setAutomine(false)
  try {
    const verdicts = [await patient.hurried(stuck), await patient.hurried(behind)]
    expect(verdicts).toEqual(['503 settlement_pending', '503 settlement_pending'])
    const [before, next] = await patient.store.payments.open()
    function now(row: typeof before) {
      return patient.store.payments.byId(row?.id ?? '')
    }
    proxy.alter('eth_gasPrice', () => '0xba43b7400')
    // Within its first minute nothing more is bid.
    await patient.payments.start()
    expect((await now(before))?.txHash).toBe(before?.txHash ?? '')
    clock.nowMs += 61_000
    await patient.payments.start()
    expect((await now(before))?.settlerNonce).toBe(before?.settlerNonce ?? -1)
    expect((await now(before))?.txHash).not.toBe(before?.txHash ?? '')
    expect((await now(next))?.txHash).toBe(next?.txHash ?? '')
  } finally {
    clock.nowMs -= 61_000
    await chain.client.mine({ blocks: 1 })
    await chain.client.setAutomine(true)
  }
  expect([await stuck(), await behind()]).toEqual(['200', '200'])
  expect((await newest(2)).map(({ maxFeePerGas }) => maxFeePerGas).toSorted()).toContain(100_000_000_000n)
})
