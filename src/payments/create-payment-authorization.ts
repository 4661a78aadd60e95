import { Problem } from '../errors.ts'
import type { Clock } from '../lib/clock.ts'
import type { Store } from '../store/open.ts'
import type { PaymentRow } from '../store/payments.ts'
import { repeatWhileLocked, retryWhileLocked } from '../store/retry-while-locked.ts'
import { findStoreError } from '../store/store-error.ts'
import { RpcUnavailable } from './chain/rpc.ts'
import type { Ledger, StoredResponse } from './ledger/ledger.ts'
import { notCharged, OutcomeUnknown } from './outcome-unknown.ts'
import type { PaymentReason } from './payment-reasons.ts'
import type { PaymentRefusal } from './payment-refusal.ts'
import type { PaymentAuthorization } from './payments.ts'
import type { Decision } from './purchase.ts'
import type { SettlementResolver } from './settle/settlement-resolver.ts'
import type { Settlement } from './settle/settler.ts'
import { receiptHeaders, settlementFailedHeaders } from './wire/receipts.ts'

interface Deps {
  readonly store: Store
  readonly ledger: Ledger
  readonly resolver: SettlementResolver
  readonly clock: Clock
  readonly refuse: (reason: PaymentReason, headers: Readonly<Record<string, string>>) => Response
}

type Held = Extract<Decision, { kind: 'held' }>

export function createPaymentAuthorization(
  { chargeId, payment, settle }: Held,
  deps: Deps,
): PaymentAuthorization {
  const { store, ledger, resolver, clock } = deps
  function release() {
    return store.deferred.add(() => ledger.release(chargeId))
  }

  async function capture(response: Response, deliver?: () => void): Promise<Response> {
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
        return await giveUp(reason)
      }
      const paid = settlement
      const answer = await retryWhileLocked(() => conclude(response, body, paid, deliver))
      return answer ?? (await giveUp('payment_already_used'))
    } catch (error) {
      const unwritten = findStoreError(error) && settlement?.kind === 'settled' ? settlement : undefined
      if (unwritten !== undefined) keepSettlement(unwritten)
      await release()
      throw toProblem(unwritten === undefined ? error : stillUnwritten(error))
    }
  }

  async function giveUp(reason: PaymentReason): Promise<Response> {
    await release()
    return deps.refuse(reason, settlementFailedHeaders(payment, reason))
  }

  /** The money moved and could not be written down: it is, as soon as the store can, so that it still buys the call. */
  function keepSettlement(settlement: Extract<Settlement, { kind: 'settled' }>): void {
    void store.deferred.add(() => resolver.markSettled(payment, settlement), { durable: true })
  }

  /** One transaction writes that the money moved and what it bought. Undefined when it has bought something else. */
  function conclude(
    response: Response,
    body: Uint8Array,
    settlement: Settlement | undefined,
    deliver: (() => void) | undefined,
  ): Response | undefined {
    const answer = store.transaction(
      () => {
        if (settlement?.kind === 'settled' && !resolver.markSettled(payment, settlement)) return 'taken'
        const now: PaymentRow = store.payments.byId(payment.id) ?? payment
        const headers = paidHeaders(response.headers, receiptHeaders(now, clock.now()))
        const kept: StoredResponse = { status: response.status, headers: [...headers], body }
        if (!ledger.complete(chargeId, kept)) return undefined
        deliver?.()
        return kept
      },
      { durable: true },
    )
    if (answer === 'taken') return undefined
    if (answer === undefined) throw new OutcomeUnknown('settlement_pending', 'The answer came too late.', 1)
    return responseOf(answer)
  }

  return { capture, release }
}

/** An answer as it was first given. */
export function responseOf({ status, headers, body }: StoredResponse): Response {
  return new Response(body as Uint8Array<ArrayBuffer>, {
    status,
    headers: headers.map(([name, value]) => [name, value]),
  })
}

function stillUnwritten(cause: unknown): OutcomeUnknown {
  return new OutcomeUnknown('settlement_pending', 'The settlement could not be written down yet.', 5, cause)
}

/** What is said while nobody knows: 503, and the payment stays usable. */
export function toProblem(error: unknown): unknown {
  const unknown = toUnknown(error)
  if (unknown === undefined) return error
  const headers = { 'retry-after': String(unknown.retryAfterSeconds), ...notCharged }
  return new Problem(unknown.code, unknown.message, { headers, cause: unknown.cause })
}

/** Whether the error means that nothing is known, and in which words to say so. */
export function toUnknown(error: unknown): OutcomeUnknown | undefined {
  if (error instanceof OutcomeUnknown) return error
  if (findStoreError(error) !== undefined)
    return new OutcomeUnknown('busy', 'The payment could not be written down just now.', 1, error)
  if (!(error instanceof RpcUnavailable)) return undefined
  return new OutcomeUnknown('payments_unavailable', 'The chain cannot be asked at this moment.')
}

/** A paid answer belongs to its payer: no shared cache may keep it. */
function paidHeaders(own: Headers, receipt: Readonly<Record<string, string>>): Headers {
  const headers = new Headers(own)
  const maxAge = /max-age=\d+/.exec(headers.get('cache-control') ?? '')?.[0]
  headers.set('cache-control', maxAge === undefined ? 'private' : `private, ${maxAge}`)
  for (const [name, value] of Object.entries(receipt)) headers.set(name, value)
  return headers
}
