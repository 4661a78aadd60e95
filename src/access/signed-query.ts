import { canonicalQuery, type QueryPair } from '../lib/canonical-query.ts'
import { formDecode, queryPairsAsSent, type RawQueryPair, unescapedName } from '../lib/query-pairs.ts'
import { campaignNames, matcherOf, versionNames } from './tracking-names.ts'

/** A query of more pairs is tried only as it came: nobody's tracker makes one. */
const forgivenPairsMax = 200

const isCampaign = matcherOf(campaignNames)
const isVersion = matcherOf(versionNames)

/**
 * The texts that the signature of a query may cover: the canonical form of its pairs without `sig`. First as they came;
 * then with names unescaped that were escaped for HTML too often; then without campaign parameters; then without those
 * that name a version as well. A parameter of the asset is never taken for one of these. Texts that would be equal are
 * given once.
 */
export function signedQueries(
  rawQuery: string,
  isParameter: (name: string) => boolean = () => false,
): readonly string[] {
  const asSent = queryPairsAsSent(rawQuery).filter(({ name, value }) => name !== '' || value !== '')
  if (asSent.length > forgivenPairsMax) return textsOf([asSent])
  const unescaped = asSent.map((pair) => ({ ...pair, name: unescapedName(pair.name) }))
  const untracked = unescaped.filter(({ name }) => isParameter(name) || !isCampaign(name))
  const unversioned = untracked.filter(({ name }) => isParameter(name) || !isVersion(name))
  return textsOf([asSent, unescaped, untracked, unversioned])
}

function textsOf(variants: readonly (readonly RawQueryPair[])[]): readonly string[] {
  const texts = new Set<string>()
  for (const pairs of variants) {
    const decoded = decode(pairs.filter(({ name }) => name !== 'sig'))
    if (decoded !== undefined) texts.add(canonicalQuery(decoded))
  }
  return [...texts]
}

/** Undefined where a value is not well-formed percent-encoding. */
function decode(pairs: readonly RawQueryPair[]): readonly QueryPair[] | undefined {
  const decoded: QueryPair[] = []
  for (const { name, value } of pairs) {
    const text = formDecode(value)
    if (text === undefined) return undefined
    decoded.push([name, text])
  }
  return decoded
}

/**
 * Returns the first name that two pairs have once it is unescaped, though they were sent with different names: which of
 * the two was meant cannot be told.
 */
export function nameFoldedTwice(rawQuery: string): string | undefined {
  const sentAs = new Map<string, string>()
  for (const { name } of queryPairsAsSent(rawQuery)) {
    const plain = unescapedName(name)
    const earlier = sentAs.get(plain)
    if (earlier !== undefined && earlier !== name) return plain
    sentAs.set(plain, name)
  }
  return undefined
}
