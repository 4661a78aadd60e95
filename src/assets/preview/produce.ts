import { invalidQuery } from '../../errors.ts'
import { FetchFailure } from '../../web/fetch-failure.ts'
import { fetchProblem } from '../../web/fetch-problem.ts'
import type { LiveProducer } from '../kit/producer.ts'
import type { LivePages } from '../live-pages.ts'
import { limitUnpaidFetch, requesterOf } from '../unpaid-fetch.ts'
import { toMicrolink, toOembed } from './formats.ts'
import type { Preview } from './preview.ts'
import type { PreviewQuery, previewQuery } from './query.ts'

/** `GET /api/preview`: what a page says about itself. */
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
            : await previews.preview({ ...page, beforeFetch: limitUnpaidFetch(unpaid, context, grant) })
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
  switch (format) {
    case 'oembed':
      return toOembed(preview)
    case 'microlink':
      return toMicrolink(preview)
    default:
      return preview
  }
}
