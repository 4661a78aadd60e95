import type { Granted } from '../access/authorization.ts'
import { crawlerOf } from '../access/crawlers.ts'
import { signedAddressText } from '../access/path-address.ts'
import type { Secrets } from '../access/secrets.ts'
import type { Share, ShareLog } from '../access/share-log.ts'
import { signedQueries } from '../access/signed-query.ts'
import type { ParsedRequest } from './parsed-request.ts'
import { hasParameter } from './query.ts'
import type { RequestContext } from './request-context.ts'

/** Called with each answer that was granted. */
export type CountShare = (
  parsed: ParsedRequest,
  context: Pick<RequestContext, 'method' | 'head'>,
  grant: Pick<Granted, 'mode' | 'keyId'>,
) => void

/** Longer parameters are not stored with a card: the operator sees its words without its picture. */
const queryCharsMax = 1_500

type Card = Omit<Share, 'keyId' | 'network'>

/** Counts what link-preview crawlers are given of signed addresses. */
export function createCountShares(
  secrets: Pick<Secrets, 'digestOf'>,
  log: Pick<ShareLog, 'record'>,
): CountShare {
  // Equal requests are parsed once, so they share it.
  const cards = new WeakMap<ParsedRequest, Card>()

  function cardOf(parsed: ParsedRequest): Card {
    const known = cards.get(parsed)
    if (known !== undefined) return known
    const card = { address: secrets.digestOf(addressTextOf(parsed)), ...describe(parsed) }
    cards.set(parsed, card)
    return card
  }

  return (parsed, { method, head }, { mode, keyId }) => {
    const { signature } = parsed.credentials
    if (mode !== 'key' || keyId === undefined || signature === undefined || signature.kind === 't') return
    if (method !== 'GET' || head.userAgent === null) return
    const { network, isPreviewCrawler } = crawlerOf(head.userAgent)
    if (isPreviewCrawler && network !== null) log.record({ keyId, network, ...cardOf(parsed) })
  }
}

/** Returns one text for all spellings of a signed address. */
function addressTextOf({ path, rawQuery, asset, credentials }: ParsedRequest): string {
  if (credentials.signature?.kind === 'path') return signedAddressText(path)
  const plainest = signedQueries(rawQuery, (name) => hasParameter(asset.query, name)).at(-1)
  return `GET ${path}?${plainest}`
}

/** The card's own words, and its parameters. */
function describe({ asset, query }: ParsedRequest): Omit<Card, 'address'> {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null)
  const text = `${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`
  const { title, label, value, name, url } = query
  const words = title === undefined ? [label, value, name] : [title]
  return {
    asset: asset.id,
    title: words.filter((word) => typeof word === 'string' && word !== '').join(': '),
    url: typeof url === 'string' ? url : '',
    query: text.length > queryCharsMax ? '' : text,
  }
}
