import { acceptedTypes } from '../../lib/accepted-types.ts'
import { fetchProblem } from '../../web/fetch-problem.ts'
import type { AssetHead, Grant, LiveProducer, ProduceContext } from '../kit/producer.ts'
import type { LivePages } from '../live-pages.ts'
import { limitUnpaidFetch, requesterOf } from '../unpaid-fetch.ts'
import { type Bundle, type BundleFile, fileTypes } from './bundle.ts'
import type { SiteBundleRequest } from './bundle-service.ts'
import { eventStream } from './event-stream.ts'
import { normalizeDomain } from './normalize-domain.ts'
import type { SitemapQuery, sitemapQuery } from './query.ts'
import { writeZip } from './write-zip.ts'

/**
 * `GET /api/sitemap`: the three files of a site. With `Accept: text/event-stream` it streams `progress` events and ends
 * with `done` or `error`. Paid answers come in one piece, because they are stored to be replayed.
 */
export function createSitemapProducer({
  load,
  unpaid,
}: Pick<LivePages, 'load' | 'unpaid'>): LiveProducer<typeof sitemapQuery> {
  return {
    async answer(query, context, grant) {
      const request = { ...requestOf(query, grant), requester: requesterOf(context, grant) }
      const isStream = wantsEvents(context) && grant.mode !== 'payment'
      if (context.method === 'HEAD') {
        if (!isStream) return fileResponse(null, fileOf(query, request.host))
        // The headers of a stream without events; its body is not sent.
        const { headers } = eventStream(context, grant, async () => null)
        return new Response(null, { headers })
      }
      const beforeFetch = limitUnpaidFetch(unpaid, context, grant)
      const { bundles } = await load()
      if (isStream) {
        return eventStream(context, grant, async (send) =>
          bundles.bundle(request, { beforeFetch, onProgress: (progress) => send('progress', progress) }),
        )
      }
      try {
        const bundle = await bundles.bundle(request, { beforeFetch })
        return fileResponse(await bodyOf(bundle, query), fileOf(query, bundle.domain))
      } catch (error) {
        throw fetchProblem(error, 'domain')
      }
    },
  }
}

const pagesCrawledMax = 20
const demoPagesMax = 8

function requestOf({ domain, max, ai, crawl }: SitemapQuery, { mode }: Grant): SiteBundleRequest {
  const normal = normalizeDomain(domain)
  if ('error' in normal) throw new Error('The rules of the asset let a wrong domain through.')
  return {
    host: normal.host,
    urlsMax: max,
    pagesMax: mode === 'demo' ? demoPagesMax : pagesCrawledMax,
    ai,
    crawl,
  }
}

function wantsEvents({ request }: ProduceContext): boolean {
  return acceptedTypes(request.headers.get('accept')).includes('text/event-stream')
}

async function bodyOf(bundle: Bundle, { file, format }: SitemapQuery): Promise<string | Uint8Array> {
  if (file !== undefined) return contentOf(bundle, file)
  if (format === 'json') return JSON.stringify(bundle)
  return writeZip(bundle.files.map(({ name }) => ({ name, content: Buffer.from(contentOf(bundle, name)) })))
}

function contentOf({ robots, sitemap, llms }: Bundle, name: BundleFile['name']): string {
  return { 'robots.txt': robots, 'sitemap.xml': sitemap, 'llms.txt': llms }[name]
}

/** The head of the file that answers the query: a pure function of it. */
function fileOf({ file, format }: SitemapQuery, host: string): AssetHead {
  if (file !== undefined) return { filename: file, contentType: fileTypes[file] }
  return { filename: `${host}.${format}`, contentType: `application/${format}` }
}

function fileResponse(body: string | Uint8Array | null, { filename, contentType }: AssetHead): Response {
  return new Response(body as Uint8Array<ArrayBuffer> | null, {
    headers: {
      'content-type': contentType,
      'content-disposition': `inline; filename="${filename}"`,
      'cache-control': 'private, max-age=300',
    },
  })
}
