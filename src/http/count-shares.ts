import type { Granted } from '../access/authorization.ts'
import { crawlerOf } from '../access/crawlers.ts'
import type { Share, ShareLog } from '../access/traffic-log.ts'
import { weakMemo } from '../lib/memo.ts'
import type { ParsedRequest, RequestContext } from './request-context.ts'

export type CountShare = (
  parsed: ParsedRequest,
  context: Pick<RequestContext, 'method' | 'head'>,
  grant: Pick<Granted, 'keyId' | 'addressDigest'>,
) => void

/** Longer parameters are not stored with a card: the operator sees its words without its picture. */
const queryCharsMax = 1_500

export function createCountShares(log: Pick<ShareLog, 'record'>): CountShare {
  // Equal requests are parsed once, so they share it.
  const cardOf = weakMemo(describe)
  return (parsed, { method, head }, { keyId, addressDigest: address }) => {
    if (keyId === undefined || address === undefined || method !== 'GET' || head.userAgent === null) return
    const { network, isPreviewCrawler } = crawlerOf(head.userAgent)
    if (isPreviewCrawler && network !== null) log.record({ keyId, network, address, ...cardOf(parsed) })
  }
}

function describe({ asset, query }: ParsedRequest): Omit<Share, 'keyId' | 'network' | 'address'> {
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
