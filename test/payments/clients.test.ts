import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { createSIWxClientExtension, wrapFetchWithSIWx } from '@x402/extensions/sign-in-with-x'
import { decodePaymentResponseHeader, wrapFetchWithPayment, x402Client } from '@x402/fetch'
import { evm, Mppx } from 'mppx/client'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { hangMsMax } from '../support/hang-limit.ts'
import {
  type Chain,
  keyOf,
  otherPayer,
  payer,
  settler,
  shopkeeper,
  startAnvil,
  stranger,
} from './support/anvil.ts'
import { fromBase64, toBase64 } from './support/authorize.ts'
import { freshPath, payWith, verdictOf } from './support/pay.ts'
import { openShop, type Shop } from './support/shop.ts'

setDefaultTimeout(hangMsMax)

let chain: Chain
let shop: Shop
beforeAll(async () => {
  chain = await startAnvil()
  shop = await openShop(chain.url, { env: { X402_SETTLER_KEY: keyOf(settler) } })
})
afterAll(async () => {
  await shop.close()
  await chain.stop()
})

describe('unmodified clients pay', () => {
  test('@x402/fetch with @x402/evm', async () => {
    const client = new x402Client().register('eip155:84532', new ExactEvmScheme(payer))
    const response = await wrapFetchWithPayment(fetch, client)(`${shop.url}${freshPath()}`)
    expect(response.status).toBe(200)
    expect(await response.text()).toStartWith('<svg')
    const receipt = decodePaymentResponseHeader(response.headers.get('payment-response') ?? '')
    expect(receipt.success).toBe(true)
  })

  test('@x402/fetch on a URL of the longest legal length', async () => {
    const client = new x402Client().register('eip155:84532', new ExactEvmScheme(payer))
    const path = `${freshPath()}&ignored=${'x'.repeat(14_000)}`
    const response = await wrapFetchWithPayment(fetch, client)(`${shop.url}${path}`)
    expect(response.status).toBe(200)
  })

  test('mppx', async () => {
    const mppx = Mppx.create({
      polyfill: false,
      methods: [evm.charge({ account: otherPayer, authorization: { name: 'USDC', version: '2' } })],
    })
    const response = await mppx.fetch(`${shop.url}${freshPath()}`)
    expect(response.status).toBe(200)
    const receipt = JSON.parse(
      Buffer.from(response.headers.get('payment-receipt') ?? '', 'base64url').toString(),
    )
    expect(receipt).toMatchObject({ method: 'evm', status: 'success' })
  })

  test('sign-in-with-x draws on credit, call by call, and never beyond', async () => {
    const wallet = privateKeyToAccount(generatePrivateKey())
    await chain.token('mint', [wallet.address, 1_000_000n], payer)
    await chain.client.setBalance({ address: wallet.address, value: 10n ** 18n })
    const txHash = await chain.transfer(shopkeeper.address, 30_000n, wallet)
    expect((await payWith(`${shop.url}${freshPath()}`, txHash)).status).toBe(200)
    const signedIn = wrapFetchWithSIWx(fetch, wallet)
    expect((await signedIn(`${shop.url}${freshPath()}`)).status).toBe(200)
    expect((await signedIn(`${shop.url}${freshPath()}`)).status).toBe(200)
    expect((await signedIn(`${shop.url}${freshPath()}`)).status).toBe(402)
  })

  test('sign-ins at once draw on one credit after the other, until all are spent', async () => {
    const wallet = privateKeyToAccount(generatePrivateKey())
    await chain.token('mint', [wallet.address, 1_000_000n], payer)
    await chain.client.setBalance({ address: wallet.address, value: 10n ** 18n })
    for (let credits = 0; credits < 4; credits += 1) {
      const txHash = await chain.transfer(shopkeeper.address, 20_000n, wallet)
      expect((await payWith(`${shop.url}${freshPath()}`, txHash)).status).toBe(200)
    }
    const signedIn = wrapFetchWithSIWx(fetch, wallet)
    const answers = await Promise.all(Array.from({ length: 6 }, () => signedIn(`${shop.url}${freshPath()}`)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 200, 402, 402])
  })

  test('a stranger who signs in has no credit', async () => {
    expect((await wrapFetchWithSIWx(fetch, stranger)(`${shop.url}${freshPath()}`)).status).toBe(402)
  })

  test('@x402/fetch signs in first and pays only when there is no credit', async () => {
    const wallet = privateKeyToAccount(generatePrivateKey())
    await chain.token('mint', [wallet.address, 1_000_000n], payer)
    const client = new x402Client()
      .register('eip155:84532', new ExactEvmScheme(wallet))
      .registerExtension(createSIWxClientExtension({ signers: [wallet] }))
    const paying = wrapFetchWithPayment(fetch, client)
    expect((await paying(`${shop.url}${freshPath()}`)).status).toBe(200)
    expect(await chain.balanceOf(wallet.address)).toBe(990_000n)
  })
})

/** The header that a client would send to pay for a URL. It is not sent. */
async function capture(pay: (send: typeof fetch) => Promise<unknown>, name: string): Promise<string> {
  let captured = ''
  async function send(input: RequestInfo | URL, init?: RequestInit) {
    const header = new Request(input, init).headers.get(name)
    if (header === null) return await fetch(input, init)
    captured = header
    return new Response(null, { status: 204 })
  }
  await pay(send as typeof fetch)
  return captured
}

describe('what was signed for one request is good for no other', () => {
  test('an MPP credential', async () => {
    const methods = [evm.charge({ account: otherPayer, authorization: { name: 'USDC', version: '2' } })]
    const url = `${shop.url}${freshPath()}`
    const authorization = await capture(
      (send) => Mppx.create({ polyfill: false, methods, fetch: send }).fetch(url),
      'authorization',
    )
    const elsewhere = await fetch(`${shop.url}${freshPath()}`, { headers: { authorization } })
    expect(await verdictOf(elsewhere)).toBe('402 invalid_payment_requirements')
    const credential = JSON.parse(Buffer.from(authorization.split(' ')[1] ?? '', 'base64url').toString())
    credential.challenge.id = `${credential.challenge.id.slice(1)}A`
    const forged = `Payment ${Buffer.from(JSON.stringify(credential)).toString('base64url')}`
    expect(await verdictOf(await fetch(url, { headers: { authorization: forged } }))).toBe(
      '402 invalid_payment_requirements',
    )
    expect(await verdictOf(await fetch(url, { headers: { authorization } }))).toBe('200')
  })

  test('a login', async () => {
    await payWith(`${shop.url}${freshPath()}`, await chain.transfer(shopkeeper.address, 50_000n, otherPayer))
    const url = `${shop.url}${freshPath()}`
    const login = await capture((send) => wrapFetchWithSIWx(send, otherPayer)(url), 'sign-in-with-x')
    async function use(at: string, header = login) {
      return verdictOf(await fetch(at, { headers: { 'sign-in-with-x': header } }))
    }
    expect(await use(`${shop.url}${freshPath()}`)).toBe('402 invalid_proof')
    const fields = fromBase64(login)
    expect(await use(url, toBase64({ ...fields, address: stranger.address }))).toBe('402 invalid_proof')
    expect(await use(url, toBase64({ ...fields, domain: 'evil.example' }))).toBe('402 invalid_proof')
    const stale = new Date(Date.now() - 600_000).toISOString()
    expect(await use(url, toBase64({ ...fields, issuedAt: stale }))).toBe('402 invalid_proof')
    expect(await use(url)).toBe('200')
  })
})
