/** Returns the URL of a page without fragment and tracking parameters, or undefined if it cannot be in a sitemap. */
export function pageUrl(raw: string, base?: string): URL | undefined {
  if (!URL.canParse(raw, base)) return undefined
  const url = new URL(raw, base)
  url.hash = ''
  const isTracked = url.search
    .slice(1)
    .split('&')
    .some((pair) => tracking.test(pair))
  if (isTracked)
    url.search = url.search
      .slice(1)
      .split('&')
      .filter((pair) => !tracking.test(pair))
      .join('&')
  const isWeb = url.protocol === 'https:' || url.protocol === 'http:'
  return isWeb && url.username === '' && url.password === '' && url.href.length < 2_048 ? url : undefined
}

/** Parameters that campaigns, advertisers and networks add to a URL. The page is the same without them. */
const tracking =
  /^(?:utm_\w+|(?:fb|g|d|ms|tw|tt|y|e)cl(?:k?id)|[gw]braid|igshid|mc_[ce]id|mkt_tok|_g[al]|_hs(?:enc|mi)|li_fat_id|oly_(?:anon|enc)_id|vero_id)(?:=|$)/i
