import type { ServedAsset } from '../../src/assets/kit/asset.ts'
import { Problem } from '../../src/errors.ts'
import { renderAsset, SharedContext } from '../../src/http/cached-renderer.ts'
import type { ParsedRequest, RenderedAsset } from '../../src/http/parsed-request.ts'
import type { RequestContext } from '../../src/http/request-context.ts'
import { createRequestParser } from '../../src/http/request-parser.ts'
import type { ByteCache } from '../../src/lib/byte-cache.ts'
import { createFairLimiter, LimiterFull } from '../../src/lib/fair-limiter.ts'

interface SharePicturesDeps {
  readonly assets: readonly ServedAsset[]
  readonly cache: ByteCache<RenderedAsset>
}

/** The stored parts of a shared card, from which it can be drawn again. */
interface StoredCard {
  readonly asset: string
  readonly query: string
}

/** Draws shared cards for the operator, counted on no quota. Few are drawn at once, and the sessions take turns. */
export function createSharePictures({ assets, cache }: SharePicturesDeps) {
  const parser = createRequestParser(assets)
  const limiter = createFairLimiter({ runningMax: 2, waitingMax: 100 })

  function parse({ asset: id, query }: StoredCard): ParsedRequest {
    const asset = assets.find((served) => served.asset.id === id)?.asset
    if (asset === undefined || query === '') throw notDrawn()
    try {
      return parser.read({ path: asset.path, rawQuery: query, logFields: {} })
    } catch (error) {
      // The brand was archived, or this version refuses what an earlier one took.
      throw error instanceof Problem ? notDrawn(error) : error
    }
  }

  return async (sessionId: string, card: StoredCard, context: RequestContext): Promise<RenderedAsset> => {
    const parsed = parse(card)
    const { producer, key } = parsed
    if ('answer' in producer) throw notDrawn()
    try {
      return await limiter.run({ name: sessionId, waiter: context.waiter }, async () =>
        cache.getOrCreate(
          key,
          (waiter) => renderAsset(producer, parsed, new SharedContext(context, waiter)),
          context.waiter,
        ),
      )
    } catch (error) {
      if (!(error instanceof LimiterFull)) throw error
      throw new Problem('busy', 'Too many pictures are drawn at this moment.', {
        headers: { 'retry-after': '2' },
        cause: error,
      })
    }
  }
}

function notDrawn(cause?: Problem): Problem {
  return new Problem('not_found', 'This card cannot be drawn again.', { cause })
}
