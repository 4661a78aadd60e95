import type { FetchedPage, FetchPageOptions, PageHead } from '../../web/fetched-page.ts'
import type { WebFetcher } from '../../web/web-fetcher.ts'
import { isHtml } from './content-type.ts'
import { filePreview } from './file-preview.ts'
import { fillFromOembed } from './fill-from-oembed.ts'
import type { PageOrigin } from './page-fields.ts'
import { createPageParser, type PageParser, type ParsedPage } from './page-parser.ts'
import type { Preview } from './preview.ts'

/** A preview as it was fetched, without the state of the cache. */
export type FreshPreview = Omit<Preview, 'cache'> & {
  readonly ttlSeconds: number
  /** Whether more of the page is read for callers who pay. */
  readonly isUnpaidPart: boolean
}

export interface FetchPreviewOptions extends Pick<PageOrigin, 'allowsAddress'> {
  readonly fetcher: WebFetcher
  /** Sent as Accept-Language. */
  readonly lang?: string
  readonly now: () => number
}

/** Fetches a page and parses it while it arrives. Rejects with FetchFailure. */
export async function fetchPreview(
  url: string,
  { fetcher, lang, now, allowsAddress }: FetchPreviewOptions,
): Promise<FreshPreview> {
  let parser: PageParser | undefined
  const sink: FetchPageOptions['sink'] = ({ url: { href }, headers }: PageHead) => {
    const contentType = headers['content-type'] ?? ''
    const origin = { url: href, headers, nowMs: now(), ...(allowsAddress && { allowsAddress }) }
    parser = isHtml(contentType) ? createPageParser({ ...origin, contentType }) : undefined
    return parser
  }
  const parsedPages = new Map<string, ParsedPage | undefined>()
  async function onward({ url: { href } }: FetchedPage) {
    const parsed = await parser?.finish()
    parsedPages.set(href, parsed)
    return parsed?.move
  }
  const page = await fetcher.fetchPage(url, {
    sink,
    onward,
    ...(lang !== undefined && { acceptLanguage: lang }),
  })
  const finalUrl = page.url.href
  const parsed = parsedPages.get(finalUrl)
  const { isBusy = false, ...fields } =
    parsed === undefined
      ? { ...filePreview({ url: finalUrl, headers: page.headers }) }
      : await fillFromOembed(parsed.fields, page, { fetcher, ...(allowsAddress && { allowsAddress }) })
  const truncated = page.truncated || parsed?.cut === true
  return {
    kind: 'preview',
    version: 1,
    url,
    final_url: finalUrl,
    http_status: page.status,
    redirects: page.redirects,
    content_type: page.headers['content-type'] ?? null,
    charset: parsed?.charset ?? { encoding: null, source: null },
    ...fields,
    warnings: [
      ...fields.warnings,
      ...(page.isStranded ? (['refresh_failed'] as const) : []),
      ...(truncated ? (['truncated'] as const) : []),
    ],
    truncated,
    bytes: page.bytes,
    timing_ms: {
      dns: Math.round(page.timingMs.dns),
      connect: Math.round(page.timingMs.connect),
      headers: Math.round(page.timingMs.headers),
      total: Math.round(page.timingMs.total),
    },
    fetched_at: new Date(now()).toISOString(),
    ttlSeconds: truncated || page.isStranded || isBusy ? ttlCutSeconds : ttlSeconds(page.headers, now()),
    isUnpaidPart: page.isUnpaidPart,
  }
}

/** How long a preview stays fresh, by the headers of its page: from 5 minutes to a day. */
export function ttlSeconds(headers: Readonly<Record<string, string>>, nowMs: number): number {
  const control = (headers['cache-control'] ?? '').toLowerCase()
  if (/\bno-(?:store|cache)\b/.test(control)) return ttlMinSeconds
  const maxAge = /\bs-maxage\s*=\s*"?(\d{1,9})/.exec(control) ?? /\bmax-age\s*=\s*"?(\d{1,9})/.exec(control)
  if (maxAge !== null) return clamp(Number(maxAge[1]) - Number(headers['age'] ?? 0))
  const expiresAt = Date.parse(headers['expires'] ?? '')
  return Number.isNaN(expiresAt) ? ttlDefaultSeconds : clamp((expiresAt - nowMs) / 1000)
}

/** For what was not read to its end, or may be had later. */
const ttlCutSeconds = 60
const ttlMinSeconds = 300
const ttlMaxSeconds = 86_400
const ttlDefaultSeconds = 3_600

function clamp(seconds: number): number {
  return Math.round(Math.min(ttlMaxSeconds, Math.max(ttlMinSeconds, Number.isNaN(seconds) ? 0 : seconds)))
}
