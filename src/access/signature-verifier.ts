import { isSameMac } from '../lib/hmac-hex.ts'
import type { KeyRow } from '../store/keys.ts'
import type { CountedAddress } from '../store/meter.ts'
import type { SignedAddressTable } from '../store/signed-addresses.ts'
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
  /** Finds the version of an earlier secret under which an address was counted. */
  readonly signedAddresses: Pick<SignedAddressTable, 'findVersion'>
}

/** No ten years have more days than these. */
export const embedSecondsMax = 3_653 * 86_400

/** The result of verifying a signature. */
export type Verification = Verified | { readonly fault: SignatureFault }

export interface Verified {
  readonly fault: undefined
  /** The signed address, which counts once; undefined if something else was signed. */
  readonly address: CountedAddress | undefined
  /** The secret is an earlier one, and holds because the address was counted under it. */
  readonly isEarlier: boolean
}

/** The verdict on a signature, for one request under one revision of its key. */
interface Judgement extends Omit<SignedRequest, 'isParameter'> {
  readonly keyRevision: number
  /** Undefined: no secret that still signs has made it. */
  readonly version: number | undefined
  readonly verified: Verified | undefined
}

/**
 * Verifies signatures against the key as it is in the store. HEAD is signed as GET.
 */
export function createSignatureVerifier({ secrets, skewSeconds, signedAddresses }: SignatureRules) {
  // Embedded images are loaded again and again. The cache of parsed URLs hands out the same parameters object for
  // the same URL, so the object identifies a signature that was verified before.
  const judgements = new WeakMap<SignatureParameters, Judgement>()

  function judge(
    key: KeyRow,
    signature: SignatureParameters,
    { method, path, rawQuery }: SignedRequest,
    version: number | undefined,
    verified: Verified | undefined,
  ): Verified | undefined {
    judgements.set(signature, { method, path, rawQuery, keyRevision: key.revision, version, verified })
    return verified
  }

  function isMadeBy(key: KeyRow, version: number, text: string, { sig }: SignatureParameters): boolean {
    return isSameMac(secrets.sign(key.id, version, text).slice(0, sig.length), sig)
  }

  function verifiedAs(key: KeyRow, signature: SignatureParameters, text: string, version: number): Verified {
    const isEarlier = version < key.version - 1
    if (signature.kind === 't') return { fault: undefined, address: undefined, isEarlier }
    const address = { keyId: key.id, digest: secrets.digestOf(text), version }
    return { fault: undefined, address, isEarlier }
  }

  /** Undefined if no secret of the key that still signs has made the signature. */
  function find(key: KeyRow, signature: SignatureParameters, request: SignedRequest, nowMs: number) {
    const before = judgements.get(signature)
    if (before !== undefined && isSame(before, request) && holds(before, key, nowMs)) return before.verified
    const versions = [key.version, key.version - 1].filter((version) => accepts(key, version, nowMs))
    for (const text of signedTexts(signature, request))
      for (const version of versions)
        if (isMadeBy(key, version, text, signature))
          return judge(key, signature, request, version, verifiedAs(key, signature, text, version))
    return judge(key, signature, request, undefined, undefined)
  }

  return {
    /** Says why a signature is refused. */
    verify(
      key: KeyRow | undefined,
      signature: SignatureParameters,
      request: SignedRequest,
      nowMs: number,
    ): Verification {
      const fault = keyFault(key, nowMs)
      if (fault !== undefined || key === undefined) return { fault: fault ?? 'unknown_key' }
      const verified = find(key, signature, request, nowMs)
      if (verified === undefined) return invalidSignature
      return isTimely(signature, nowMs / 1000, skewSeconds) ? verified : staleSignature
    },
    /**
     * Looks whether a signature that was found invalid is that of an address which was counted under an earlier secret: a
     * rotation breaks no picture that was published before. `verify` then says so.
     */
    async recallEarlier(
      key: KeyRow,
      signature: SignatureParameters,
      request: SignedRequest,
    ): Promise<boolean> {
      if (signature.kind === 't' || key.version === 1) return false
      for (const text of signedTexts(signature, request)) {
        const version = await signedAddresses.findVersion(
          key.id,
          secrets.digestOf(text),
          formerNameOf(signature),
        )
        if (version === undefined || version >= key.version || !isMadeBy(key, version, text, signature))
          continue
        const verified = { ...verifiedAs(key, signature, text, version), isEarlier: true }
        judge(key, signature, request, version, verified)
        return true
      }
      return false
    },
  }
}

const invalidSignature: Verification = { fault: 'invalid_signature' }
const staleSignature: Verification = { fault: 'stale_signature' }

function isSame(one: Omit<SignedRequest, 'isParameter'>, other: SignedRequest): boolean {
  return one.method === other.method && one.path === other.path && one.rawQuery === other.rawQuery
}

/** Whether a judgement is still true. That a secret does not sign, or signs what it counted, is so until the key changes. */
function holds({ version, keyRevision, verified }: Judgement, key: KeyRow, nowMs: number): boolean {
  if (version === undefined || verified?.isEarlier === true) return keyRevision === key.revision
  return accepts(key, version, nowMs)
}

/** The name under which addresses in the query were counted before they had digests: half of the signature. */
export function formerNameOf({ kind, sig }: SignatureParameters): string | undefined {
  return kind === 'exp' ? sig.slice(0, 32) : undefined
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

/**
 * Returns for how many seconds from now a valid signature goes on being valid, as far as caches need to know: until its
 * `exp` or the end of its key. Undefined if neither ends; what `t` signs is kept for a fixed time.
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
  return Number.isFinite(endSeconds) ? Math.max(0, endSeconds - nowMs / 1000) : undefined
}

function isTimely({ kind, unixSeconds }: SignatureParameters, nowSeconds: number, skewSeconds: number) {
  if (unixSeconds === undefined) return true
  if (kind === 't') return Math.abs(Math.floor(nowSeconds) - unixSeconds) <= skewSeconds
  return nowSeconds <= unixSeconds && unixSeconds <= nowSeconds + embedSecondsMax + skewSeconds
}
