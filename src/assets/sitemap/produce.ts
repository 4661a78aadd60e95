import { promisify } from 'node:util'
import { crc32, deflateRaw } from 'node:zlib'
import { Problem } from '../../errors.ts'
import { acceptedTypes } from '../../lib/accepted-types.ts'
import { littleEndian } from '../../lib/body.ts'
import { fetchProblem } from '../../web/fetch-failure.ts'
import type { AssetHead, Grant, LiveProducer, ProduceContext } from '../kit/producer.ts'
import type { LivePages } from '../live-pages.ts'
import { limitUnpaidFetch, requesterOf } from '../unpaid-fetch.ts'
import { type Bundle, type BundleFile, fileTypes } from './bundle.ts'
import type { SiteBundleRequest } from './bundle-service.ts'
import { normalizeDomain } from './normalize-domain.ts'
import type { SitemapQuery, sitemapQuery } from './query.ts'

/** Paid answers are no stream of events, because they are stored to be replayed. */
export function createSitemapProducer({
  load,
  unpaid,
}: Pick<LivePages, 'load' | 'unpaid'>): LiveProducer<typeof sitemapQuery> {
  return {
    async answer(query, context, grant) {
      const request = { ...requestOf(query, grant), requester: requesterOf(context, grant) }
      const accepted = acceptedTypes(context.request.headers.get('accept'))
      const isStream = accepted.includes('text/event-stream') && grant.mode !== 'payment'
      if (context.method === 'HEAD') {
        if (!isStream) return fileResponse(null, fileOf(query, request.host))
        // The headers of a stream without events; its body is not sent.
        const { headers } = eventStream(context, grant, async () => null)
        return new Response(null, { headers })
      }
      const beforeFetch = limitUnpaidFetch(unpaid, context.clientAddress, grant)
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

const demoPagesMax = 8

const pagesCrawledMax = 20

function requestOf({ domain, max, ai, signals, crawl }: SitemapQuery, { mode }: Grant): SiteBundleRequest {
  const normal = normalizeDomain(domain)
  if ('error' in normal) throw new Error('The rules of the asset let a wrong domain through.')
  return {
    host: normal.host,
    urlsMax: max,
    pagesMax: mode === 'demo' ? demoPagesMax : pagesCrawledMax,
    ai,
    signals,
    crawl,
  }
}

async function bodyOf(bundle: Bundle, { file, format }: SitemapQuery): Promise<string | Uint8Array> {
  if (file !== undefined) return contentOf(bundle, file)
  if (format === 'json') return JSON.stringify(bundle)
  return writeZip(bundle.files.map(({ name }) => ({ name, content: Buffer.from(contentOf(bundle, name)) })))
}

function contentOf({ robots, sitemap, llms }: Bundle, name: BundleFile['name']): string {
  return { 'robots.txt': robots, 'sitemap.xml': sitemap, 'llms.txt': llms }[name]
}

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

type Send = (event: string, data: unknown) => void

/** Sends what `work` sends, then `done` or `error`. The call is given back when the work fails. */
export function eventStream(
  context: Pick<ProduceContext, 'baseUrl'>,
  grant: Pick<Grant, 'refund'>,
  work: (send: Send) => Promise<unknown>,
): Response {
  const encoder = new TextEncoder()
  let isOpen = true
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      const send: Send = (event, data) => {
        if (isOpen) controller.enqueue(encoder.encode(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`))
      }
      try {
        send('done', await work(send))
      } catch (error) {
        await grant.refund()
        const problem = fetchProblem(error, 'domain')
        const publicProblem =
          problem instanceof Problem ? problem : new Problem('internal', 'Nothing was charged.')
        send('error', publicProblem.toJSON(context.baseUrl))
      }
      if (isOpen) controller.close()
      isOpen = false
    },
    cancel() {
      isOpen = false
    },
  })
  return new Response(body, {
    headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store', 'x-accel-buffering': 'no' },
  })
}

export async function writeZip(
  files: readonly { readonly name: string; readonly content: Uint8Array }[],
): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  const directory: Uint8Array[] = []
  let offset = 0
  for (const { name, content } of files) {
    const packed = await deflateRawAsync(content)
    const entry = entryFields(name, content, packed)
    const local = Buffer.concat([littleEndian(0x04034b50, 4), entry, littleEndian(0, 2), Buffer.from(name)])
    const place = littleEndian(0, 2, 0, 2, 0, 2, 0, 2, 0, 4, offset, 4)
    directory.push(littleEndian(0x02014b50, 4, version, 2), entry, place, Buffer.from(name))
    parts.push(local, packed)
    offset += local.length + packed.length
  }
  const index = Buffer.concat(directory)
  const count = files.length
  const end = littleEndian(0x06054b50, 4, 0, 2, 0, 2, count, 2, count, 2, index.length, 4, offset, 4, 0, 2)
  return new Uint8Array(Buffer.concat([...parts, index, end]))
}

const deflateRawAsync = promisify(deflateRaw)
const version = 20
const utf8Names = 0x0800
const deflate = 8
const firstDosDate = 0x0021

function entryFields(name: string, content: Uint8Array, packed: Uint8Array): Uint8Array {
  const head = [version, 2, utf8Names, 2, deflate, 2, 0, 2, firstDosDate, 2]
  return littleEndian(
    ...head,
    crc32(content),
    4,
    packed.length,
    4,
    content.length,
    4,
    Buffer.byteLength(name),
    2,
  )
}
