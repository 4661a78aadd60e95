import type { ParameterError } from '../errors.ts'
import { formDecode, queryPairs } from '../lib/query-pairs.ts'

/** What a query offers to pay with, as far as its words are well formed. */
export interface Credentials {
  readonly demo: boolean
  readonly signature?: SignatureParameters
}

export interface SignatureParameters {
  readonly keyId: string
  /** 64 lower-case hex digits. */
  readonly sig: string
  /** `t`: signed this second, for one path. `exp`: the whole URL, until then. */
  readonly kind: 't' | 'exp'
  readonly unixSeconds: number
}

/** Reads `demo`, `key`, `t`, `exp` and `sig` out of a raw query. Every malformed one is named at once. */
export function readCredentials(
  rawQuery: string,
): Credentials | { readonly errors: readonly ParameterError[] } {
  const found = findWords(rawQuery)
  if (found.size === 0) return nothing
  const errors: ParameterError[] = []
  for (const [parameter, values] of found) {
    const message = values.length > 1 ? 'is given more than once' : words.get(parameter)?.(values[0] ?? '')
    if (message !== undefined) errors.push({ parameter, message })
  }
  errors.push(...missingParts(found))
  if (errors.length > 0) return { errors }
  const demo = found.get('demo')?.[0] === '1'
  const [keyId, sig, t, exp] = ['key', 'sig', 't', 'exp'].map((word) => found.get(word)?.[0])
  const unixSeconds = t ?? exp
  if (keyId === undefined || sig === undefined || unixSeconds === undefined) return { demo }
  const kind = t === undefined ? 'exp' : 't'
  return { demo, signature: { keyId, sig, kind, unixSeconds: Number(unixSeconds) } }
}

const nothing: Credentials = { demo: false }

type Check = (value: string) => string | undefined

const seconds: Check = (value) =>
  /^(0|[1-9]\d{0,11})$/.test(value) ? undefined : 'must be a whole number of unix seconds'

/** Each word with its check, which answers what is wrong with a value. */
const words: ReadonlyMap<string, Check> = new Map<string, Check>([
  ['demo', (value) => (/^[01]?$/.test(value) ? undefined : 'must be 1')],
  ['key', (value) => (/^[\x21-\x7e]{1,64}$/.test(value) ? undefined : 'must be a key id')],
  ['t', seconds],
  ['exp', seconds],
  ['sig', (value) => (/^[0-9a-f]{64}$/.test(value) ? undefined : 'must be 64 lower-case hex digits')],
])

function missingParts(found: ReadonlyMap<string, readonly string[]>): ParameterError[] {
  const signs = ['key', 't', 'exp', 'sig'].some((word) => found.has(word))
  if (!signs) return []
  const missing = ['key', 'sig']
    .filter((word) => !found.has(word))
    .map((parameter) => ({
      parameter,
      message: 'is missing: a signed call carries key, sig and either t or exp',
    }))
  if (found.has('t') && found.has('exp')) {
    missing.push({ parameter: 'exp', message: 'cannot stand beside t: a signature is either of the two' })
  } else if (!found.has('t') && !found.has('exp')) {
    missing.push({
      parameter: 't',
      message: 'is missing: a signed call carries key, sig and either t or exp',
    })
  }
  return missing
}

function findWords(rawQuery: string): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const { name, value } of queryPairs(rawQuery)) {
    if (!words.has(name)) continue
    // Text that is not well encoded stays as it is and fails its check.
    const word = formDecode(value) ?? value
    const earlier = found.get(name)
    if (earlier === undefined) found.set(name, [word])
    else earlier.push(word)
  }
  return found
}
