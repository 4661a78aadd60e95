import { timingSafeEqual } from 'node:crypto'
import type { KeyRow } from '../store/keys.ts'
import type { AuthorizationRequest } from './authorization.ts'
import { signedQuery } from './canonical-query.ts'
import type { SignatureParameters } from './credentials.ts'
import type { Secrets } from './secrets.ts'

/** Why a signature was refused. Undefined: it is good. */
export type SignatureFault = 'invalid_key' | 'invalid_signature' | 'stale_signature'

/** HEAD is signed as GET. */
export type SignatureVerifier = (
  key: KeyRow | undefined,
  signature: SignatureParameters,
  request: SignedRequest,
  nowMs: number,
) => SignatureFault | undefined

type SignedRequest = Pick<AuthorizationRequest, 'method' | 'path' | 'rawQuery'>

export interface SignatureRules {
  readonly secrets: Secrets
  /** How far `t` may be from our clock. */
  readonly skewSeconds: number
}

/** No ten years have more days than these. */
const embedSecondsMax = 3_653 * 86_400

/** What a signature was found good for. */
interface Good extends SignedRequest {
  readonly version: number
}

/** Judges `t` and embed signatures by the key as it is in the store. */
export function createSignatureVerifier({ secrets, skewSeconds }: SignatureRules): SignatureVerifier {
  // Embedded images are loaded again and again. Whoever remembers such a request keeps its signature's object, and
  // by that we know it again.
  const good = new WeakMap<SignatureParameters, Good>()

  function isGood(
    key: KeyRow,
    signature: SignatureParameters,
    request: SignedRequest,
    nowMs: number,
  ): boolean {
    const versions = acceptedVersions(key, nowMs)
    const known = good.get(signature)
    if (known !== undefined && versions.includes(known.version) && isSame(known, request)) return true
    const payload = payloadOf(signature, request)
    if (payload === undefined) return false
    const version = versions.find((each) => areEqual(secrets.sign(key.id, each, payload), signature.sig))
    if (version === undefined) return false
    const { method, path, rawQuery } = request
    good.set(signature, { version, method, path, rawQuery })
    return true
  }

  return (key, signature, request, nowMs) => {
    if (key === undefined || key.revokedAtMs !== null) return 'invalid_key'
    if (!isGood(key, signature, request, nowMs)) return 'invalid_signature'
    return isTimely(signature, nowMs / 1000, skewSeconds) ? undefined : 'stale_signature'
  }
}

function isSame(one: SignedRequest, other: SignedRequest): boolean {
  return one.method === other.method && one.path === other.path && one.rawQuery === other.rawQuery
}

function payloadOf({ kind, unixSeconds }: SignatureParameters, { method, path, rawQuery }: SignedRequest) {
  const target = `${method === 'HEAD' ? 'GET' : method} ${path}`
  if (kind === 't') return `${unixSeconds}.${target}`
  const query = signedQuery(rawQuery)
  return query === undefined ? undefined : `${target}?${query}`
}

function acceptedVersions(key: KeyRow, nowMs: number): number[] {
  const overlaps = key.previousUntilMs !== null && nowMs < key.previousUntilMs
  return overlaps ? [key.version, key.version - 1] : [key.version]
}

/** In constant time. Both are hex digits; a well-formed signature has the right length. */
function areEqual(expected: string, given: string): boolean {
  const [a, b] = [Buffer.from(expected, 'latin1'), Buffer.from(given, 'latin1')]
  return a.length === b.length && timingSafeEqual(a, b)
}

function isTimely(
  { kind, unixSeconds }: SignatureParameters,
  nowSeconds: number,
  skewSeconds: number,
): boolean {
  if (kind === 't') return Math.abs(Math.floor(nowSeconds) - unixSeconds) <= skewSeconds
  return nowSeconds <= unixSeconds && unixSeconds <= nowSeconds + embedSecondsMax + skewSeconds
}
