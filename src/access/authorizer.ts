import { runOnce } from '../lib/memo.ts'
import { paymentsOff } from '../payments/open-payments.ts'
import { notCharged, paymentReasons } from '../payments/payment-reasons.ts'
import type { PaymentAuthorization, Payments } from '../payments/payments.ts'
import { type Meter, MeterUnavailable, type QuotaReservation } from '../store/meter.ts'
import {
  type Authorization,
  type AuthorizationRequest,
  type AuthStrategy,
  callsToCount,
  demoRevalidation,
  grantByQuota,
  notAllowed,
  type Refusal,
  type Unavailable,
} from './authorization.ts'
import { type Credentials, readCredentials } from './credentials.ts'
import { createKeyStrategies, type KeyStrategyDeps } from './key-strategy.ts'
import texts from './refusals.json' with { type: 'json' }

export type Authorizer = ReturnType<typeof createAuthorizer>

/** The only place that decides who may make a metered call and who pays for it: key, then demo, then payment. */
export function createAuthorizer(
  deps: KeyStrategyDeps & {
    readonly demoDailyQuota: number
    readonly payments?: Pick<Payments, 'authorize'>
  },
) {
  const { demoDailyQuota, payments } = deps
  const { meter } = deps.store
  const strategies = [...createKeyStrategies(deps), createDemoStrategy(meter, demoDailyQuota)]
  if (payments !== undefined) strategies.push(createPaymentStrategy(meter, payments))

  const takesPayments = payments !== undefined && payments !== paymentsOff
  const detail = `This call needs a signed key${takesPayments ? ', demo=1 or a payment' : ' or demo=1'}.`
  const missing = { code: 'payment_required', detail }

  /** Decides a call and counts it; HEAD costs nothing. Returns no promise where there is nothing to wait for. */
  function authorize(request: AuthorizationRequest): Authorization | Promise<Authorization> {
    const credentials = request.credentials ?? readCredentials(request.rawQuery)
    if ('errors' in credentials) return { granted: false, error: 'invalid_query', errors: credentials.errors }
    const namesKey = credentials.signature !== undefined || request.site !== undefined
    if (request.onlyKeyIds !== undefined && !namesKey) return notAllowed
    return decide(request, credentials, 0)
  }

  function decide(
    request: AuthorizationRequest,
    credentials: Credentials,
    first: number,
    refusal?: Refusal,
  ): Authorization | Promise<Authorization> {
    for (let index = first; index < strategies.length; index += 1) {
      const answer = strategies[index]?.(request, credentials)
      if (answer instanceof Promise)
        return answer.then((outcome) => {
          if (outcome === undefined) return decide(request, credentials, index + 1, refusal)
          if ('granted' in outcome) return outcome
          if (request.unlessAnswered !== undefined)
            return { granted: false, error: 'invalid_query', errors: request.unlessAnswered } as const
          // Restricted brands cannot be bought: a payment replaces the quota of an allowed key, never its permission.
          const isLast = request.onlyKeyIds !== undefined && outcome.code !== 'quota_exhausted'
          return decide(request, credentials, isLast ? strategies.length : index + 1, refusal ?? outcome)
        }, refuseWhileBusy)
      if (answer !== undefined) return answer
    }
    return { granted: false, error: 'refused', refusal: refusal ?? missing }
  }

  return { authorize }
}

function refuseWhileBusy(cause: unknown): Unavailable {
  if (!(cause instanceof MeterUnavailable)) throw cause
  const detail = 'The call could not be counted just now, and nothing was charged.'
  return { granted: false, error: 'busy', detail, retryAfterSeconds: 1, cause }
}

function createDemoStrategy(meter: Meter, limit: number): AuthStrategy {
  async function authorize(request: AuthorizationRequest): Promise<Authorization | Refusal> {
    const { endpoint } = request
    const n = callsToCount(request)
    const quota = await meter.reserve({ bucket: 'demo', limit, n, endpoint, auth: 'demo' })
    return quota.granted ? grantByQuota('demo', meter, quota) : { ...texts.demo_quota, quota }
  }

  return (request, { demo }) => {
    if (!demo) return undefined
    return request.isRevalidation === true ? demoRevalidation : authorize(request)
  }
}

/** Authenticates by payment. Tried only when nothing free was granted, and never for HEAD. */
export function createPaymentStrategy(meter: Meter, payments: Pick<Payments, 'authorize'>): AuthStrategy {
  async function count(endpoint: string, payment: PaymentAuthorization): Promise<QuotaReservation> {
    try {
      return await meter.reserve({ bucket: 'payment', limit: null, endpoint, auth: 'payment' })
    } catch (error) {
      await payment.release()
      throw error
    }
  }

  return async (request) => {
    if (request.method === 'HEAD') return undefined
    const outcome = await payments.authorize(request)
    switch (outcome.kind) {
      case 'none':
        return undefined
      case 'refused': {
        const { reason, retryAfterSeconds } = outcome
        const refusal = { code: reason, detail: paymentReasons[reason] }
        if (retryAfterSeconds === undefined) return refusal
        return { ...refusal, headers: { 'retry-after': String(retryAfterSeconds) } }
      }
      case 'replayed':
        return { granted: false, error: 'replayed', response: outcome.response }
      case 'unknown': {
        const { code, message, retryAfterSeconds, cause } = outcome.error
        return { granted: false, error: code, detail: message, retryAfterSeconds, headers: notCharged, cause }
      }
      case 'authorized': {
        const { payment } = outcome
        const reservation = await count(request.endpoint, payment)
        const refund = runOnce(async () => {
          await Promise.all([payment.release(), meter.release(reservation)])
        })
        return { granted: true, mode: 'payment', payment, refund }
      }
    }
  }
}
