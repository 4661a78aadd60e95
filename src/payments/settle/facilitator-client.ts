import { Buffer } from 'node:buffer'
import { foreignTextOf } from '../../lib/foreign-text.ts'
import type { Log } from '../../lib/log.ts'
import { isHex, toLowerCase } from '../chain/answers.ts'
import type { PaymentReason } from '../payment-reasons.ts'
import type { Hex, PaymentSettings } from '../payment-settings.ts'
import { asObject } from '../wire/base64-json.ts'
import type { OfferedAuthorization } from '../wire/parse-payment.ts'
import { acceptV1, exactTerms, headerUrl, type Offer } from '../wire/payment-terms.ts'

/** A facilitator's answer, with 2xx or 4xx. */
export interface FacilitatorVerdict {
  readonly isAccepted: boolean
  readonly errorCode: unknown
  readonly txHash: Hex | undefined
}

export type FacilitatorClient = (
  step: FacilitatorStep,
  offered: OfferedAuthorization,
  offer: Offer,
  timeoutMs: number,
) => Promise<FacilitatorVerdict>

const responseBytesMax = 65_536

/** The members of each step's response that carry the verdict and the error code. */
const members = {
  verify: { verdict: 'isValid', errorCode: 'invalidReason' },
  settle: { verdict: 'success', errorCode: 'errorReason' },
} as const

/** Calls /verify and /settle as the x402 standard describes them. Throws an Error where the response is no verdict. */
export function createFacilitatorClient(
  { url, headers }: NonNullable<PaymentSettings['facilitator']>,
  settings: PaymentSettings,
): FacilitatorClient {
  return async (step, offered, offer, timeoutMs) => {
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
    if (answer === undefined || typeof verdict !== 'boolean' || response.status >= 500) {
      throw new Error(`it answers ${response.status} without a verdict`)
    }
    const { transaction } = answer
    const txHash = isHex(transaction, 32) ? toLowerCase(transaction) : undefined
    return { isAccepted: verdict, errorCode: answer[members[step].errorCode], txHash }
  }
}

function requestFor(
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

/** An MPP credential as the x402 v2 payload that facilitators read. */
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
export function readFacilitatorError(step: FacilitatorStep, code: unknown): PaymentReason | undefined {
  if (typeof code !== 'string') return undefined
  return beforeBroadcast.get(code) ?? (step === 'verify' ? whileVerifying.get(code) : undefined)
}

/** Whether the code means that the token has seen the authorization's nonce: then money may have moved. */
export function isUsedError(code: unknown): boolean {
  return usedCodes.includes(code)
}

/** Log only: the facilitator's text never reaches a client. `cause` is its error code, or why it gave none. */
export function logNoVerdict(
  log: Log,
  { url, headers }: NonNullable<PaymentSettings['facilitator']>,
  step: FacilitatorStep,
  cause: unknown,
): void {
  const text = cause instanceof Error ? cause.message : cause
  const words =
    typeof text === 'string'
      ? foreignTextOf(url, headers)(text, 100).replace(/[^\x20-\x7e…]/g, '')
      : 'no reason given'
  log.warn('the facilitator gives no verdict', { step, words })
}

type FacilitatorStep = 'verify' | 'settle'

/** Our reasons that facilitators answer by the same code, before they broadcast anything. */
const ourCodes: readonly PaymentReason[] = [
  'insufficient_funds',
  'invalid_exact_evm_payload_signature',
  'invalid_exact_evm_payload_undeployed_smart_wallet',
  'invalid_exact_evm_payload_recipient_mismatch',
  'invalid_exact_evm_payload_authorization_value',
  'invalid_exact_evm_payload_authorization_value_mismatch',
  'invalid_exact_evm_payload_authorization_valid_after',
  'invalid_exact_evm_payload_authorization_valid_before',
  'invalid_network',
  'unsupported_scheme',
  'invalid_payload',
  'invalid_payment_requirements',
  'invalid_x402_version',
]

/** Maps each x402 error code to our reason. */
const beforeBroadcast: ReadonlyMap<string, PaymentReason> = new Map<string, PaymentReason>([
  ...ourCodes.map((code) => [code, code] as const),
  ['invalid_exact_evm_insufficient_balance', 'insufficient_funds'],
  ['invalid_exact_evm_signature', 'invalid_exact_evm_payload_signature'],
  ['invalid_exact_evm_failed_to_parse_signature', 'invalid_exact_evm_payload_signature'],
  ['invalid_exact_evm_recipient_mismatch', 'invalid_exact_evm_payload_recipient_mismatch'],
  ['invalid_exact_evm_authorization_value', 'invalid_exact_evm_payload_authorization_value'],
  ['invalid_exact_evm_network_mismatch', 'invalid_network'],
  ['invalid_scheme', 'unsupported_scheme'],
  ['invalid_exact_evm_scheme', 'unsupported_scheme'],
])

const alreadyUsed = 'invalid_exact_evm_payload_authorization_used'
const usedCodes: readonly unknown[] = ['invalid_exact_evm_nonce_already_used', alreadyUsed]

/** Codes that are certain only where nothing is broadcast: at /settle they may follow a transaction. */
const whileVerifying: ReadonlyMap<string, PaymentReason> = new Map<string, PaymentReason>([
  ['invalid_transaction_state', 'invalid_transaction_state'],
  ['invalid_exact_evm_transaction_simulation_failed', 'invalid_transaction_state'],
  ['invalid_exact_evm_nonce_already_used', alreadyUsed],
  [alreadyUsed, alreadyUsed],
])
