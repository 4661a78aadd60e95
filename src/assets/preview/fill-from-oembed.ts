import { getDomain } from 'tldts'
import { isJsonObject, type JsonObject, parseJson } from '../../lib/json.ts'
import { defaultLimits } from '../../web/fetch-limits.ts'
import type { FetchedPage } from '../../web/fetched-page.ts'
import { isCapacityFailure } from '../../web/single-flight.ts'
import type { WebFetcher } from '../../web/web-fetcher.ts'
import { nonEmptyText } from './clean-text.ts'
import { mediaType } from './content-type.ts'
import { dimension } from './fields/media-objects.ts'
import { isPlaceholder } from './placeholder.ts'
import type { PageFields, PreviewImage } from './preview.ts'
import { createUrlResolver, type UrlResolverOptions } from './url-resolver.ts'

interface OembedOptions extends Pick<UrlResolverOptions, 'allowsAddress'> {
  readonly fetcher: WebFetcher
}

/**
 * Adds what a host of videos, sounds or pictures says by oEmbed where its page lacks author or title. A failure is a
 * warning; `isBusy` says that the host may answer later. The `html` of the answer is never read.
 */
export async function fillFromOembed(
  fields: PageFields,
  page: Pick<FetchedPage, 'url' | 'timingMs'>,
  { fetcher, ...options }: OembedOptions,
): Promise<PageFields & { readonly isBusy?: boolean }> {
  const url = oembedUrl(fields, page.url)
  if (url === undefined) return fields
  const answer = await fetchOembed(fetcher, url, defaultLimits.totalMs - page.timingMs.total)
  if (answer === undefined || answer === 'busy')
    return { ...fields, warnings: [...fields.warnings, 'oembed_failed'], isBusy: answer === 'busy' }
  return filled(fields, answer, createUrlResolver(url, undefined, options))
}

/** The one to ask, or undefined. */
function oembedUrl({ oembed, author, title }: PageFields, pageUrl: URL): string | undefined {
  if (oembed === null || oembed.format !== 'json' || (author !== null && title !== null)) return undefined
  const url = new URL(oembed.url)
  const isSafe = url.protocol === 'https:' || url.protocol === pageUrl.protocol
  // WordPress offers it for every article, and says what the page says.
  const isOfArticles = /\/oembed\/1\.0\/embed$/.test(url.pathname)
  return isSafe && isSameSite(url, pageUrl) && !isSameDocument(url, pageUrl) && !isOfArticles
    ? url.href
    : undefined
}

function isSameSite(url: URL, pageUrl: URL): boolean {
  const [one, other] = [url, pageUrl].map(
    ({ hostname }) => getDomain(hostname, { allowPrivateDomains: true }) ?? hostname,
  )
  return one === other
}

function isSameDocument(url: URL, pageUrl: URL): boolean {
  return url.origin + url.pathname + url.search === pageUrl.origin + pageUrl.pathname + pageUrl.search
}

async function fetchOembed(
  fetcher: WebFetcher,
  url: string,
  leftMs: number,
): Promise<JsonObject | 'busy' | undefined> {
  if (leftMs <= 0) return undefined
  const chunks: Uint8Array[] = []
  try {
    const { truncated } = await fetcher.fetchPage(url, {
      accept: 'application/json',
      bodyBytesMax: bytesMax,
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

const bytesMax = 65_536
const answerTypes: ReadonlySet<string> = new Set(['video', 'photo', 'rich'])

function filled(
  fields: PageFields,
  answer: JsonObject,
  resolve: ReturnType<typeof createUrlResolver>,
): PageFields {
  const title = fields.title === null ? textOf(answer['title']) : undefined
  const author = fields.author === null ? textOf(answer['author_name']) : undefined
  const image = fields.image === null ? imageOf(answer, resolve) : undefined
  return {
    ...fields,
    ...(title !== undefined && { title }),
    ...(author !== undefined && { author, authors: [author] }),
    ...(image !== undefined && { image, images: [image] }),
    sources: {
      ...fields.sources,
      ...(title !== undefined && { title: 'oembed' }),
      ...(author !== undefined && { author: 'oembed' }),
      ...(image !== undefined && { image: 'oembed' }),
    },
  }
}

function textOf(value: unknown): string | undefined {
  if (typeof value !== 'string' || isPlaceholder(value)) return undefined
  return nonEmptyText(value.slice(0, textCharsMax))
}

const textCharsMax = 300

function imageOf(
  answer: JsonObject,
  resolve: ReturnType<typeof createUrlResolver>,
): PreviewImage | undefined {
  const isPhoto = answer['type'] === 'photo' && typeof answer['url'] === 'string'
  const [href, width, height] = isPhoto
    ? [answer['url'], answer['width'], answer['height']]
    : [answer['thumbnail_url'], answer['thumbnail_width'], answer['thumbnail_height']]
  const url = typeof href === 'string' ? resolve(href) : undefined
  if (url === undefined) return undefined
  return {
    url,
    secure_url: url.startsWith('https:') ? url : null,
    type: null,
    width: dimension(width),
    height: dimension(height),
    alt: null,
    source: 'oembed',
  }
}
