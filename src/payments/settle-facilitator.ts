import type { Clock } from '../lib/clock.ts'
import type { Store } from '../store/open.ts'
import type { PaymentRow } from '../store/payments.ts'
import { asObject } from './encoding.ts'
import type { Settled, SettlementFinder } from './find-settlement.ts'
import { toMicros } from './money.ts'
import type { OfferedAuthorization } from './parse-payment.ts'
import { promisedBy } from './promised.ts'
import { OutcomeUnknown, type Reason, type Refusal, reasons, refuse } from './reasons.ts'
import { acceptV1, exactTerms, headerUrl, type Offer } from './requirements.ts'
import type { Hex, PaymentSettings } from './settings.ts'
import type { Checked, Moved, Settler } from './settler.ts'

interface Deps {
  readonly facilitator: { readonly url: string; readonly headers: Readonly<Record<string, string>> }
  readonly settings: PaymentSettings
  readonly store: Pick<Store, 'transaction' | 'payments'>
  readonly clock: Clock
  /** Where there is a chain to check the facilitator's word on. */
  readonly finder: SettlementFinder | undefined
}

const verifyTimeoutMs = 5_000
const lookAgainMs = 250

/** Settles through a facilitator that speaks the standard /verify and /settle. */
export function createFacilitatorSettler({ facilitator, settings, store, clock, finder }: Deps): Settler {
  async function ask(path: string, offered: OfferedAuthorization, offer: Offer, timeoutMs: number) {
    try {
      // biome-ignore lint/style/noRestrictedGlobals: the operator names this URL, no caller can
      const response = await fetch(`${facilitator.url}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...facilitator.headers },
        body: JSON.stringify(questionFor(offered, offer, settings)),
        signal: AbortSignal.timeout(timeoutMs),
        redirect: 'error',
      })
      const answer = asObject(await response.json())
      // A refusal may come with an error status; without a verdict it is no answer.
      if (answer === undefined || !('isValid' in answer || 'success' in answer)) {
        throw new Error(`it answers ${response.status} without a verdict`)
      }
      return answer
    } catch (error) {
      const words = error instanceof Error ? error.message : String(error)
      throw new OutcomeUnknown('payments_unavailable', `The facilitator cannot be asked: ${words}`)
    }
  }

  async function check(offered: OfferedAuthorization, offer: Offer): Promise<Checked | Refusal> {
    const answer = await ask('/verify', offered, offer, verifyTimeoutMs)
    const balanceMicros = Number.POSITIVE_INFINITY
    if (answer['isValid'] === true) return { kind: 'good', balanceMicros }
    const carried = await findMoney(offered)
    return carried === undefined
      ? refuse(toReason(answer['invalidReason']))
      : { kind: 'good', balanceMicros, carried }
  }

  async function findMoney({ authorization }: OfferedAuthorization): Promise<Settled | undefined> {
    const { from: payer, nonce, value } = authorization
    const promised = { payer, nonce, amountMicros: toMicros(value, settings.asset) }
    if (finder === undefined || !(await finder.isUsed(promised))) return undefined
    return await finder.find(promised)
  }

  async function settle(
    payment: PaymentRow,
    offered: OfferedAuthorization,
    offer: Offer,
  ): Promise<Moved | Refusal> {
    const deadlineMs = performance.now() + settings.settleTimeoutMs
    const write = () => store.payments.update(payment.id, { state: 'submitted', updatedAtMs: clock.now() })
    store.transaction(write, { durable: true })
    let answer: Record<string, unknown>
    try {
      answer = await ask('/settle', offered, offer, settings.settleTimeoutMs)
    } catch (error) {
      const found = await lookFor(payment)
      if (found !== undefined) return { kind: 'settled', ...found }
      throw error
    }
    const txHash = readHash(answer['transaction'])
    if (answer['success'] !== true) {
      const found = await lookFor(payment)
      if (found !== undefined) return { kind: 'settled', ...found }
      if (/pending/.test(String(answer['errorReason']))) {
        throw new OutcomeUnknown('settlement_pending', 'The facilitator is still settling.', 5)
      }
      return refuse(toReason(answer['errorReason']))
    }
    if (finder === undefined || !settings.verifyFacilitator) {
      if (txHash === undefined)
        throw new OutcomeUnknown('settlement_pending', 'The facilitator names no transaction.')
      return { kind: 'settled', txHash, blockNumber: 0, blockHash: '0x' }
    }
    return await confirm(payment, deadlineMs)
  }

  /** The facilitator says that the money moved. The chain has the last word. */
  async function confirm(payment: PaymentRow, deadlineMs: number): Promise<Moved> {
    for (;;) {
      const found = await lookFor(payment)
      if (found !== undefined) return { kind: 'settled', ...found }
      if (performance.now() + lookAgainMs > deadlineMs) {
        const words = 'The facilitator says that it settled, and the chain knows nothing of it yet.'
        throw new OutcomeUnknown('settlement_pending', words, 5)
      }
      await new Promise((resolve) => setTimeout(resolve, lookAgainMs))
    }
  }

  async function lookFor(payment: PaymentRow): Promise<Settled | undefined> {
    return (await finder?.isUsed(promisedBy(payment))) ? await finder?.find(promisedBy(payment)) : undefined
  }

  return { check, settle }
}

function questionFor(
  offered: OfferedAuthorization,
  offer: Offer,
  settings: PaymentSettings,
): Record<string, unknown> {
  if (offered.via === 'x402-v1') {
    const paymentRequirements = acceptV1(offer, settings)
    return { x402Version: 1, paymentPayload: offered.payload, paymentRequirements }
  }
  const paymentRequirements = exactTerms(offer.priceMicros, settings)
  const paymentPayload = offered.via === 'mpp' ? toV2(offered, offer, paymentRequirements) : offered.payload
  return { x402Version: 2, paymentPayload, paymentRequirements }
}

/** An MPP credential in the words that facilitators know. */
function toV2({ authorization, signature }: OfferedAuthorization, offer: Offer, accepted: object): object {
  const { from, to, nonce, value, validAfter, validBefore } = authorization
  const numbers = { value: String(value), validAfter: String(validAfter), validBefore: String(validBefore) }
  const resource = { url: headerUrl(offer.url), description: offer.description, mimeType: offer.mimeType }
  return {
    x402Version: 2,
    resource,
    accepted,
    payload: { signature, authorization: { from, to, nonce, ...numbers } },
  }
}

/** A facilitator's word as one of ours. */
function toReason(word: unknown): Reason {
  const text = String(word)
  if (text in reasons) return text as Reason
  return facilitatorWords.find(([pattern]) => pattern.test(text))?.[1] ?? 'settlement_failed'
}

const facilitatorWords: readonly (readonly [RegExp, Reason])[] = [
  [/insufficient/, 'insufficient_funds'],
  [/undeployed/, 'invalid_exact_evm_payload_undeployed_smart_wallet'],
  [/signature/, 'invalid_exact_evm_payload_signature'],
  [/valid_before/, 'invalid_exact_evm_payload_authorization_valid_before'],
  [/valid_after/, 'invalid_exact_evm_payload_authorization_valid_after'],
  [/nonce|used/, 'invalid_exact_evm_payload_authorization_used'],
  [/recipient/, 'invalid_exact_evm_payload_recipient_mismatch'],
  [/value/, 'invalid_exact_evm_payload_authorization_value'],
  [/network/, 'invalid_network'],
]

function readHash(value: unknown): Hex | undefined {
  return typeof value === 'string' && /^0x[0-9a-f]{64}$/i.test(value)
    ? (value.toLowerCase() as Hex)
    : undefined
}
