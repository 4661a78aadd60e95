import { timingSafeEqual } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { KeyRow } from '../store/keys.ts'
import type { AuthorizationRequest } from './authorization.ts'
import { signedQuery } from './canonical-query.ts'
import type { SignatureParameters } from './credentials.ts'
import type { Secrets } from './secrets.ts'

/** Why a signature was refused. Undefined: it is good. */
export type SignatureFault = 'invalid_key' | 'invalid_signature' | 'stale_signature'

/** HEAD is signed as GET. */
export type SignatureJudge = (
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

const rememberedUnits = 2 * 1024 * 1024

/** Judges `t` and embed signatures by the key as it is in the store. */
export function createSignatureJudge({ secrets, skewSeconds }: SignatureRules): SignatureJudge {
  // The same embedded images are loaded again and again, and reading a query takes longer than all else.
  const signedQueries = new LRUCache<string, string>({
    maxSize: rememberedUnits,
    sizeCalculation: (signed, raw) => raw.length + signed.length + 100,
  })

  function readQuery(rawQuery: string): string | undefined {
    const known = signedQueries.get(rawQuery)
    if (known !== undefined) return known
    const signed = signedQuery(rawQuery)
    if (signed !== undefined) signedQueries.set(rawQuery, signed)
    return signed
  }

  function payloadOf({ kind, unixSeconds }: SignatureParameters, { method, path, rawQuery }: SignedRequest) {
    const target = `${method === 'HEAD' ? 'GET' : method} ${path}`
    if (kind === 't') return `${unixSeconds}.${target}`
    const query = readQuery(rawQuery)
    return query === undefined ? undefined : `${target}?${query}`
  }

  return (key, signature, request, nowMs) => {
    if (key === undefined || key.revokedAtMs !== null) return 'invalid_key'
    const payload = payloadOf(signature, request)
    if (payload === undefined) return 'invalid_signature'
    const versions = acceptedVersions(key, nowMs)
    const isGood = versions.some((version) => areEqual(secrets.sign(key.id, version, payload), signature.sig))
    if (!isGood) return 'invalid_signature'
    return isTimely(signature, nowMs / 1000, skewSeconds) ? undefined : 'stale_signature'
  }
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
