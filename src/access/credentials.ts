import type { ParameterError } from '../errors.ts'
import { formDecode, queryPairs } from '../lib/query-pairs.ts'
import { nameFoldedTwice } from './signed-query.ts'

/** The credentials in a query: the demo, a signature, both or none. */
export interface Credentials {
  readonly demo: boolean
  readonly signature?: SignatureParameters
}

export interface SignatureParameters {
  readonly keyId: string
  /** Lower-case hex digits: 64, or 32 of an address in the path. */
  readonly sig: string
  /** `t` signs a second and a path; `exp` signs a query until that time; `path` signs an address, with an end or without. */
  readonly kind: 't' | 'exp' | 'path'
  /** When it was signed, of `t`, else when it ends. */
  readonly unixSeconds: number | undefined
}

/** Reads `demo`, `key`, `t`, `exp` and `sig` out of a raw query. Names every malformed one. */
export function readCredentials(
  rawQuery: string,
): Credentials | { readonly errors: readonly ParameterError[] } {
  const found = findParameters(rawQuery)
  if (found.size === 0) return noCredentials
  const errors: ParameterError[] = []
  for (const [parameter, values] of found) {
    const message = values.length > 1 ? 'is given more than once' : checks.get(parameter)?.(values[0] ?? '')
    if (message !== undefined) errors.push({ parameter, message })
  }
  errors.push(...wrongParts(found))
  if (found.has('sig') && found.has('exp')) errors.push(...foldedTwice(rawQuery))
  if (errors.length > 0) return { errors }
  const demo = found.get('demo')?.[0] === '1'
  const [keyId, sig, t, exp] = ['key', 'sig', 't', 'exp'].map((name) => found.get(name)?.[0])
  const unixSeconds = t ?? exp
  if (keyId === undefined || sig === undefined || unixSeconds === undefined) return { demo }
  const kind = t === undefined ? 'exp' : 't'
  return { demo, signature: { keyId, sig, kind, unixSeconds: Number(unixSeconds) } }
}

const noCredentials: Credentials = { demo: false }

type Check = (value: string) => string | undefined

/** Returns what is wrong with a time in unix seconds. */
export function secondsMistake(value: string): string | undefined {
  return /^(0|[1-9]\d{0,11})$/.test(value) ? undefined : 'must be a whole number of unix seconds'
}

/** The parameters, each with its check, which returns what is wrong with a value. */
const checks: ReadonlyMap<string, Check> = new Map<string, Check>([
  ['demo', (value) => (value === '1' || value === '0' || value === '' ? undefined : 'must be 1')],
  ['key', (value) => (/^[\x21-\x7e]{1,64}$/.test(value) ? undefined : 'must be a key id')],
  ['t', secondsMistake],
  ['exp', secondsMistake],
  ['sig', (value) => (/^[0-9a-f]{64}$/.test(value) ? undefined : 'must be 64 lower-case hex digits')],
])

function wrongParts(found: ReadonlyMap<string, readonly string[]>): ParameterError[] {
  const signs = ['key', 't', 'exp', 'sig'].some((name) => found.has(name))
  if (!signs) return []
  const needed = ['key', 'sig', ...(found.has('exp') ? [] : ['t'])]
  const errors = needed
    .filter((name) => !found.has(name))
    .map((parameter) => ({
      parameter,
      message: 'is missing: a signed call carries key, sig and either t or exp',
    }))
  if (found.has('t') && found.has('exp'))
    errors.push({ parameter: 'exp', message: 'cannot be combined with t: a signature has one of them' })
  return errors
}

function foldedTwice(rawQuery: string): ParameterError[] {
  const parameter = nameFoldedTwice(rawQuery)
  return parameter === undefined ? [] : [{ parameter, message: `is given twice, once as amp;${parameter}` }]
}

function findParameters(rawQuery: string): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const { name, value } of queryPairs(rawQuery)) {
    if (!checks.has(name)) continue
    // Text that is not well encoded stays as it is and fails its check.
    const decoded = formDecode(value) ?? value
    const earlier = found.get(name)
    if (earlier === undefined) found.set(name, [decoded])
    else earlier.push(decoded)
  }
  return found
}
