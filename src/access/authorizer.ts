import type { Payments } from '../payments/payments.ts'
import { paymentsOff } from '../payments/open-payments.ts'
import { MeterUnavailable } from '../store/meter.ts'
import {
  type Authorization,
  type AuthorizationRequest,
  type AuthStrategy,
  notAllowed,
  type Refusal,
  type Unavailable,
} from './authorization.ts'
import { type Credentials, readCredentials } from './credentials.ts'
import { createDemoStrategy } from './demo-strategy.ts'
import { createKeyStrategy, type KeyStrategyDeps } from './key-strategy.ts'
import { createPaymentStrategy } from './payment-strategy.ts'
import { createSiteStrategy } from './site-strategy.ts'

export type Authorizer = ReturnType<typeof createAuthorizer>

interface AuthorizerDeps extends Omit<KeyStrategyDeps, 'dailyQuota'> {
  readonly keyDailyQuota: number
  readonly demoDailyQuota: number
  readonly payments?: Pick<Payments, 'authorize'>
}

/** The only place that decides who may make a metered call and who pays for it: key, then demo, then payment. */
export function createAuthorizer(deps: AuthorizerDeps) {
  const { meter, keyDailyQuota, demoDailyQuota, payments } = deps
  const strategies: AuthStrategy[] = [
    createKeyStrategy({ ...deps, dailyQuota: keyDailyQuota }),
    createSiteStrategy({ ...deps, dailyQuota: keyDailyQuota }),
    createDemoStrategy(meter, demoDailyQuota),
  ]
  if (payments !== undefined) strategies.push(createPaymentStrategy(meter, payments))

  const missing = noCredentials(payments !== undefined && payments !== paymentsOff)

  /**
   * Decides a call and counts it. HEAD is decided like GET and costs nothing. Returns no promise where there is nothing to
   * wait for.
   */
  function authorize(request: AuthorizationRequest): Authorization | Promise<Authorization> {
    const credentials = request.credentials ?? readCredentials(request.rawQuery)
    if ('errors' in credentials) return { granted: false, error: 'invalid_query', errors: credentials.errors }
    const namesKey = credentials.signature !== undefined || request.site !== undefined
    if (request.onlyKeyIds !== undefined && !namesKey) return notAllowed
    return decide(request, credentials, 0, [])
  }

  /** Tries one strategy after the other, from `first` on. `refusals` are those of the strategies before. */
  function decide(
    request: AuthorizationRequest,
    credentials: Credentials,
    first: number,
    refusals: readonly Refusal[],
  ): Authorization | Promise<Authorization> {
    for (let index = first; index < strategies.length; index += 1) {
      const answer = strategies[index]?.(request, credentials)
      if (answer instanceof Promise)
        return answer.then(
          (outcome) => weigh(outcome, request, credentials, index, refusals),
          refuseWhileBusy,
        )
      if (answer !== undefined) return answer
    }
    return { granted: false, error: 'refused', refusal: refusals[0] ?? missing, refusals }
  }

  /** Decides by the answer of the strategy at `index`. */
  function weigh(
    outcome: Authorization | Refusal | undefined,
    request: AuthorizationRequest,
    credentials: Credentials,
    index: number,
    refusals: readonly Refusal[],
  ): Authorization | Promise<Authorization> {
    if (outcome === undefined) return decide(request, credentials, index + 1, refusals)
    if ('granted' in outcome) return outcome
    if (request.unlessAnswered !== undefined)
      return { granted: false, error: 'invalid_query', errors: request.unlessAnswered }
    // Restricted brands cannot be bought: a payment replaces the quota of an allowed key, never its permission.
    const isLast = request.onlyKeyIds !== undefined && outcome.code !== 'quota_exhausted'
    return decide(request, credentials, isLast ? strategies.length : index + 1, [...refusals, outcome])
  }

  return { authorize }
}

/** The refusal of a call without credentials, which names those that are taken here. */
function noCredentials(takesPayments: boolean): Refusal {
  const detail = `This call needs a signed key${takesPayments ? ', demo=1 or a payment' : ' or demo=1'}.`
  return { code: 'payment_required', detail }
}

function refuseWhileBusy(error: unknown): Unavailable {
  if (error instanceof MeterUnavailable) return { ...busy, cause: error }
  throw error
}

const busy: Unavailable = {
  granted: false,
  error: 'busy',
  detail: 'The call could not be counted just now, and nothing was charged.',
  retryAfterSeconds: 1,
}
