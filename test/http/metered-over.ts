import { createAuthorizer } from '../../src/access/authorizer.ts'
import { createSecrets } from '../../src/access/secrets.ts'
import { createTrafficLog } from '../../src/access/traffic-log.ts'
import { createMetered } from '../../src/http/asset-handler.ts'
import { type RenderedAsset, type RequestContext, readHead } from '../../src/http/request-context.ts'
import { createByteCache } from '../../src/lib/byte-cache.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { CallWaiter } from '../../src/lib/waiter.ts'
import type { Store } from '../../src/store/open.ts'
import { unboundedDrawings, usualFreeDrawings } from '../support/unbounded-drawings.ts'

/** The metered pipeline over a store. */
export function meteredOver(store: Store, demoDailyQuota: number) {
  const authorizer = createAuthorizer({
    store,
    traffic: createTrafficLog({ store, clock: systemClock }),
    secrets: createSecrets(new Uint8Array(32)),
    clock: systemClock,
    skewSeconds: 300,
    keyDailyQuota: 1,
    demoDailyQuota,
  })
  const cache = createByteCache<RenderedAsset>(1_000_000, ({ body }) => body.length)
  const drawings = { drawings: unboundedDrawings(), freeDrawings: usualFreeDrawings() }
  return { cache, metered: createMetered({ authorizer, cache, ...drawings }) }
}

export function callContext(request: Request, path: string, rawQuery: string): RequestContext {
  return {
    request,
    head: readHead(request),
    id: 'test',
    startMs: performance.now(),
    method: request.method,
    path,
    rawQuery,
    baseUrl: 'http://localhost',
    clientAddress: '127.0.0.1',
    waiter: new CallWaiter(() => request.signal),
    logFields: {},
    isUnmadeForHead: false,
    isFinished: false,
  }
}
