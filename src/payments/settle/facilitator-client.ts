import { Buffer } from 'node:buffer'
import { isHex, toLowerCase } from '../chain/answers.ts'
import type { Hex, PaymentSettings } from '../payment-settings.ts'
import { asObject } from '../wire/base64-json.ts'
import type { OfferedAuthorization } from '../wire/parse-payment.ts'
import { acceptV1, exactTerms, headerUrl, type Offer } from '../wire/payment-terms.ts'
import type { FacilitatorStep } from './facilitator-errors.ts'

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
