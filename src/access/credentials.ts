import type { ParameterError } from '../errors.ts'
import {
  canonicalQuery,
  formDecode,
  type QueryPair,
  queryPairs,
  queryPairsAsSent,
  type RawQueryPair,
  unescapedName,
} from '../lib/query-pairs.ts'
import trackers from './tracker-names.json' with { type: 'json' }

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
  readonly unixSeconds: number | undefined
}

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
  if (found.has('sig') && found.has('exp')) errors.push(...namesFoldedTwice(rawQuery))
  if (errors.length > 0) return { errors }
  const demo = found.get('demo')?.[0] === '1'
  const [keyId, sig, t, exp] = ['key', 'sig', 't', 'exp'].map((name) => found.get(name)?.[0])
  const unixSeconds = t ?? exp
  if (keyId === undefined || sig === undefined || unixSeconds === undefined) return { demo }
  const kind = t === undefined ? 'exp' : 't'
  return { demo, signature: { keyId, sig, kind, unixSeconds: Number(unixSeconds) } }
}

const noCredentials: Credentials = { demo: false }

export function secondsMistake(value: string): string | undefined {
  return /^(0|[1-9]\d{0,11})$/.test(value) ? undefined : 'must be a whole number of unix seconds'
}

const checks: ReadonlyMap<string, (value: string) => string | undefined> = new Map([
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
  const message = 'is missing: a signed call carries key, sig and either t or exp'
  const errors = needed.filter((name) => !found.has(name)).map((parameter) => ({ parameter, message }))
  if (found.has('t') && found.has('exp'))
    errors.push({ parameter: 'exp', message: 'cannot be combined with t: a signature has one of them' })
  return errors
}

function findParameters(rawQuery: string): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const { name, value } of queryPairs(rawQuery)) {
    if (!checks.has(name)) continue
    // Text that is not well encoded stays as it is and fails its check.
    const values = found.get(name) ?? []
    values.push(formDecode(value) ?? value)
    found.set(name, values)
  }
  return found
}

function matcherOf(list: readonly string[]): (name: string) => boolean {
  const names = new Set(list.map((name) => name.toLowerCase()))
  const beginnings = list.filter((name) => name.endsWith('*')).map((name) => name.slice(0, -1).toLowerCase())
  return (name) => {
    const lower = name.toLowerCase()
    return names.has(lower) || beginnings.some((beginning) => lower.startsWith(beginning))
  }
}

/** A query of more pairs is tried only as it came: nobody's tracker makes one. */
const forgivenPairsMax = 200

/** Parameters that others append to URLs which they pass on: a query may have been signed without. `*`: any ending. */
const isCampaign = matcherOf(trackers.campaign)
const isVersion = matcherOf(trackers.version)

/** The texts that a query's signature may cover: as sent, with names unescaped, without campaign parameters, without versions. */
export function signedQueries(rawQuery: string, isParameter: (name: string) => boolean = () => false) {
  const asSent = queryPairsAsSent(rawQuery).filter(({ name, value }) => name !== '' || value !== '')
  if (asSent.length > forgivenPairsMax) return textsOf([asSent])
  const unescaped = asSent.map((pair) => ({ ...pair, name: unescapedName(pair.name) }))
  const untracked = unescaped.filter(({ name }) => isParameter(name) || !isCampaign(name))
  const unversioned = untracked.filter(({ name }) => isParameter(name) || !isVersion(name))
  return textsOf([asSent, unescaped, untracked, unversioned])
}

function textsOf(variants: readonly (readonly RawQueryPair[])[]): readonly string[] {
  const texts = variants.flatMap((pairs) => {
    const signed = pairs.filter(({ name }) => name !== 'sig')
    const decoded = signed.map(({ name, value }) => [name, formDecode(value)] as const)
    return decoded.every((pair): pair is QueryPair => pair[1] !== undefined) ? [canonicalQuery(decoded)] : []
  })
  return [...new Set(texts)]
}

/** The first name that two pairs have once unescaped, though sent under different names: the one meant cannot be told. */
function namesFoldedTwice(rawQuery: string): ParameterError[] {
  const sentAs = new Map<string, string>()
  for (const { name } of queryPairsAsSent(rawQuery)) {
    const plain = unescapedName(name)
    const earlier = sentAs.get(plain)
    if (earlier !== undefined && earlier !== name)
      return [{ parameter: plain, message: `is given twice, once as amp;${plain}` }]
    sentAs.set(plain, name)
  }
  return []
}
