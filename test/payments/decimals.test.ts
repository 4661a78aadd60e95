import { afterAll, beforeAll, expect, test } from 'bun:test'
import { evm, Mppx } from 'mppx/client'
import { started } from '../support/started.ts'
import { keyOf, payer, settler, shopkeeper, startAnvil, stranger } from './support/anvil.ts'
import { fromBase64, signAuthorization, v1Header, v2Header } from './support/authorize.ts'
import { freshPath, payWith, proofHeader, verdictOf } from './support/pay.ts'
import { openShop, type Shop } from './support/shop.ts'

/** A token of 18 decimals: a card for 0.01 costs 10^16 of its atomic units. */
const cent = 10n ** 16n

let shop: Shop
const chain = started(startAnvil)
beforeAll(async () => {
  await chain.token('configure', ['USDC', '2', 18], payer)
  await chain.token('mint', [payer.address, 10n ** 20n], payer)
  shop = await openShop(chain.url, {
    env: { X402_SETTLER_KEY: keyOf(settler), X402_ASSET_DECIMALS: '18' },
  })
})
afterAll(async () => {
  await shop.close()
})

function ask(headers: Record<string, string>) {
  return fetch(`${shop.url}${freshPath()}`, { headers })
}

test('every form of the 402 asks for the price in the token’s own units', async () => {
  const response = await fetch(`${shop.url}${freshPath()}`)
  const required = fromBase64(response.headers.get('payment-required'))
  expect(required['accepts']).toMatchObject([{ amount: String(cent) }])
  expect(await response.json()).toMatchObject({
    accepts: [{ maxAmountRequired: String(cent) }],
    transfer: { amount: String(cent), amountDecimal: '0.01', decimals: 18 },
  })
})

test('a transfer of the price buys a call, and a millionth of a cent less does not', async () => {
  const before = await chain.balanceOf(shopkeeper.address)
  const full = await chain.transfer(shopkeeper.address, cent)
  expect(await verdictOf(await payWith(`${shop.url}${freshPath()}`, full))).toBe('200')
  expect((await chain.balanceOf(shopkeeper.address)) - before).toBe(cent)
  const short = await chain.transfer(shopkeeper.address, cent - 1n)
  expect(await verdictOf(await payWith(`${shop.url}${freshPath()}`, short))).toBe('402 payment_insufficient')
})

test('what a transfer holds beyond the price is credit of the same worth, and no more', async () => {
  const txHash = await chain.transfer(shopkeeper.address, 2n * cent + 5n)
  const first = await payWith(`${shop.url}${freshPath()}`, txHash)
  expect([first.status, first.headers.get('x-payment-credit')]).toEqual([200, '0.01'])
  async function draw() {
    const url = `${shop.url}${freshPath()}`
    const proof = await proofHeader({ url, txHash, signer: payer })
    return verdictOf(await payWith(url, txHash, { 'x-payment-proof': proof }))
  }
  expect(await draw()).toBe('200')
  expect(await draw()).toBe('402 payment_already_used')
})

test('x402 version 1, version 2 and MPP move the price in the token’s own units', async () => {
  const before = await chain.balanceOf(shopkeeper.address)
  function signed() {
    return signAuthorization({ value: cent })
  }
  expect(await verdictOf(await ask(v1Header(await signed())))).toBe('200')
  const accepted = { amount: String(cent) }
  expect(await verdictOf(await ask(v2Header(await signed(), { accepted })))).toBe('200')
  const methods = [evm.charge({ account: payer, authorization: { name: 'USDC', version: '2' } })]
  const mpp = Mppx.create({ polyfill: false, methods })
  expect((await mpp.fetch(`${shop.url}${freshPath()}`)).status).toBe(200)
  expect((await chain.balanceOf(shopkeeper.address)) - before).toBe(3n * cent)
})

test.each([
  ['10000, the price of a token of six decimals', 10_000n],
  ['one unit less than the price', cent - 1n],
  ['one unit more, which the ledger could not write down exactly', cent + 1n],
])('an authorization of %s is refused, and nothing moves', async (_, value) => {
  const before = await chain.balanceOf(shopkeeper.address)
  const verdict = await verdictOf(await ask(v1Header(await signAuthorization({ value }))))
  expect(verdict).toBe('402 invalid_exact_evm_payload_authorization_value')
  expect(await chain.balanceOf(shopkeeper.address)).toBe(before)
})

test('what a wallet has promised is compared with what it holds in the same units', async () => {
  await chain.token('mint', [stranger.address, 3n * (cent / 2n) - 1_000_000_000n], payer)
  function signed() {
    return signAuthorization({ signer: stranger, value: cent })
  }
  const headers = [v1Header(await signed()), v1Header(await signed())]
  const verdicts = await Promise.all(headers.map(async (each) => verdictOf(await ask(each))))
  expect(verdicts.toSorted()).toEqual(['200', '402 insufficient_funds'])
})
