import { keccak256, stringToHex } from 'viem/utils'
import { isJsonObject, type JsonObject, parseJson } from '../../lib/json.ts'
import { hmac, isSameMac } from '../../lib/password.ts'
import { type Hex, type PaymentSettings, type TermsContext, toAtomic } from '../payment-settings.ts'
import { type PricedRequest, requestKey } from './request-binding.ts'

const challengeMaxAgeMs = 5 * 60_000

/** `WWW-Authenticate: Payment`: method evm, intent charge, to be answered with an EIP-3009 authorization. */
export function mppChallenge(request: PricedRequest, { settings, secret }: TermsContext, nowMs: number) {
  const expires = new Date(nowMs + challengeMaxAgeMs).toISOString()
  const challenge = challengeFor(request, settings, expires)
  const parameters = { id: challengeId(challenge, secret), ...challenge }
  const parts = Object.entries(parameters).map(([name, value]) => `${name}="${value}"`)
  return `Payment ${parts.join(', ')}`
}

export interface MppCredential {
  readonly challenge: JsonObject
  readonly payload: JsonObject
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

/** Returns the challenge that the credential answers; undefined if it is not one of ours for this call. */
export function readChallenge(
  { challenge }: MppCredential,
  request: PricedRequest,
  { settings, secret }: TermsContext,
): { readonly nonce: Hex; readonly untilMs: number } | undefined {
  const { id, expires } = challenge
  if (typeof id !== 'string' || typeof expires !== 'string') return undefined
  const ours = challengeFor(request, settings, expires)
  if (!isSameMac(challengeId(ours, secret), id)) return undefined
  return { nonce: keccak256(stringToHex(`${id}${ours.realm}`)), untilMs: Date.parse(expires) }
}

export function mppReceipt(txHash: string, timeMs: number): string {
  const timestamp = new Date(timeMs).toISOString()
  return encodeJson({ method: 'evm', reference: txHash, status: 'success', timestamp }, 'base64url')
}

/** The challenge without its id, in the order in which the id signs it. */
function challengeFor(request: PricedRequest, { asset, chainId, payTo }: PaymentSettings, expires: string) {
  // Members in the order of their names, as the canonical form has them.
  const charge = {
    amount: String(toAtomic(request.priceMicros, asset)),
    currency: asset.address,
    methodDetails: { chainId, credentialTypes: ['authorization'], decimals: asset.decimals },
    recipient: payTo,
  }
  return {
    realm: new URL(request.url).host,
    method: 'evm',
    intent: 'charge',
    request: encodeJson(charge, 'base64url'),
    expires,
    opaque: encodeJson({ request: requestKey(request) }, 'base64url'),
  }
}

function challengeId(challenge: ReturnType<typeof challengeFor>, secret: Uint8Array): string {
  return hmac(secret, ['mpp', ...Object.values(challenge)].join('|'), 'base64url')
}

export function encodeJson(value: unknown, encoding: 'base64' | 'base64url'): string {
  return Buffer.from(JSON.stringify(value)).toString(encoding)
}

/** The object in a base64 or base64url header, or undefined when there is none. */
export function decodeBase64Object(text: string): JsonObject | undefined {
  if (!/^[A-Za-z0-9+/_-]+={0,2}$/.test(text)) return undefined
  return asObject(parseJson(Buffer.from(text, 'base64').toString('utf8')))
}

export function asObject(value: unknown): JsonObject | undefined {
  return isJsonObject(value) ? value : undefined
}
