import { Problem } from '../../errors.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Store } from '../../store/open.ts'
import type { PaymentRow } from '../../store/payments.ts'
import { repeatWhileLocked, retryWhileLocked } from '../../store/retry-while-locked.ts'
import { findStoreError } from '../../store/store-error.ts'
import { RpcUnavailable } from '../chain/rpc.ts'
import { notCharged, OutcomeUnknown } from '../outcome-unknown.ts'
import type { PaymentReason } from '../payment-reasons.ts'
import type { PaymentRefusal } from '../payment-refusal.ts'
import type { PaymentAuthorization } from '../payments.ts'
import type { Resolver } from '../settle/resolve.ts'
import type { Moved } from '../settle/settler.ts'
import { failureHeaders, receiptHeaders } from '../wire/receipts.ts'
import type { KeptAnswer, Ledger } from './ledger.ts'
import type { Decision } from './purchase.ts'

interface Deps {
  readonly store: Store
  readonly ledger: Ledger
  readonly resolver: Resolver
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
    let moved: Moved | PaymentRefusal | undefined
    try {
      moved = settle && (await repeatWhileLocked(store, settle))
      if (moved?.kind === 'refused') {
        const { reason } = moved
        await retryWhileLocked(() => resolver.markFailed(payment, reason))
        return await giveUp(reason)
      }
      const paid = moved
      const answer = await retryWhileLocked(() => conclude(response, body, paid, deliver))
      return answer ?? (await giveUp('payment_already_used'))
    } catch (error) {
      const unwritten = findStoreError(error) && moved?.kind === 'settled' ? moved : undefined
      if (unwritten !== undefined) keepSettlement(unwritten)
      await release()
      throw toProblem(unwritten === undefined ? error : stillUnwritten(error))
    }
  }

  async function giveUp(reason: PaymentReason): Promise<Response> {
    await release()
    return deps.refuse(reason, failureHeaders(payment, reason))
  }

  /** The money moved and could not be written down: it is, as soon as the store can, so that it still buys the call. */
  function keepSettlement(moved: Extract<Moved, { kind: 'settled' }>): void {
    void store.deferred.add(() => resolver.markSettled(payment, moved), { durable: true })
  }

  /** One transaction writes that the money moved and what it bought. Undefined when it has bought something else. */
  function conclude(
    response: Response,
    body: Uint8Array,
    moved: Moved | undefined,
    deliver: (() => void) | undefined,
  ): Response | undefined {
    const answer = store.transaction(
      () => {
        if (moved?.kind === 'settled' && !resolver.markSettled(payment, moved)) return 'taken'
        const now: PaymentRow = store.payments.byId(payment.id) ?? payment
        const headers = paidHeaders(response.headers, receiptHeaders(now, clock.now()))
        const kept: KeptAnswer = { status: response.status, headers: [...headers], body }
        if (!ledger.finish(chargeId, kept)) return undefined
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
export function responseOf({ status, headers, body }: KeptAnswer): Response {
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
