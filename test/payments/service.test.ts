import { describe, expect, test } from 'bun:test'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { decodePaymentResponseHeader, wrapFetchWithPayment, x402Client } from '@x402/fetch'
import { evm, Mppx } from 'mppx/client'
import { startServer } from '../support/server.ts'
import { started } from '../support/started.ts'
import { runtimes } from '../support/test-size.ts'
import { otherPayer, payer, settlerEnv, shopkeeper, startAnvil } from './support/anvil.ts'
import { freshPath, freshUrl, payWith, proofHeader, verdictOf } from './support/pay.ts'
import { openShop } from './support/shop.ts'
import { signAuthorization, toBase64, v1Header } from './support/sign.ts'
import { patientEnv, walletEnv } from './support/wallet-env.ts'

/** The real service as a process, under each runtime. */
for (const runtime of runtimes) {
  describe(`the service under ${runtime}`, () => {
    const client = x402Client.fromConfig({
      schemes: [{ network: 'eip155:84532', client: new ExactEvmScheme(payer) }],
      spendControls: false,
    })
    const paying = wrapFetchWithPayment(fetch, client)
    const chain = started(startAnvil)
    const env = () => ({
      ...walletEnv(chain.url),
      ...patientEnv,
      ...settlerEnv,
      X402_WAIT_MS: '500',
      X402_POLL_MS: '100',
      X402_CONFIRMATIONS_HIGH: '1',
    })
    const server = started(() => startServer({ runtime, env: env() }))

    function card(title: string) {
      return `${server.url}/api/og?title=${title}`
    }

    test('sells a card for a transfer, once, and gives the same request the same bytes again', async () => {
      const url = card('Transfer')
      const { transfer } = (await (await fetch(url)).json()) as {
        transfer: { payTo: `0x${string}`; amount: string }
      }
      const txHash = await chain.transfer(transfer.payTo, BigInt(transfer.amount))
      const paid = await payWith(url, txHash)
      expect(paid.status).toBe(200)
      expect(paid.headers.get('content-type')).toStartWith('image/svg+xml')
      const bytes = await paid.text()
      expect(await (await payWith(url, txHash)).text()).toBe(bytes)
      expect(await verdictOf(await payWith(card('Other'), txHash))).toBe('402 payment_already_used')
    })

    test('sells a card to x402 clients of both versions', async () => {
      expect((await paying(card('Second'))).status).toBe(200)
      expect((await fetch(card('First'), { headers: v1Header(await signAuthorization()) })).status).toBe(200)
    })

    test('takes no money where a quota grants the call, and is not asked for bad parameters', async () => {
      const txHash = await chain.transfer(shopkeeper.address, 10_000n)
      const demo = await payWith(`${card('Demo')}&demo=1`, txHash)
      expect(demo.headers.get('x-auth-mode')).toBe('demo')
      expect((await payWith(`${server.url}/api/og`, txHash)).status).toBe(400)
      expect(await verdictOf(await payWith(card('Paid'), txHash))).toBe('200')
    })

    test('lifts a key’s quota for a transfer and for a signature', async () => {
      for (const way of ['transfer', 'x402'] as const) {
        const { id } = (await (await fetch(`${server.url}/api/key`)).json()) as { id: string }
        const url = `${server.url}/api/upgrade?key=${id}`
        expect((await fetch(url, { method: 'POST' })).status).toBe(402)
        const lifted = way === 'x402' ? await paying(url, { method: 'POST' }) : await liftByTransfer(url)
        expect(lifted.status).toBe(200)
        const usage = (await (await fetch(`${server.url}/api/usage?key=${id}`)).json()) as { plan: string }
        expect(usage.plan).toBe('unlimited')
      }
    })

    async function liftByTransfer(url: string): Promise<Response> {
      const txHash = await chain.transfer(shopkeeper.address, 10_000_000n)
      const bare = await fetch(url, { method: 'POST', headers: { 'x-payment': txHash } })
      expect(await verdictOf(bare)).toBe('402 proof_required')
      const proof = await proofHeader({ url, txHash, signer: payer, method: 'POST' })
      return fetch(url, { method: 'POST', headers: { 'x-payment': txHash, 'x-payment-proof': proof } })
    }

    test('draws on what a transfer left over', async () => {
      const txHash = await chain.transfer(shopkeeper.address, 20_000n)
      expect((await payWith(card('One'), txHash)).status).toBe(200)
      const url = card('Two')
      const proof = await proofHeader({ url, txHash, signer: payer })
      expect((await payWith(url, txHash, { 'x-payment-proof': proof })).status).toBe(200)
    })

    test('lists its prices for programs', async () => {
      const required = (await (await fetch(`${server.url}/api/payment-required`)).json()) as {
        accepts: object[]
      }
      expect(required.accepts).toContainEqual(
        expect.objectContaining({ resource: `${server.url}/api/og`, maxAmountRequired: '10000' }),
      )
      const found = (await (await fetch(`${server.url}/.well-known/x402`)).json()) as { resources: string[] }
      expect(found.resources).toContain(`${server.url}/api/og`)
    })
  })
}

test('without a wallet an offered payment is refused with payments_off, and nothing is advertised', async () => {
  const server = await startServer()
  const url = `${server.url}/api/og?title=Off`
  const offers: readonly Record<string, string>[] = [
    { 'x-payment': `0x${'ab'.repeat(32)}` },
    { 'payment-signature': toBase64({ x402Version: 2 }) },
    { authorization: `Payment ${toBase64({})}` },
  ]
  for (const headers of offers) {
    const response = await fetch(url, { headers })
    const body = (await response.json()) as object
    expect(body).toMatchObject({ error: 'payments_off', accepts: [] })
    expect(body).not.toHaveProperty('transfer')
  }
  expect(await verdictOf(await fetch(url))).toBe('402 payment_required')
  await server.stop()
})

const chain = started(startAnvil)
const shop = started(() => openShop(chain.url, { env: settlerEnv }))

describe('unmodified clients pay', () => {
  test('@x402/fetch with @x402/evm', async () => {
    const client = new x402Client().register('eip155:84532', new ExactEvmScheme(payer))
    const response = await wrapFetchWithPayment(fetch, client)(freshUrl(shop))
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
    const response = await mppx.fetch(freshUrl(shop))
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
    const url = freshUrl(shop)
    const authorization = await capture(
      (send) => Mppx.create({ polyfill: false, methods, fetch: send }).fetch(url),
      'authorization',
    )
    const elsewhere = await fetch(freshUrl(shop), { headers: { authorization } })
    expect(await verdictOf(elsewhere)).toBe('402 invalid_payment_requirements')
    const credential = JSON.parse(Buffer.from(authorization.split(' ')[1] ?? '', 'base64url').toString())
    credential.challenge.id = `${credential.challenge.id.slice(1)}A`
    const forged = `Payment ${Buffer.from(JSON.stringify(credential)).toString('base64url')}`
    const expected = '402 invalid_payment_requirements'
    expect(await verdictOf(await fetch(url, { headers: { authorization: forged } }))).toBe(expected)
    expect(await verdictOf(await fetch(url, { headers: { authorization } }))).toBe('200')
  })
})
