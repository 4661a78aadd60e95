import { createHmac, timingSafeEqual } from 'node:crypto'
import { keccak256, stringToHex } from 'viem/utils'
import type { Hex, PaymentSettings } from '../payment-settings.ts'
import { toAtomic } from '../token-amount.ts'
import { asObject, decodeBase64Object, encodeBase64UrlJson } from './base64-json.ts'
import { type PaidRequest, requestKey } from './request-binding.ts'

/** How long a challenge can be answered. */
const challengeMaxAgeMs = 5 * 60_000

/** `WWW-Authenticate: Payment`: method evm, intent charge, to be answered with an EIP-3009 authorization. */
export function mppChallenge(
  request: PaidRequest,
  priceMicros: number,
  settings: PaymentSettings,
  secret: Uint8Array,
  nowMs: number,
): string {
  const challenge = {
    realm: new URL(request.url).host,
    method: 'evm',
    intent: 'charge',
    request: encodeBase64UrlJson(chargeRequest(priceMicros, settings)),
    expires: new Date(nowMs + challengeMaxAgeMs).toISOString(),
    opaque: encodeBase64UrlJson({ request: requestKey(request) }),
  }
  const parameters = { id: challengeId(challenge, secret), ...challenge }
  const parts = Object.entries(parameters).map(([name, value]) => `${name}="${value}"`)
  return `Payment ${parts.join(', ')}`
}

export interface MppCredential {
  readonly challenge: Record<string, unknown>
  readonly payload: Record<string, unknown>
}

/** The credential of an `Authorization: Payment` header; undefined when the header is of another scheme. */
export function parseMppCredential(header: string): MppCredential | 'malformed' | undefined {
  const [, token] = /^\s*payment\s+([^\s,]+)/i.exec(header) ?? []
  if (token === undefined) return undefined
  const credential = decodeBase64Object(token)
  const challenge = asObject(credential?.['challenge'])
  const payload = asObject(credential?.['payload'])
  return challenge === undefined || payload === undefined ? 'malformed' : { challenge, payload }
}

/** The nonce that the credential must carry, or undefined when its challenge is not one of ours for this call. */
export function expectedNonce(
  { challenge }: MppCredential,
  request: PaidRequest,
  priceMicros: number,
  settings: PaymentSettings,
  secret: Uint8Array,
  nowMs: number,
): Hex | undefined {
  const { id, expires } = challenge
  if (typeof id !== 'string' || typeof expires !== 'string') return undefined
  const ours = {
    realm: new URL(request.url).host,
    method: 'evm',
    intent: 'charge',
    request: encodeBase64UrlJson(chargeRequest(priceMicros, settings)),
    expires,
    opaque: encodeBase64UrlJson({ request: requestKey(request) }),
  }
  const stored = Buffer.from(challengeId(ours, secret))
  const offered = Buffer.from(id)
  if (stored.length !== offered.length || !timingSafeEqual(stored, offered)) return undefined
  if (!(Date.parse(expires) > nowMs)) return undefined
  return keccak256(stringToHex(`${id}${ours.realm}`))
}

/** The value of `Payment-Receipt`. */
export function mppReceipt(txHash: string, timeMs: number): string {
  return encodeBase64UrlJson({
    method: 'evm',
    reference: txHash,
    status: 'success',
    timestamp: new Date(timeMs).toISOString(),
  })
}

/** Members in the order of their names, as the canonical form has them. */
function chargeRequest(
  priceMicros: number,
  { asset, chainId, payTo }: PaymentSettings,
): Record<string, unknown> {
  return {
    amount: String(toAtomic(priceMicros, asset)),
    currency: asset.address,
    methodDetails: { chainId, credentialTypes: ['authorization'], decimals: asset.decimals },
    recipient: payTo,
  }
}

interface Challenge {
  readonly realm: string
  readonly method: string
  readonly intent: string
  readonly request: string
  readonly expires: string
  readonly opaque: string
}

function challengeId(challenge: Challenge, secret: Uint8Array): string {
  const { realm, method, intent, request, expires, opaque } = challenge
  const input = ['mpp', realm, method, intent, request, expires, opaque].join('|')
  return createHmac('sha256', secret).update(input).digest('base64url')
}
