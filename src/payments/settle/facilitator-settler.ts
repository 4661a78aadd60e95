import { Buffer } from 'node:buffer'
import { setTimeout as sleep } from 'node:timers/promises'
import { foreignTextOf } from '../../lib/system-reason.ts'
import type { PaymentRow } from '../../store/payment-states.ts'
import { isHex, toLowerCase } from '../chain/answers.ts'
import type { AuthorizationReference, Chain } from '../chain/chain.ts'
import { transition } from '../ledger/claims.ts'
import { isReason, OutcomeUnknown, type PaymentReason, refuse } from '../payment-reasons.ts'
import type { PaymentContext, PaymentSettings } from '../payment-settings.ts'
import type { Settler } from '../purchase.ts'
import { asObject } from '../wire/mpp.ts'
import type { OfferedAuthorization } from '../wire/parse-payment.ts'
import { acceptV1, exactTerms, headerUrl, type Offer } from '../wire/payment-terms.ts'
import codes from './facilitator-codes.json' with { type: 'json' }

interface Deps extends PaymentContext {
  readonly facilitator: NonNullable<PaymentSettings['facilitator']>
  /** Confirms on chain what the facilitator says; undefined without an RPC. */
  readonly chain: Chain | undefined
}

/** Stands in a payment's row for good once a facilitator was asked to settle it. */
const facilitatorName = 'facilitator'

export function createFacilitatorSettler(deps: Deps): Settler {
  const { settings, chain } = deps
  const call = createFacilitatorClient(deps)

  const settle: Settler['settle'] = async (payment, offered, offer) => {
    const timeoutMs = settings.settleTimeoutMs
    const deadlineMs = performance.now() + timeoutMs
    offer.waiter?.begin()
    if (!(await markSettler(payment, facilitatorName)))
      throw new OutcomeUnknown('settlement_pending', 'Another call has taken this payment over.')
    const { isAccepted, errorCode, txHash } = await call('settle', offered, offer, timeoutMs).catch(
      (error: unknown) => ({ isAccepted: undefined, errorCode: error, txHash: undefined }),
    )
    if (isAccepted === true) {
      if (chain !== undefined && settings.verifyFacilitator) return await confirm(chain, payment, deadlineMs)
      if (txHash !== undefined)
        return { kind: 'settled', txHash, blockNumber: 0, blockHash: '0x', logIndexes: [] } as const
      throw new OutcomeUnknown('settlement_pending', 'The facilitator names no transaction.')
    }
    const found = await chain?.findUsed(payment)
    if (found !== undefined) return { kind: 'settled', ...found } as const
    // Without an RPC nobody can see whether an earlier attempt has settled.
    const isFirstAttempt = chain !== undefined || payment.settler === null
    const isRefused = isAccepted === false && txHash === undefined && isFirstAttempt
    const reason = isRefused ? readFacilitatorError('settle', errorCode) : undefined
    if (reason !== undefined) {
      await markSettler(payment, null)
      return refuse(reason)
    }
    logNoVerdict(deps, 'settle', errorCode)
    throw new OutcomeUnknown('settlement_pending', 'The facilitator does not say whether it settled.', 5)
  }

  function markSettler({ id }: PaymentRow, settler: string | null): Promise<boolean> {
    const from = settler === null ? (['submitted'] as const) : (['reserved', 'submitted'] as const)
    return transition(deps, id, { from, to: 'submitted', changes: { settler } })
  }

  return { check: createFacilitatorCheck(deps, call), settle }
}

const verifyTimeoutMs = 5_000

/** Asks the facilitator's /verify, which broadcasts nothing, so an unknown outcome costs nobody anything. */
function createFacilitatorCheck(deps: Deps, call: FacilitatorClient): Settler['check'] {
  const { settings, chain } = deps

  /** Without a verdict. A wallet without the money is refused by the chain, which needs no facilitator. */
  async function unable({ authorization }: OfferedAuthorization, words: string, seconds = 2) {
    const { from, value } = authorization
    const balance = await chain?.balanceOf(settings.asset.address, from)
    if (balance !== undefined && balance < value) return refuse('insufficient_funds')
    const error = new OutcomeUnknown('payments_unavailable', words, seconds)
    return { kind: 'unable', error } as const
  }

  return async (offered, offer) => {
    const verdict = await call('verify', offered, offer, verifyTimeoutMs).catch((error) => {
      logNoVerdict(deps, 'verify', error)
    })
    if (verdict === undefined) return await unable(offered, 'The facilitator cannot be asked.')
    const { isAccepted, errorCode } = verdict
    if (isAccepted) return { kind: 'checked', balanceMicros: Number.POSITIVE_INFINITY }
    // The token has seen the nonce: the facilitator may see a block that our RPC does not see yet.
    if (chain !== undefined && usedCodes.includes(errorCode))
      throw new OutcomeUnknown('settlement_pending', 'The facilitator says that it was settled already.', 5)
    const reason = readFacilitatorError('verify', errorCode)
    if (reason !== undefined) return refuse(reason)
    logNoVerdict(deps, 'verify', errorCode)
    return await unable(offered, 'The facilitator does not say what is wrong.', 5)
  }
}

const pollMs = 250

/** Waits until the chain shows the settlement that the facilitator claims. */
async function confirm(chain: Chain, reference: AuthorizationReference, deadlineMs: number) {
  for (;;) {
    const found = await chain.findUsed(reference).catch(ignoreUnknown)
    if (found !== undefined) return { kind: 'settled', ...found } as const
    if (performance.now() + pollMs > deadlineMs) {
      const words = 'The facilitator says that it settled, and the chain knows nothing of it yet.'
      throw new OutcomeUnknown('settlement_pending', words, 5)
    }
    await sleep(pollMs)
  }
}

/** A settlement that needs more confirmations is waited for. */
function ignoreUnknown(error: unknown): undefined {
  if (!(error instanceof OutcomeUnknown)) throw error
}

type FacilitatorClient = ReturnType<typeof createFacilitatorClient>

const responseBytesMax = 65_536

const members = {
  verify: { verdict: 'isValid', errorCode: 'invalidReason' },
  settle: { verdict: 'success', errorCode: 'errorReason' },
} as const

/** Calls /verify and /settle as the x402 standard describes them. Throws an Error where the response is no verdict. */
function createFacilitatorClient({ facilitator: { url, headers }, settings }: Deps) {
  return async (step: FacilitatorStep, offered: OfferedAuthorization, offer: Offer, timeoutMs: number) => {
    // biome-ignore lint/style/noRestrictedGlobals: the operator names this URL, no caller can
    const response = await fetch(`${url}/${step}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(requestFor(offered, offer, settings)),
      signal: AbortSignal.timeout(timeoutMs),
      redirect: 'error',
    })
    const answer = asObject(await readJson(response, responseBytesMax))
    const verdict = answer?.[members[step].verdict]
    // A refusal may come with 4xx. A 5xx means that the facilitator itself does not know the outcome.
    if (answer === undefined || typeof verdict !== 'boolean' || response.status >= 500)
      throw new Error(`it answers ${response.status} without a verdict`)
    const { transaction } = answer
    const txHash = isHex(transaction, 32) ? toLowerCase(transaction) : undefined
    return { isAccepted: verdict, errorCode: answer[members[step].errorCode], txHash }
  }
}

function requestFor(offered: OfferedAuthorization, offer: Offer, settings: PaymentSettings) {
  if (offered.via === 'x402-v1') {
    const paymentRequirements = acceptV1(offer, settings)
    return { x402Version: 1, paymentPayload: offered.payload, paymentRequirements }
  }
  const paymentRequirements = exactTerms(offer.priceMicros, settings)
  const paymentPayload = offered.via === 'mpp' ? toV2(offered, offer, paymentRequirements) : offered.payload
  return { x402Version: 2, paymentPayload, paymentRequirements }
}

function toV2({ authorization, signature }: OfferedAuthorization, offer: Offer, accepted: object): object {
  const { from, to, nonce, value, validAfter, validBefore } = authorization
  const numbers = { value: String(value), validAfter: String(validAfter), validBefore: String(validBefore) }
  const resource = { url: headerUrl(offer.url), description: offer.description, mimeType: offer.mimeType }
  const payload = { signature, authorization: { from, to, nonce, ...numbers } }
  return { x402Version: 2, resource, accepted, payload }
}

/** The JSON of an answer. Throws when it is longer than `bytesMax`, and stops reading there. */
export async function readJson({ body }: Response, bytesMax: number): Promise<unknown> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength
    if (bytes > bytesMax) throw new Error(`it answers more than ${bytesMax} bytes`)
    chunks.push(chunk)
  }
  return JSON.parse(Buffer.concat(chunks).toString())
}

/** Our reason for a facilitator's error code; undefined for every other code, which tells nothing. */
function readFacilitatorError(step: FacilitatorStep, code: unknown): PaymentReason | undefined {
  if (typeof code !== 'string') return undefined
  const reason = reasons[step].get(code)
  return reason !== undefined && isReason(reason) ? reason : undefined
}

/** Log only: the facilitator's text never reaches a client. `cause` is its error code, or why it gave none. */
function logNoVerdict({ log, facilitator }: Deps, step: FacilitatorStep, cause: unknown): void {
  const { url, headers } = facilitator
  const text = cause instanceof Error ? cause.message : cause
  const words =
    typeof text === 'string'
      ? foreignTextOf(url, headers)(text, 100).replace(/[^\x20-\x7e…]/g, '')
      : 'no reason given'
  log.warn('the facilitator gives no verdict', { step, words })
}

type FacilitatorStep = 'verify' | 'settle'

/** Reasons by x402 error codes. Some are certain only where nothing is broadcast: at /settle they may follow a transaction. */
const reasons = {
  settle: new Map(Object.entries(codes.beforeBroadcast)),
  verify: new Map(Object.entries({ ...codes.whileVerifying, ...codes.beforeBroadcast })),
}
const usedCodes: readonly unknown[] = [
  'invalid_exact_evm_nonce_already_used',
  'invalid_exact_evm_payload_authorization_used',
]
