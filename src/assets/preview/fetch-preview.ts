import { getDomain } from 'tldts'
import { isJsonObject, type JsonObject, parseJson, saidOnly } from '../../lib/json.ts'
import { FetchFailure } from '../../web/fetch-failure.ts'
import defaultLimits from '../../web/fetch-limits.json' with { type: 'json' }
import type { FetchedPage, FetchPageOptions, PageHead } from '../../web/fetched-page.ts'
import { isCapacityFailure } from '../../web/single-flight.ts'
import type { WebFetcher } from '../../web/web-fetcher.ts'
import { isChallengePage } from './challenge.ts'
import { dimension, image } from './fields/media.ts'
import { filePreview, isHtml, mediaType } from './file-preview.ts'
import { textOf } from './linked-data.ts'
import { withoutHash } from './page-fields.ts'
import { createPageParser, type PageParser, type ParsedPage } from './page-parser.ts'
import { nonEmptyText } from './page-text.ts'
import type { PageFields, Preview, PreviewImage } from './preview.ts'
import type { PageOrigin } from './rule.ts'
import { createUrlResolver, type ResolveUrl } from './url-resolver.ts'

export type FreshPreview = Omit<Preview, 'cache'> & {
  readonly ttlSeconds: number
  /** True if more of the page is read for callers who pay. */
  readonly isUnpaidPart: boolean
}

export interface FetchParsedOptions
  extends Pick<PageOrigin, 'allowsAddress' | 'nowMs'>,
    Pick<FetchPageOptions, 'validators' | 'acceptLanguage'> {
  readonly fetcher: WebFetcher
}

/** Fetches a page and parses it while it arrives: undefined where it is no HTML, or not new. Rejects with FetchFailure. */
export async function fetchParsed(
  url: string,
  { fetcher, nowMs, allowsAddress, ...options }: FetchParsedOptions,
) {
  let parser: PageParser | undefined
  const parsedPages = new Map<string, ParsedPage | undefined>()
  const page = await fetcher.fetchPage(url, {
    ...options,
    sink({ url: { href }, headers }: PageHead) {
      const origin = { url: href, headers, nowMs, allowsAddress }
      const isPage = isHtml(headers['content-type'] ?? '')
      parser = isPage ? createPageParser({ ...origin, readsOutline: true }) : undefined
      return parser
    },
    async onward({ url: { href }, status }: FetchedPage) {
      const parsed = status === 304 ? undefined : await parser?.finish()
      parsedPages.set(href, parsed)
      return parsed?.move
    },
  })
  return { page, parsed: parsedPages.get(page.url.href) }
}

interface FetchPreviewOptions extends Pick<FetchParsedOptions, 'fetcher' | 'allowsAddress'> {
  readonly lang: string | undefined
  readonly now: () => number
}

export async function fetchPreview(url: string, options: FetchPreviewOptions): Promise<FreshPreview> {
  const { fetcher, lang, now, allowsAddress } = options
  const reading = { fetcher, nowMs: now(), allowsAddress, acceptLanguage: lang }
  const { page, parsed } = await fetchParsed(url, reading)
  const finalUrl = page.url.href
  if (isChallengePage(page, parsed)) throw new FetchFailure('target_challenge', { targetStatus: page.status })
  const { isBusy = false, ...fields } =
    parsed === undefined
      ? { ...filePreview({ url: finalUrl, headers: page.headers }) }
      : await fillFromOembed(parsed.fields, page, { fetcher, allowsAddress })
  const truncated = page.truncated || parsed?.cut === true
  const { dns, connect, headers, total } = page.timingMs
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
      dns: Math.round(dns),
      connect: Math.round(connect),
      headers: Math.round(headers),
      total: Math.round(total),
    },
    fetched_at: new Date(now()).toISOString(),
    ttlSeconds: truncated || page.isStranded || isBusy ? ttlCutSeconds : ttlSeconds(page.headers, now()),
    isUnpaidPart: page.isUnpaidPart,
  }
}

/** The time for which a preview stays fresh, by the headers of its page: from 5 minutes to a day. */
export function ttlSeconds(headers: Readonly<Record<string, string>>, nowMs: number): number {
  const control = (headers['cache-control'] ?? '').toLowerCase()
  if (/\bno-(?:store|cache)\b/.test(control)) return ttlMinSeconds
  const maxAge = /\bs-maxage\s*=\s*"?(\d{1,9})/.exec(control) ?? /\bmax-age\s*=\s*"?(\d{1,9})/.exec(control)
  if (maxAge !== null) return clamp(Number(maxAge[1]) - Number(headers['age'] ?? 0))
  const expiresAt = Date.parse(headers['expires'] ?? '')
  return Number.isNaN(expiresAt) ? ttlDefaultSeconds : clamp((expiresAt - nowMs) / 1000)
}

const ttlCutSeconds = 60
const ttlMinSeconds = 300
const ttlMaxSeconds = 86_400
const ttlDefaultSeconds = 3_600

function clamp(seconds: number): number {
  return Math.round(Math.min(ttlMaxSeconds, Math.max(ttlMinSeconds, Number.isNaN(seconds) ? 0 : seconds)))
}

/** A failure is a warning; `isBusy` says that the host may answer later. The `html` of an answer is never read. */
async function fillFromOembed(
  fields: PageFields,
  page: Pick<FetchedPage, 'url' | 'timingMs'>,
  { fetcher, allowsAddress }: Pick<FetchParsedOptions, 'fetcher' | 'allowsAddress'>,
): Promise<PageFields & { readonly isBusy?: boolean }> {
  const url = oembedUrl(fields, page.url)
  if (url === undefined) return fields
  const answer = await fetchOembed(fetcher, url, defaultLimits.totalMs - page.timingMs.total)
  if (answer === undefined || answer === 'busy')
    return { ...fields, warnings: [...fields.warnings, 'oembed_failed'], isBusy: answer === 'busy' }
  return filled(fields, answer, createUrlResolver(url, undefined, allowsAddress))
}

function oembedUrl({ oembed, author, title }: PageFields, pageUrl: URL): string | undefined {
  if (oembed === null || oembed.format !== 'json' || (author !== null && title !== null)) return undefined
  const url = new URL(oembed.url)
  const isSafe = url.protocol === 'https:' || url.protocol === pageUrl.protocol
  // WordPress offers it for every article, and says what the page says.
  const isOfArticles = /\/oembed\/1\.0\/embed$/.test(url.pathname)
  const [site, ownSite] = [url, pageUrl].map(
    ({ hostname }) => getDomain(hostname, { allowPrivateDomains: true }) ?? hostname,
  )
  return isSafe && site === ownSite && withoutHash(url.href) !== withoutHash(pageUrl.href) && !isOfArticles
    ? url.href
    : undefined
}

async function fetchOembed(fetcher: WebFetcher, url: string, leftMs: number) {
  if (leftMs <= 0) return undefined
  const chunks: Uint8Array[] = []
  try {
    const { truncated } = await fetcher.fetchPage(url, {
      accept: 'application/json',
      bodyBytesMax: 65_536,
      totalMsMax: leftMs,
      redirectsMax: 0,
      sink: ({ headers }) =>
        /\bjson\b/.test(mediaType(headers['content-type'] ?? ''))
          ? { write: (chunk) => chunks.push(chunk) > 0, isUseful: () => false }
          : undefined,
    })
    const answer = truncated ? undefined : parseJson(Buffer.concat(chunks).toString('utf8'))
    return isJsonObject(answer) && answerTypes.has(String(answer['type'])) ? answer : undefined
  } catch (failure) {
    return isCapacityFailure(failure) ? 'busy' : undefined
  }
}

const textCharsMax = 300
const answerTypes: ReadonlySet<string> = new Set(['video', 'photo', 'rich'])

function filled(fields: PageFields, answer: JsonObject, resolve: ResolveUrl): PageFields {
  const title =
    fields.title === null ? nonEmptyText(textOf(answer['title'])?.slice(0, textCharsMax)) : undefined
  const author =
    fields.author === null ? nonEmptyText(textOf(answer['author_name'])?.slice(0, textCharsMax)) : undefined
  const image = fields.image === null ? imageOf(answer, resolve) : undefined
  const found = saidOnly({ title, author, image })
  const sources = Object.fromEntries(Object.keys(found).map((name) => [name, 'oembed']))
  return {
    ...fields,
    ...found,
    ...(author !== undefined && { authors: [author] }),
    ...(image !== undefined && { images: [image] }),
    sources: { ...fields.sources, ...sources },
  }
}

function imageOf(answer: JsonObject, resolve: ResolveUrl): PreviewImage | undefined {
  const isPhoto = answer['type'] === 'photo' && typeof answer['url'] === 'string'
  const [href, width, height] = isPhoto
    ? [answer['url'], answer['width'], answer['height']]
    : [answer['thumbnail_url'], answer['thumbnail_width'], answer['thumbnail_height']]
  const url = typeof href === 'string' ? resolve(href) : undefined
  if (url === undefined) return undefined
  return image(url, 'oembed', { width: dimension(width), height: dimension(height) })
}
