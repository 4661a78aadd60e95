import { timingSafeEqual } from 'node:crypto'
import type { KeyRow } from '../store/keys.ts'
import type { AuthorizationRequest } from './authorization.ts'
import type { SignatureParameters } from './credentials.ts'
import { type KeyFault, keyFault } from './key-validity.ts'
import { signedAddressText } from './path-address.ts'
import type { Secrets } from './secrets.ts'
import { signedQueries } from './signed-query.ts'

export type SignatureFault = KeyFault | 'invalid_signature' | 'stale_signature'

type SignedRequest = Pick<AuthorizationRequest, 'method' | 'path' | 'rawQuery' | 'isParameter'>

export type SignatureVerifier = ReturnType<typeof createSignatureVerifier>

export interface SignatureRules {
  readonly secrets: Secrets
  /** How far `t` may be from our clock. */
  readonly skewSeconds: number
}

/** No ten years have more days than these. */
export const embedSecondsMax = 3_653 * 86_400

/** What a valid signature was made for, and under which version of the key. */
interface VerifiedRequest extends SignedRequest {
  readonly version: number
}

/**
 * Verifies `t` and embed signatures against the key as it is in the store. Says why a signature is refused; undefined if
 * it is valid. HEAD is signed as GET.
 */
export function createSignatureVerifier({ secrets, skewSeconds }: SignatureRules) {
  // Embedded images are loaded again and again. The cache of parsed URLs hands out the same parameters object for
  // the same URL, so the object identifies a signature that was verified before.
  const verified = new WeakMap<SignatureParameters, VerifiedRequest>()

  function isValid(key: KeyRow, signature: SignatureParameters, request: SignedRequest, nowMs: number) {
    const before = verified.get(signature)
    if (before !== undefined && accepts(key, before.version, nowMs) && isSame(before, request)) return true
    const version = versionOf(key, signature, request, nowMs)
    if (version === undefined) return false
    const { method, path, rawQuery } = request
    verified.set(signature, { version, method, path, rawQuery })
    return true
  }

  /** The version of the secret that made the signature; undefined if none that still signs did. */
  function versionOf(key: KeyRow, signature: SignatureParameters, request: SignedRequest, nowMs: number) {
    const versions = [key.version, key.version - 1].filter((version) => accepts(key, version, nowMs))
    for (const text of signedTexts(signature, request))
      for (const version of versions)
        if (areEqual(secrets.sign(key.id, version, text).slice(0, signature.sig.length), signature.sig))
          return version
    return undefined
  }

  return (
    key: KeyRow | undefined,
    signature: SignatureParameters,
    request: SignedRequest,
    nowMs: number,
  ): SignatureFault | undefined => {
    const fault = keyFault(key, nowMs)
    if (key === undefined || fault !== undefined) return fault
    if (!isValid(key, signature, request, nowMs)) return 'invalid_signature'
    return isTimely(signature, nowMs / 1000, skewSeconds) ? undefined : 'stale_signature'
  }
}

function isSame(one: SignedRequest, other: SignedRequest): boolean {
  return one.method === other.method && one.path === other.path && one.rawQuery === other.rawQuery
}

/** The texts that the signature may cover. */
function signedTexts({ kind, unixSeconds }: SignatureParameters, request: SignedRequest): readonly string[] {
  const { method, path, rawQuery } = request
  if (kind === 'path') return [signedAddressText(path)]
  const target = `${method === 'HEAD' ? 'GET' : method} ${path}`
  if (kind === 't') return [`${unixSeconds}.${target}`]
  return signedQueries(rawQuery, (name) => request.isParameter?.(name) === true).map(
    (query) => `${target}?${query}`,
  )
}

/** Whether a secret of this version still signs: the newest one, and for a while the one before it. */
function accepts(key: KeyRow, version: number, nowMs: number): boolean {
  if (version === key.version) return true
  return version === key.version - 1 && key.previousUntilMs !== null && nowMs < key.previousUntilMs
}

/** In constant time. Both are hex digits; a well-formed signature has the right length. */
function areEqual(expected: string, given: string): boolean {
  const [a, b] = [Buffer.from(expected, 'latin1'), Buffer.from(given, 'latin1')]
  return a.length === b.length && timingSafeEqual(a, b)
}

/**
 * Returns for how many whole seconds from now a valid signature goes on being valid, as far as caches need to know:
 * until its `exp` or the end of its key. Undefined if neither ends; what `t` signs is kept for a fixed time.
 */
export function secondsLeftOf(
  { kind, unixSeconds }: SignatureParameters,
  { expiresAtMs }: Pick<KeyRow, 'expiresAtMs'>,
  nowMs: number,
): number | undefined {
  const endSeconds = Math.min(
    kind === 't' ? Number.POSITIVE_INFINITY : (unixSeconds ?? Number.POSITIVE_INFINITY),
    expiresAtMs === null ? Number.POSITIVE_INFINITY : Math.floor(expiresAtMs / 1000),
  )
  return Number.isFinite(endSeconds) ? Math.max(0, endSeconds - Math.ceil(nowMs / 1000)) : undefined
}

function isTimely({ kind, unixSeconds }: SignatureParameters, nowSeconds: number, skewSeconds: number) {
  if (unixSeconds === undefined) return true
  if (kind === 't') return Math.abs(Math.floor(nowSeconds) - unixSeconds) <= skewSeconds
  return nowSeconds <= unixSeconds && unixSeconds <= nowSeconds + embedSecondsMax + skewSeconds
}
