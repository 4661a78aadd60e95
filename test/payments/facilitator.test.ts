import { afterEach, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { wrapFetchWithPayment, x402Client } from '@x402/fetch'
import { evm, Mppx } from 'mppx/client'
import type { Hex } from 'viem'
import { isReason } from '../../src/payments/payment-reasons.ts'
import codes from '../../src/payments/settle/facilitator-codes.json' with { type: 'json' }
import { drippingAnswer, floodingAnswer } from '../support/endless-answers.ts'
import { started } from '../support/started.ts'
import { sampleOf } from '../support/test-size.ts'
import { keyOf, payer, settler, shopkeeper, startAnvil, stranger } from './support/anvil.ts'
import { startChild } from './support/child.ts'
import { freshUrl, verdictOf } from './support/pay.ts'
import { openShop } from './support/shop.ts'
import { fromBase64, type Signed, signAuthorization, v1Header, v2Header } from './support/sign.ts'

/** The fault between us and the real facilitator; undefined lets a question pass. */
let fault: ((path: string) => Response | Promise<Response> | undefined) | undefined
const chain = started(startAnvil)
const real = started(() =>
  startChild(join(import.meta.dirname, 'support/children/facilitator.ts'), [chain.url, keyOf(settler)]),
)
const server = started(() =>
  Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const { pathname } = new URL(request.url)
      if (request.headers.get('x-api-key') !== 'abc') return new Response(null, { status: 401 })
      return (await fault?.(pathname)) ?? pass(pathname, await request.text())
    },
  }),
)
const shop = started(() => openShop(chain.url, { env: facilitated() }))
afterEach(() => {
  fault = undefined
})

/** Enough for a broken facilitator to answer, and where it does not, the outcome is unknown as well. */
const answerMs = 1_000

function facilitated() {
  return {
    X402_FACILITATOR_URL: `http://127.0.0.1:${server.port}/`,
    X402_FACILITATOR_HEADERS: '{"x-api-key":"abc"}',
  }
}
function pass(path: string, body: string) {
  const headers = { 'content-type': 'application/json' }
  return fetch(`${real.line}${path}`, { method: 'POST', body, headers })
}

/** A fault at one path alone. */
function at(path: string, answer: () => Response | Promise<Response>) {
  return (asked: string) => (asked === path ? answer() : undefined)
}

/** Settles, and then answers something else. */
function settlingThen(signed: Signed, answer: () => Response) {
  return at('/settle', async () => {
    await pass('/settle', JSON.stringify(questionFor(signed)))
    return answer()
  })
}

function ask(headers: Record<string, string>, from = shop) {
  return fetch(freshUrl(from), { headers })
}

test('every error code of a facilitator that is understood stands for a reason of ours', () => {
  for (const reason of Object.values(codes).flatMap(Object.values)) expect(isReason(reason)).toBe(true)
})

describe('a facilitator settles', () => {
  test('version 1, version 2 and MPP, with the reference implementation', async () => {
    const before = await chain.balanceOf(shopkeeper.address)
    const v1 = await ask(v1Header(await signAuthorization()))
    expect(v1.status).toBe(200)
    const receipt = fromBase64(v1.headers.get('x-payment-response'))
    expect((await chain.client.getTransactionReceipt({ hash: receipt['transaction'] as Hex })).status).toBe(
      'success',
    )
    const client = new x402Client().register('eip155:84532', new ExactEvmScheme(payer))
    expect((await wrapFetchWithPayment(fetch, client)(freshUrl(shop))).status).toBe(200)
    const methods = [evm.charge({ account: payer, authorization: { name: 'USDC', version: '2' } })]
    expect((await Mppx.create({ polyfill: false, methods }).fetch(freshUrl(shop))).status).toBe(200)
    expect((await chain.balanceOf(shopkeeper.address)) - before).toBe(30_000n)
  })

  test('and says why not', async () => {
    const listed = await signAuthorization({ signer: stranger })
    await chain.token('setBlacklisted', [stranger.address, true], payer)
    const response = await ask(v2Header(listed)).finally(() =>
      chain.token('setBlacklisted', [stranger.address, false], payer),
    )
    expect(response.status).toBe(402)
  })

  test('without an RPC of our own its word is taken, and no transfer is offered that nothing could verify', async () => {
    await using blind = await openShop('', { env: facilitated() })
    const offer = (await (await fetch(freshUrl(blind))).json()) as Record<string, unknown>
    expect([(offer['accepts'] as unknown[]).length, 'transfer' in offer]).toEqual([1, false])
    expect(await verdictOf(await ask(v2Header(await signAuthorization()), blind))).toBe('200')
  })
})

describe('a facilitator that cannot be relied on', () => {
  const broken = {
    'is down': () => new Response(null, { status: 502 }),
    'answers garbage': () => new Response('<html>'),
    'answers without a verdict': () => Response.json({ error: 'no' }, { status: 500 }),
    'begins an answer and never ends it': drippingAnswer,
    'answers without end': () => floodingAnswer().response,
  } as const
  for (const [name, answer] of Object.entries(broken)) {
    for (const path of ['/verify', '/settle']) {
      test(`${name} at ${path}: 503, nothing is charged, and the same payment works later`, async () => {
        const headers = v2Header(await signAuthorization())
        const url = freshUrl(shop)
        fault = at(path, answer)
        const response = await shop.hurried(() => fetch(url, { headers }), answerMs)
        expect(response.headers.get('x-payment-status')).toBe('not-charged')
        expect(response.status).toBe(503)
        fault = undefined
        expect(await verdictOf(await fetch(url, { headers }))).toBe('200')
      })
    }
  }

  test('settles and then cannot say so: the chain is asked, and the call is answered', async () => {
    const before = await chain.balanceOf(shopkeeper.address)
    const signed = await signAuthorization()
    fault = settlingThen(signed, () => new Response(null, { status: 504 }))
    expect(await verdictOf(await ask(v2Header(signed)))).toBe('200')
    expect((await chain.balanceOf(shopkeeper.address)) - before).toBe(10_000n)
  })

  test('settles and cannot say so while we have no RPC: never 402, for the money may have moved', async () => {
    await using blind = await openShop('', { env: facilitated() })
    const signed = await signAuthorization()
    const url = freshUrl(blind)
    fault = settlingThen(signed, () => new Response(null, { status: 504 }))
    expect((await fetch(url, { headers: v2Header(signed) })).status).toBe(503)
    fault = undefined
    expect(await verdictOf(await fetch(url, { headers: v2Header(signed) }))).toBe('503 settlement_pending')
  })

  const doubtful: readonly (readonly [string, () => Response])[] = [
    ...['nonce_conflict', 'constructor', '__proto__', 'toString', 'unexpected_settle_error', ''].map(
      (errorReason) => [`refuses with the word "${errorReason}"`, () => refusal(errorReason)] as const,
    ),
    ['refuses after a broadcast', () => refusal('invalid_transaction_state')],
    ['refuses without a word', () => Response.json({ success: false })],
    [
      'refuses with a word that is no text',
      () => Response.json({ success: false, errorReason: ['insufficient_funds'] }),
    ],
    ['refuses with 500', () => refusal('insufficient_funds', { status: 500 })],
    ['refuses and names a transaction', () => refusal('insufficient_funds', {}, `0x${'cd'.repeat(32)}`)],
    ['says "true" as text', () => Response.json({ success: 'true', transaction: `0x${'cd'.repeat(32)}` })],
  ]
  for (const [name, answer] of sampleOf(doubtful, 3)) {
    test(`${name} at /settle: 503, for the money may yet move; it buys its call when it has`, async () => {
      const before = await chain.balanceOf(shopkeeper.address)
      const signed = await signAuthorization()
      const url = freshUrl(shop)
      fault = at('/settle', answer)
      expect(await verdictOf(await fetch(url, { headers: v2Header(signed) }))).toBe('503 settlement_pending')
      // It settles in the end, whatever it said.
      await pass('/settle', JSON.stringify(questionFor(signed)))
      expect(await verdictOf(await fetch(url, { headers: v2Header(signed) }))).toBe('200')
      expect((await chain.balanceOf(shopkeeper.address)) - before).toBe(10_000n)
    })
  }

  test('refuses in a word of the standard, known before anything is sent: 402, and no second price is asked', async () => {
    fault = at('/settle', () => refusal('insufficient_funds'))
    expect(await verdictOf(await ask(v2Header(await signAuthorization())))).toBe('402 insufficient_funds')
  })

  test.each(['constructor', '__proto__', 'out_of_order', 'unexpected_verify_error'])(
    'cannot verify and says "%s": 503, and its word reaches no caller',
    async (invalidReason) => {
      fault = at('/verify', () => Response.json({ isValid: false, invalidReason }))
      const response = await ask(v2Header(await signAuthorization()))
      expect(response.status).toBe(503)
      expect(await response.text()).not.toContain(invalidReason)
    },
  )

  test('settled without our seeing it: however often and in whatever words it refuses the same later, 503', async () => {
    await using blind = await openShop('', { env: facilitated() })
    const signed = await signAuthorization()
    const url = freshUrl(blind)
    async function send(path = url) {
      return verdictOf(await fetch(path, { headers: v2Header(signed) }))
    }
    fault = settlingThen(signed, () => refusal('nonce_conflict'))
    expect(await send()).toBe('503 settlement_pending')
    fault = undefined
    for (const path of [url, url, freshUrl(blind)]) {
      expect(await send(path)).toBe('503 settlement_pending')
    }
    fault = () => refusal('insufficient_funds', {}, '', { isValid: true })
    expect(await send()).toBe('503 settlement_pending')
    expect(await blind.store.payments.open()).toMatchObject([
      { nonce: signed.authorization.nonce, state: 'submitted' },
    ])
  })

  test('lies that it settled: nothing goes out until the chain says so', async () => {
    const lie = { success: true, transaction: `0x${'ab'.repeat(32)}`, network: 'eip155:84532' }
    fault = at('/settle', () => Response.json({ ...lie, payer: payer.address }))
    const headers = v2Header(await signAuthorization())
    const response = await shop.hurried(() => ask(headers), answerMs)
    expect(await verdictOf(response)).toBe('503 settlement_pending')
    fault = undefined
    expect(await verdictOf(await ask(headers))).toBe('200')
  })

  test('lies that it did not: the money on the chain counts', async () => {
    const signed = await signAuthorization()
    fault = settlingThen(signed, () => refusal('insufficient_funds'))
    expect(await verdictOf(await ask(v2Header(signed)))).toBe('200')
  })
})

function refusal(errorReason: string, init: ResponseInit = {}, transaction = '', more: object = {}) {
  return Response.json({ success: false, errorReason, transaction, network: '', ...more }, init)
}

function questionFor(payload: object) {
  const { accepted } = fromBase64(v2Header(payload as never)['payment-signature'] ?? '')
  const paymentPayload = { x402Version: 2, accepted, payload }
  return { x402Version: 2, paymentPayload, paymentRequirements: accepted }
}
