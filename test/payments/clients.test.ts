import { describe, expect, test } from 'bun:test'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { decodePaymentResponseHeader, wrapFetchWithPayment, x402Client } from '@x402/fetch'
import { evm, Mppx } from 'mppx/client'
import { started } from '../support/started.ts'
import { keyOf, otherPayer, payer, settler, startAnvil } from './support/anvil.ts'
import { freshPath, verdictOf } from './support/pay.ts'
import { openShop } from './support/shop.ts'

const chain = started(startAnvil)
const shop = started(() => openShop(chain.url, { env: { X402_SETTLER_KEY: keyOf(settler) } }))

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
})
