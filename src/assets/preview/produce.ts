import { invalidQuery } from '../../errors.ts'
import { saidOnly } from '../../lib/json.ts'
import { FetchFailure, fetchProblem } from '../../web/fetch-failure.ts'
import type { LiveProducer } from '../kit/producer.ts'
import type { LivePages } from '../live-pages.ts'
import { limitUnpaidFetch, requesterOf } from '../unpaid-fetch.ts'
import type { Preview, PreviewMedia } from './preview.ts'
import type { PreviewQuery, previewQuery } from './query.ts'

export function createPreviewProducer({
  load,
  unpaid,
}: Pick<LivePages, 'load' | 'unpaid'>): LiveProducer<typeof previewQuery> {
  return {
    async answer({ url, lang, format, fresh }, context, grant) {
      if (fresh && grant.mode === 'demo')
        throw invalidQuery([{ parameter: 'fresh', message: 'is not for demo=1' }])
      const page = {
        url,
        fresh,
        requester: requesterOf(context, grant),
        ...(lang !== undefined && { lang }),
      }
      const { previews } = await load()
      try {
        const preview =
          context.method === 'HEAD'
            ? previews.peek(page)
            : await previews.preview({
                ...page,
                beforeRead: limitUnpaidFetch(unpaid, context.clientAddress, grant),
              })
        if (preview === undefined) return response(null, copySecondsMax)
        context.logFields.cache = preview.cache.state === 'miss' ? 'miss' : 'hit'
        return response(shaped(preview, format), preview.cache.ttl - preview.cache.age)
      } catch (error) {
        if (error instanceof FetchFailure && error.reason === 'too_complex')
          context.logFields.refused = error.reason
        throw fetchProblem(error, 'url')
      }
    },
  }
}

/** For how long a caller may keep the answer, in seconds, so that it does not outlive our cache by much. */
const copySecondsMax = 300

function response(body: unknown, freshSeconds: number): Response {
  const maxAge = Math.max(0, Math.min(copySecondsMax, freshSeconds))
  return new Response(body === null ? null : JSON.stringify(body), {
    headers: { 'content-type': 'application/json', 'cache-control': `private, max-age=${maxAge}` },
  })
}

function shaped(preview: Preview, format: PreviewQuery['format']): unknown {
  return format === 'oembed' ? toOembed(preview) : format === 'microlink' ? toMicrolink(preview) : preview
}

export function toOembed(preview: Preview) {
  const { image, cache } = preview
  return saidOnly({
    version: '1.0',
    type: 'link',
    title: preview.title,
    author_name: preview.author,
    provider_name: preview.site_name ?? new URL(preview.final_url).hostname,
    provider_url: new URL(preview.final_url).origin,
    url: preview.canonical ?? preview.final_url,
    description: preview.description,
    thumbnail_url: image?.secure_url ?? image?.url,
    thumbnail_width: image?.width,
    thumbnail_height: image?.height,
    cache_age: Math.max(0, cache.ttl - cache.age),
  })
}

export function toMicrolink(preview: Preview): object {
  function media(item: PreviewMedia | null = null) {
    return item && { url: item.url, type: item.type, width: item.width, height: item.height }
  }
  const logo = preview.logo ?? preview.icon?.url ?? null
  return {
    status: 'success',
    statusCode: preview.http_status,
    redirects: preview.redirects.map(({ status, url }) => ({ statusCode: status, url })),
    data: {
      title: preview.title,
      description: preview.description,
      lang: preview.lang,
      author: preview.author,
      publisher: preview.site_name ?? new URL(preview.final_url).hostname,
      image: media(preview.image),
      logo: logo && { url: logo },
      video: media(preview.videos[0]),
      audio: media(preview.audios[0]),
      date: preview.published,
      url: preview.canonical ?? preview.final_url,
    },
  }
}
