import type { Granted } from '../../access/authorization.ts'
import { assets } from '../../catalog.ts'
import { acceptedTypes } from '../../http/accept.ts'
import type { LiveProducer } from '../../http/parsed-request.ts'
import type { RequestContext } from '../../http/request-context.ts'
import type { RateLimit } from '../../lib/rate-limit.ts'
import { version } from '../../lib/version.ts'
import { fetchProblem } from '../../web/fetch-problem.ts'
import { requesterOf, unpaidWork } from '../unpaid-work.ts'
import type { Bundle, BundleFile } from './bundle.ts'
import type { BundleService, SiteBundleRequest } from './bundle-service.ts'
import { eventStream } from './event-stream.ts'
import { normalizeDomain } from './normalize-domain.ts'
import type { SitemapQuery } from './query.ts'
import { writeZip } from './write-zip.ts'

export interface SitemapDeps {
  readonly bundles: BundleService
  readonly unpaid: RateLimit
}

/**
 * `GET /api/sitemap`: the three files of a site. Asked for `text/event-stream` it tells how far it is, as `progress`
 * events, and ends with `done` or `error`; paid answers come in one piece, because they are kept to be sent again.
 */
export function sitemapProducer({ bundles, unpaid }: SitemapDeps): LiveProducer<typeof assets.sitemap.query> {
  return {
    asset: assets.sitemap,
    engineVersion: version,
    async answer(query, context, granted) {
      const request = { ...requestOf(query, granted), requester: requesterOf(context, granted) }
      const isStream = wantsEvents(context) && granted.mode !== 'payment'
      if (context.method === 'HEAD') {
        if (!isStream) return fileResponse(null, fileOf(query, request.host))
        // The head of a stream that has nothing to tell, which nobody reads.
        const { headers } = eventStream(context, granted, async () => null)
        return new Response(null, { headers })
      }
      const beforeFetch = unpaidWork(unpaid, context, granted)
      if (isStream) {
        return eventStream(context, granted, async (send) =>
          bundles.bundle(request, { beforeFetch, onProgress: (progress) => send('progress', progress) }),
        )
      }
      try {
        return await bundleResponse(await bundles.bundle(request, { beforeFetch }), query)
      } catch (error) {
        throw fetchProblem(error, 'domain')
      }
    },
  }
}

const pagesMost = 20
const demoPagesMax = 8

function requestOf({ domain, max, ai, crawl }: SitemapQuery, { mode }: Granted): SiteBundleRequest {
  const normal = normalizeDomain(domain)
  if ('fault' in normal) throw new Error('The rules of the catalog let a wrong domain through.')
  return { host: normal.host, urlsMax: max, pagesMax: mode === 'demo' ? demoPagesMax : pagesMost, ai, crawl }
}

function wantsEvents({ request }: RequestContext): boolean {
  return acceptedTypes(request.headers.get('accept')).includes('text/event-stream')
}

async function bundleResponse(bundle: Bundle, query: SitemapQuery): Promise<Response> {
  return fileResponse(await bodyOf(bundle, query), fileOf(query, bundle.domain))
}

async function bodyOf(bundle: Bundle, { file, format }: SitemapQuery): Promise<string | Uint8Array> {
  if (file !== undefined) return contentOf(bundle, file)
  if (format === 'json') return JSON.stringify(bundle)
  return writeZip(bundle.files.map(({ name }) => ({ name, content: Buffer.from(contentOf(bundle, name)) })))
}

function contentOf({ robots, sitemap, llms }: Bundle, name: BundleFile['name']): string {
  return { 'robots.txt': robots, 'sitemap.xml': sitemap, 'llms.txt': llms }[name]
}

interface FileHead {
  readonly name: string
  readonly contentType: string
}

/** What a caller is told of the file that answers the query: known before anything is made. */
function fileOf({ file, format }: SitemapQuery, host: string): FileHead {
  if (file === 'sitemap.xml') return { name: file, contentType: 'application/xml; charset=utf-8' }
  if (file !== undefined) return { name: file, contentType: 'text/plain; charset=utf-8' }
  return { name: `${host}.${format}`, contentType: `application/${format}` }
}

function fileResponse(body: string | Uint8Array | null, { name, contentType }: FileHead): Response {
  return new Response(body as Uint8Array<ArrayBuffer> | null, {
    headers: {
      'content-type': contentType,
      'content-disposition': `inline; filename="${name}"`,
      'cache-control': 'private, max-age=300',
    },
  })
}
