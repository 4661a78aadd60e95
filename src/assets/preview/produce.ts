import { assets } from '../../catalog.ts'
import { invalidQuery } from '../../errors.ts'
import type { LiveProducer } from '../../http/parsed-request.ts'
import type { RateLimit } from '../../lib/rate-limit.ts'
import { version } from '../../lib/version.ts'
import { fetchProblem } from '../../web/fetch-problem.ts'
import { requesterOf, unpaidWork } from '../unpaid-work.ts'
import { toMicrolink, toOembed } from './formats.ts'
import type { Preview } from './preview.ts'
import type { PreviewService } from './preview-service.ts'
import type { PreviewQuery } from './query.ts'

export interface PreviewDeps {
  readonly previews: PreviewService
  readonly unpaid: RateLimit
}

/** `GET /api/transform?kind=preview`: what a page says about itself. */
export function previewProducer({
  previews,
  unpaid,
}: PreviewDeps): LiveProducer<typeof assets.preview.query> {
  return {
    asset: assets.preview,
    engineVersion: version,
    async answer({ url, lang, format, fresh }, context, granted) {
      if (fresh && granted.mode === 'demo')
        throw invalidQuery([{ parameter: 'fresh', message: 'is not for demo=1' }])
      const page = {
        url,
        fresh,
        requester: requesterOf(context, granted),
        ...(lang !== undefined && { lang }),
      }
      try {
        const preview =
          context.method === 'HEAD'
            ? previews.peek(page)
            : await previews.preview({ ...page, beforeFetch: unpaidWork(unpaid, context, granted) })
        if (preview === undefined) return response(null, copySecondsMax)
        context.logFields.cache = preview.cache.state === 'miss' ? 'miss' : 'hit'
        return response(shaped(preview, format), preview.cache.ttl - preview.cache.age)
      } catch (error) {
        throw fetchProblem(error, 'url')
      }
    },
  }
}

/** A copy with the caller must not outlive ours by much. */
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
