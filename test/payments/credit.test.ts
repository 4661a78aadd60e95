import { describe, expect, test } from 'bun:test'
import { started } from '../support/started.ts'
import { keyOf, payer, settler, shopkeeper, startAnvil, stranger } from './support/anvil.ts'
import { fromBase64, signAuthorization, v1Header } from './support/authorize.ts'
import { freshPath, payWith, proofHeader, verdictOf } from './support/pay.ts'
import { openShop } from './support/shop.ts'

const chain = started(startAnvil)
const shop = started(() => openShop(chain.url, { env: { X402_SETTLER_KEY: keyOf(settler) } }))

function fresh() {
  return `${shop.url}${freshPath()}`
}

async function payProven(
  txHash: string,
  url = fresh(),
  signer = payer,
  more: object = {},
): Promise<Response> {
  return payWith(url, txHash, { 'x-payment-proof': await proofHeader({ url, txHash, signer, ...more }) })
}

describe('what a payment holds beyond one call is its payer’s', () => {
  test('the bare hash buys one call, proofs draw the rest, and then it is empty', async () => {
    const txHash = await chain.transfer(shopkeeper.address, 30_000n)
    const first = await payWith(fresh(), txHash)
    expect(first.headers.get('x-payment-credit')).toBe('0.02')
    expect(await verdictOf(first)).toBe('200')
    expect(await verdictOf(await payWith(fresh(), txHash))).toBe('402 payment_already_used')
    expect(await verdictOf(await payProven(txHash))).toBe('200')
    expect(await verdictOf(await payProven(txHash))).toBe('200')
    expect(await verdictOf(await payProven(txHash))).toBe('402 payment_already_used')
  })

  test('fifty draws at once never take more than there is', async () => {
    const txHash = await chain.transfer(shopkeeper.address, 75_000n)
    const verdicts = await Promise.all(
      Array.from({ length: 50 }, async () => verdictOf(await payProven(txHash))),
    )
    expect(verdicts.filter((verdict) => verdict === '200')).toHaveLength(7)
    const [row] = await shop.store.payments.byTransaction(84532, txHash)
    expect(row).toMatchObject({ amountMicros: 75_000, spentMicros: 70_000 })
  })

  test('one proof draws once: the same request with it gets the same bytes', async () => {
    const txHash = await chain.transfer(shopkeeper.address, 20_000n)
    const url = fresh()
    const headers = { 'x-payment-proof': await proofHeader({ url, txHash, signer: payer }) }
    const first = await (await payWith(url, txHash, headers)).text()
    expect(await (await payWith(url, txHash, headers)).text()).toBe(first)
    const [row] = await shop.store.payments.byTransaction(84532, txHash)
    expect(row?.spentMicros).toBe(10_000)
  })

  test('who has drawn with a proof leaves no free call for the bare hash', async () => {
    const txHash = await chain.transfer(shopkeeper.address, 30_000n)
    expect(await verdictOf(await payProven(txHash))).toBe('200')
    expect(await verdictOf(await payWith(fresh(), txHash))).toBe('402 payment_already_used')
  })

  test('a call that cannot be made gives the draw back', async () => {
    const txHash = await chain.transfer(shopkeeper.address, 20_000n)
    const failing = `${shop.url}${freshPath('fail')}`
    expect((await payProven(txHash, failing)).status).toBe(500)
    expect(await verdictOf(await payProven(txHash))).toBe('200')
    expect(await verdictOf(await payProven(txHash))).toBe('200')
  })

  test('what an authorization paid too much is drawn with its settlement’s hash', async () => {
    const response = await fetch(fresh(), { headers: v1Header(await signAuthorization({ value: 25_000n })) })
    const txHash = String(fromBase64(response.headers.get('x-payment-response'))['transaction'])
    expect(await verdictOf(await payWith(fresh(), txHash))).toBe('402 payment_made_by_authorization')
    expect(await verdictOf(await payProven(txHash, fresh(), stranger))).toBe('402 invalid_proof')
    expect(await verdictOf(await payProven(txHash))).toBe('200')
    expect(await verdictOf(await payProven(txHash))).toBe('402 payment_insufficient')
  })

  test('a payment whose block vanished buys nothing more, which a block in its place has to show', async () => {
    const before = await chain.client.snapshot()
    const txHash = await chain.transfer(shopkeeper.address, 20_000n)
    expect(await verdictOf(await payProven(txHash))).toBe('200')
    await chain.rewind(before)
    // The chain is now shorter than before, so the node may only be slow.
    expect(await verdictOf(await payProven(txHash))).toBe('503 payments_unavailable')
    await chain.client.mine({ blocks: 1 })
    expect(await verdictOf(await payProven(txHash))).toBe('402 payment_reorged')
  })
})

describe('proofs', () => {
  test('by a stranger, for another URL, stale or malformed are refused and use nothing', async () => {
    const txHash = await chain.transfer(shopkeeper.address, 10_000n)
    const nowSeconds = Math.floor(Date.now() / 1000)
    expect(await verdictOf(await payProven(txHash, fresh(), stranger))).toBe('402 invalid_proof')
    const elsewhere = await payProven(txHash, fresh(), payer, { signedUrl: fresh() })
    expect(await verdictOf(elsewhere)).toBe('402 invalid_proof')
    for (const issuedSeconds of [nowSeconds - 301, nowSeconds + 310]) {
      expect(await verdictOf(await payProven(txHash, fresh(), payer, { issuedSeconds }))).toBe(
        '402 proof_expired',
      )
    }
    const malformed = await payWith(fresh(), txHash, { 'x-payment-proof': 't=x,sig=0x' })
    expect(await verdictOf(malformed)).toBe('402 invalid_proof')
    expect(await verdictOf(await payProven(txHash))).toBe('200')
  })

  test('a contract account proves with what its owner signs (ERC-1271)', async () => {
    const wallet = await chain.deploy('Wallet', [payer.address])
    await chain.token('mint', [wallet, 50_000n], payer)
    await chain.client.impersonateAccount({ address: wallet })
    await chain.client.setBalance({ address: wallet, value: 10n ** 18n })
    const txHash = await chain.token('transfer', [shopkeeper.address, 20_000n], wallet as never)
    expect(await verdictOf(await payProven(txHash))).toBe('200')
    expect(await verdictOf(await payProven(txHash, fresh(), stranger))).toBe('402 invalid_proof')
  })

  test('are required from the price that the operator names', async () => {
    const strict = await openShop(chain.url, { env: { X402_REQUIRE_PROOF: '0.01' } })
    const txHash = await chain.transfer(shopkeeper.address, 10_000n)
    const url = `${strict.url}${freshPath()}`
    expect(await verdictOf(await payWith(url, txHash))).toBe('402 proof_required')
    expect(await verdictOf(await payProven(txHash, url))).toBe('200')
    await strict.close()
  })
})
