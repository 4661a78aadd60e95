import type { JsonObject } from '../../lib/json.ts'
import { isHex, toLowerCase } from '../chain/answers.ts'
import { type PaymentRefusal, refuse } from '../payment-reasons.ts'
import { type Hex, type PaymentContext, type PaymentSettings, toAtomic } from '../payment-settings.ts'
import { asObject, decodeBase64Object, type MppCredential, parseMppCredential, readChallenge } from './mpp.ts'
import { headerUrl } from './payment-terms.ts'
import { type PricedRequest, type Proof, parseProof } from './request-binding.ts'

export type OfferedPayment =
  | { readonly kind: 'none' }
  | PaymentRefusal
  | { readonly kind: 'transfer'; readonly txHash: Hex; readonly proof: Proof | undefined }
  | OfferedAuthorization

/** A signed EIP-3009 authorization, checked for its shape and for the terms it repeats, not for its signature. */
export interface OfferedAuthorization {
  readonly kind: 'authorization'
  readonly via: 'x402-v1' | 'x402-v2' | 'mpp'
  readonly authorization: TransferAuthorization
  readonly signature: Hex
  readonly payload: JsonObject
  readonly identifier: string | undefined
  /** Until when the challenge may be answered that it answers. Only what moved in time is taken afterwards. */
  readonly challengeUntilMs?: number
}

/** Addresses and nonce in lower case; times in seconds. */
export interface TransferAuthorization {
  readonly from: Hex
  readonly to: Hex
  readonly value: bigint
  readonly validAfter: bigint
  readonly validBefore: bigint
  readonly nonce: Hex
}

const headerCharactersMax = 16_384

/** Reads the payment headers. The version inside a payload decides what it is, not the header's name. */
export function parsePayment(headers: Headers, request: PricedRequest, deps: PaymentContext): OfferedPayment {
  const exact = headers.get('payment-signature') ?? headers.get('x-payment')
  if (exact !== null) return parsePaymentHeader(exact.trim(), headers, request, deps.settings)
  const authorization = headers.get('authorization')
  if (authorization !== null && deps.settings.mpp) {
    const credential =
      authorization.length > headerCharactersMax ? 'malformed' : parseMppCredential(authorization)
    if (credential === 'malformed') return refuse('invalid_payload')
    if (credential !== undefined) return parseMpp(credential, request, deps)
  }
  return { kind: 'none' }
}

function parsePaymentHeader(
  header: string,
  headers: Headers,
  request: PricedRequest,
  settings: PaymentSettings,
): OfferedPayment {
  const isSignature = headers.has('payment-signature')
  const proofHeader = headers.get('x-payment-proof')
  if (isHex(header, 32)) {
    const proof = proofHeader === null ? undefined : parseProof(proofHeader)
    if (proofHeader !== null && proof === undefined) return refuse('invalid_proof')
    return { kind: 'transfer', txHash: toLowerCase(header), proof }
  }
  if (header.length > headerCharactersMax) return refuse('invalid_payload')
  const payload = decodeBase64Object(header)
  // Only X-Payment may be meant as a hash.
  if (payload === undefined)
    return refuse(isSignature || /^ey/.test(header) ? 'invalid_payload' : 'invalid_tx_hash')
  if (payload['x402Version'] === 1) return parseV1(payload, settings)
  if (payload['x402Version'] === 2) return parseV2(payload, request, settings)
  return refuse('invalid_x402_version')
}

function parseV1(payload: JsonObject, settings: PaymentSettings): OfferedPayment {
  if (payload['scheme'] !== 'exact') return refuse('unsupported_scheme')
  if (!isOurNetwork(payload['network'], settings)) return refuse('invalid_network')
  return readExact('x402-v1', payload, asObject(payload['payload']))
}

function parseV2(
  payload: JsonObject,
  { url: ownUrl, priceMicros }: PricedRequest,
  settings: PaymentSettings,
) {
  const accepted = asObject(payload['accepted'])
  if (accepted === undefined) return refuse('invalid_payload')
  if (accepted['scheme'] !== 'exact') return refuse('unsupported_scheme')
  if (!isOurNetwork(accepted['network'], settings)) return refuse('invalid_network')
  if (!isSameAddress(accepted['payTo'], settings.payTo))
    return refuse('invalid_exact_evm_payload_recipient_mismatch')
  if (!isSameAddress(accepted['asset'], settings.asset.address)) return refuse('invalid_payment_requirements')
  if (accepted['amount'] !== String(toAtomic(priceMicros, settings.asset)))
    return refuse('invalid_exact_evm_payload_authorization_value_mismatch')
  const url = asObject(payload['resource'])?.['url']
  if (url !== undefined && url !== ownUrl && url !== headerUrl(ownUrl))
    return refuse('payment_bound_to_other_request')
  return readExact('x402-v2', payload, asObject(payload['payload']))
}

function parseMpp(credential: MppCredential, request: PricedRequest, context: PaymentContext) {
  const { payload } = credential
  const challenge = readChallenge(credential, request, context)
  if (challenge === undefined) return refuse('invalid_payment_requirements')
  if (payload['type'] !== 'authorization') return refuse('unsupported_scheme')
  const offered = readExact('mpp', {}, { authorization: payload, signature: payload['signature'] })
  if (offered.kind !== 'authorization') return offered
  if (offered.authorization.nonce !== challenge.nonce) return refuse('invalid_payment_requirements')
  return { ...offered, challengeUntilMs: challenge.untilMs }
}

function readExact(
  via: OfferedAuthorization['via'],
  payload: JsonObject,
  inner?: JsonObject,
): OfferedPayment {
  const authorization = readAuthorization(asObject(inner?.['authorization']))
  const signature = inner?.['signature']
  if (authorization === undefined || !isHex(signature, 1, 4096)) return refuse('invalid_payload')
  const extension = asObject(asObject(payload['extensions'])?.['payment-identifier'])
  const identifier = asObject(extension?.['info'])?.['id']
  if (identifier !== undefined && !(typeof identifier === 'string' && /^[\w-]{16,128}$/.test(identifier)))
    return refuse('invalid_payload')
  return { kind: 'authorization', via, authorization, signature, payload, identifier }
}

function readAuthorization(fields: JsonObject | undefined): TransferAuthorization | undefined {
  if (fields === undefined) return undefined
  const { from, to, nonce } = fields
  const numbers = [fields['value'], fields['validAfter'], fields['validBefore']]
  const [value, validAfter, validBefore] = numbers.map(readUint)
  if (!isHex(from, 20) || !isHex(to, 20) || !isHex(nonce, 32)) return undefined
  if (value === undefined || validAfter === undefined || validBefore === undefined) return undefined
  const time = { validAfter, validBefore }
  return { from: toLowerCase(from), to: toLowerCase(to), nonce: toLowerCase(nonce), value, ...time }
}

const uint256Max = 2n ** 256n - 1n

function readUint(value: unknown): bigint | undefined {
  if (typeof value !== 'string' || !/^\d{1,78}$/.test(value)) return undefined
  const number = BigInt(value)
  return number > uint256Max ? undefined : number
}

function isOurNetwork(value: unknown, { network, v1Network }: PaymentSettings): boolean {
  return value === network || (v1Network !== undefined && value === v1Network)
}

function isSameAddress(value: unknown, address: Hex): boolean {
  return typeof value === 'string' && value.toLowerCase() === address.toLowerCase()
}
