import { Problem } from '../errors.ts'
import { corkedBody } from '../lib/body.ts'
import { formatMicros } from '../lib/human-format.ts'
import { runOnce } from '../lib/memo.ts'
import { WaitEnded } from '../lib/waiter.ts'
import type { PaymentRow } from '../store/payment-states.ts'
import { findStoreError, repeatWhileLocked, retryWhileLocked } from '../store/store-error.ts'
import { RpcUnavailable } from './chain/rpc.ts'
import { payerLock, type StoredResponse, transferLock } from './ledger/claims.ts'
import { notCharged, OutcomeUnknown, type PaymentReason, type PaymentRefusal } from './payment-reasons.ts'
import { knownNetworks } from './payment-settings.ts'
import type { Delivery, PaymentAuthorization } from './payments.ts'
import type { PaymentParts, ReservedCharge, Settlement } from './purchase.ts'
import { encodeJson, mppReceipt } from './wire/mpp.ts'

/** @param refusalOf the 402 for a reason, with headers of its own */
export function createPaymentAuthorization(
  { chargeId, payment, settle }: ReservedCharge,
  { store, ledger, resolver, clock }: PaymentParts,
  refusalOf: (reason: PaymentReason, headers: Readonly<Record<string, string>>) => Response,
): PaymentAuthorization {
  const release = runOnce(() =>
    store.deferred.add(() => ledger.steps.release(chargeId), { locks: [payerLock(payment)] }),
  )

  async function refuse(reason: PaymentReason): Promise<Response> {
    await release()
    const isX402 = payment.via.startsWith('x402')
    const failure = { success: false, errorReason: reason, transaction: '' }
    return refusalOf(reason, isX402 ? settlementHeader(payment, failure) : {})
  }

  async function capture(response: Response, isHeard: () => boolean, delivery?: Delivery): Promise<Response> {
    if (response.status >= 400) {
      await release()
      return response
    }
    const body = new Uint8Array(await response.arrayBuffer())
    let settlement: Settlement | PaymentRefusal | undefined
    try {
      settlement = settle && (await repeatWhileLocked(store, settle))
      if (settlement?.kind === 'refused') {
        const { reason } = settlement
        await retryWhileLocked(() => resolver.markFailed(payment, reason))
        return await refuse(reason)
      }
      const made = settlement?.kind === 'settled' ? settlement : undefined
      const kept = await retryWhileLocked(() => complete(response, body, isHeard, made, delivery))
      if (kept === 'released') throw new OutcomeUnknown('settlement_pending', 'The answer came too late.', 1)
      return kept === 'used' ? await refuse('payment_already_used') : responseOf(kept)
    } catch (error) {
      const unwritten = findStoreError(error) && settlement?.kind === 'settled' ? settlement : undefined
      if (unwritten !== undefined) {
        // The money moved: this is written as soon as the store can, so that it still buys the request.
        const locks = [payerLock(payment), transferLock(unwritten)]
        void store.deferred.add(() => resolver.settle(payment, unwritten), { durable: true, locks })
      }
      await release()
      if (unwritten === undefined) throw toProblem(error)
      const words = 'The settlement could not be written down yet.'
      throw toProblem(new OutcomeUnknown('settlement_pending', words, 5, error))
    }
  }

  /** Records the money and what it bought. `used`: the money has bought something else. `released`: the charge was. */
  function complete(
    { status, headers: own }: Response,
    body: Uint8Array,
    isHeard: () => boolean,
    settled: Extract<Settlement, { kind: 'settled' }> | undefined,
    delivery: Delivery | undefined,
  ): Promise<StoredResponse | 'used' | 'released'> {
    const moved = settled === undefined ? [] : [transferLock(settled)]
    return store.transaction(
      function* () {
        if (settled !== undefined && !(yield* resolver.settle(payment, settled))) return 'used'
        const current = (yield* store.payments.byId(payment.id)) ?? payment
        const headers = paidHeaders(own, receiptHeaders(current, clock.now()))
        const answer: StoredResponse = { status, headers: [...headers], body }
        if (!(yield* ledger.steps.complete(chargeId, answer, isHeard()))) return 'released'
        if (delivery !== undefined) yield* delivery.steps()
        return answer
      },
      { durable: true, locks: [payerLock(payment), ...moved, ...(delivery?.locks ?? [])] },
    )
  }

  return { capture, release }
}

export function responseOf({ status, headers, body }: StoredResponse): Response {
  return new Response(corkedBody(body as Uint8Array<ArrayBuffer>), {
    status,
    headers: headers.map(([name, value]) => [name, value]),
  })
}

function toProblem(error: unknown): unknown {
  const unknown = toUnknown(error)
  if (unknown === undefined) return error
  const headers = { 'retry-after': String(unknown.retryAfterSeconds), ...notCharged }
  return new Problem(unknown.code, unknown.message, { headers, cause: unknown.cause })
}

export function toUnknown(error: unknown): OutcomeUnknown | undefined {
  if (error instanceof OutcomeUnknown) return error
  if (error instanceof WaitEnded && !error.isGone)
    return new OutcomeUnknown('busy', 'Too many payments wait for their turn.', 5, error)
  if (findStoreError(error) !== undefined)
    return new OutcomeUnknown('busy', 'The payment could not be written down just now.', 1, error)
  if (!(error instanceof RpcUnavailable)) return undefined
  return new OutcomeUnknown('payments_unavailable', 'The chain cannot be asked at this moment.')
}

/** A paid response belongs to its payer: no shared cache may keep it. */
function paidHeaders(own: Headers, receipt: Readonly<Record<string, string>>): Headers {
  const headers = new Headers(own)
  const maxAge = /max-age=\d+/.exec(headers.get('cache-control') ?? '')?.[0]
  headers.set('cache-control', maxAge === undefined ? 'private' : `private, ${maxAge}`)
  for (const [name, value] of Object.entries(receipt)) headers.set(name, value)
  return headers
}

function receiptHeaders(payment: PaymentRow, timeMs: number): Record<string, string> {
  const { via, txHash, amountMicros, spentMicros } = payment
  const transaction = txHash ?? ''
  const left = amountMicros - spentMicros
  const credit: Record<string, string> = left > 0 ? { 'X-Payment-Credit': formatMicros(left) } : {}
  if (via === 'mpp') return { ...credit, 'Payment-Receipt': mppReceipt(transaction, timeMs) }
  return { ...credit, ...settlementHeader(payment, { success: true, transaction }) }
}

function settlementHeader({ via, chainId, payer }: PaymentRow, outcome: object): Record<string, string> {
  const v1Name = via === 'x402-v1' ? knownNetworks[chainId]?.v1Name : undefined
  const name = via === 'x402-v2' ? 'PAYMENT-RESPONSE' : 'X-PAYMENT-RESPONSE'
  return { [name]: encodeJson({ ...outcome, network: v1Name ?? `eip155:${chainId}`, payer }, 'base64') }
}
