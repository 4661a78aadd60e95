import { isSameMac } from '../lib/password.ts'
import type { KeyRow } from '../store/keys.ts'
import type { CountedAddress } from '../store/meter.ts'
import type { Store } from '../store/open.ts'
import type { AuthorizationRequest } from './authorization.ts'
import { type SignatureParameters, signedQueries } from './credentials.ts'
import { type KeyFault, keyFault } from './keys.ts'
import { signedAddressText } from './path-address.ts'
import type { Secrets } from './secrets.ts'

type SignedRequest = Pick<AuthorizationRequest, 'method' | 'path' | 'rawQuery' | 'isParameter'>

export interface SignatureRules {
  readonly secrets: Secrets
  readonly skewSeconds: number
  /** Finds the version of an earlier secret under which an address was counted. */
  readonly store: Pick<Store, 'signedAddresses'>
}

/** No ten years have more days than these. */
export const embedSecondsMax = 3_653 * 86_400

export type Verification = Verified | { readonly fault: KeyFault | 'invalid_signature' | 'stale_signature' }

export interface Verified {
  readonly fault: undefined
  /** The signed address, which counts once; undefined if something else was signed. */
  readonly address: CountedAddress | undefined
  /** The secret is an earlier one, and holds because the address was counted under it. */
  readonly isEarlier: boolean
  /** When what was signed ends, in unix seconds; undefined if that was not signed. */
  readonly endSeconds?: number | undefined
  /** The name under which addresses in the query were counted before they had digests. */
  readonly formerName?: string | undefined
}

interface Judgement extends Omit<SignedRequest, 'isParameter'> {
  readonly keyRevision: number
  /** Undefined: no secret that still signs has made it. */
  readonly version: number | undefined
  readonly verified: Verified | undefined
}

export function createSignatureVerifier({ secrets, skewSeconds, store }: SignatureRules) {
  // The cache of parsed URLs hands out one parameters object for one URL, so it identifies a signature that was verified.
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
    const { kind, unixSeconds } = signature
    const isTimestamped = kind === 't'
    return {
      fault: undefined,
      address: isTimestamped ? undefined : { keyId: key.id, digest: secrets.digestOf(text), version },
      isEarlier: version < key.version - 1,
      endSeconds: isTimestamped ? undefined : unixSeconds,
      formerName: formerNameOf(signature),
    }
  }

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
    verify(key: KeyRow | undefined, signature: SignatureParameters, request: SignedRequest, nowMs: number) {
      const fault = keyFault(key, nowMs)
      if (fault !== undefined || key === undefined) return { fault: fault ?? 'unknown_key' }
      const verified = find(key, signature, request, nowMs)
      if (verified === undefined) return invalidSignature
      return isTimely(signature, nowMs / 1000, skewSeconds) ? verified : staleSignature
    },
    /** Finds a signature by an earlier secret that counted its address: a rotation breaks no picture. `verify` then says so. */
    async recallEarlier(key: KeyRow, signature: SignatureParameters, request: SignedRequest) {
      if (signature.kind === 't' || key.version === 1) return false
      for (const text of signedTexts(signature, request)) {
        const digest = secrets.digestOf(text)
        const version = await store.signedAddresses.findVersion(key.id, digest, formerNameOf(signature))
        if (version === undefined || version >= key.version) continue
        if (!isMadeBy(key, version, text, signature)) continue
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

/** A secret that does not sign, or signs what it counted, does so until the key changes. */
function holds({ version, keyRevision, verified }: Judgement, key: KeyRow, nowMs: number): boolean {
  if (version === undefined || verified?.isEarlier === true) return keyRevision === key.revision
  return accepts(key, version, nowMs)
}

function formerNameOf({ kind, sig }: SignatureParameters): string | undefined {
  return kind === 'exp' ? sig.slice(0, 32) : undefined
}

function signedTexts({ kind, unixSeconds }: SignatureParameters, request: SignedRequest): readonly string[] {
  const { method, path, rawQuery } = request
  if (kind === 'path') return [signedAddressText(path)]
  const target = `${method === 'HEAD' ? 'GET' : method} ${path}`
  if (kind === 't') return [`${unixSeconds}.${target}`]
  return signedQueries(rawQuery, (name) => request.isParameter?.(name) === true).map(
    (query) => `${target}?${query}`,
  )
}

function accepts(key: KeyRow, version: number, nowMs: number): boolean {
  if (version === key.version) return true
  return version === key.version - 1 && key.previousUntilMs !== null && nowMs < key.previousUntilMs
}

function isTimely({ kind, unixSeconds }: SignatureParameters, nowSeconds: number, skewSeconds: number) {
  if (unixSeconds === undefined) return true
  if (kind === 't') return Math.abs(Math.floor(nowSeconds) - unixSeconds) <= skewSeconds
  return nowSeconds <= unixSeconds && unixSeconds <= nowSeconds + embedSecondsMax + skewSeconds
}
