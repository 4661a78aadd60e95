import type { AdminArea } from '../admin/area.ts'
import type { Authorizer } from './access/authorizer.ts'
import type { Counters } from './access/counters.ts'
import { agentFamily } from './access/crawlers.ts'
import type { DrawingShares } from './access/drawing-shares.ts'
import { readKeyMetrics } from './access/key-quota.ts'
import { loggedPath } from './access/path-address.ts'
import type { Secrets } from './access/secrets.ts'
import { withPrice } from './config.ts'
import { type AssetHandler, createAssetHandler } from './http/asset-handler.ts'
import { areasOf } from './http/base-path.ts'
import { requestCacheBytes } from './http/cache-bytes.ts'
import type { DrawingQueue } from './http/cached-renderer.ts'
import type { CountShare } from './http/count-shares.ts'
import type { DrawingService } from './http/drawing-service.ts'
import { createErrorPictures } from './http/error-responder.ts'
import type { FreeDrawings } from './http/free-drawings.ts'
import { createPublicDocuments } from './http/public-documents.ts'
import type { RenderedAsset } from './http/request-context.ts'
import { createRequestPipeline } from './http/request-pipeline.ts'
import { createRouter } from './http/router.ts'
import type { ByteCache } from './lib/byte-cache.ts'
import type { Log } from './lib/log.ts'
import type { Payments } from './payments/payments.ts'
import { type ApiKeyDeps, apiKey } from './routes/api-key.ts'
import { type ApiUpgradeDeps, apiUpgrade } from './routes/api-upgrade.ts'
import { apiUsage } from './routes/api-usage.ts'
import { fromCompatibilityUrl, isBadgeContent } from './routes/compatibility/compatibility-urls.ts'
import { healthz, metricsRoute, type Readiness, readyz } from './routes/machines.ts'
import { paymentPrices } from './routes/payment-prices.ts'
import { bot } from './site/bot.tsx'
import { operationsOf, type Route } from './site/openapi/operation.ts'
import { site } from './site/site.ts'
import type { SiteDeps } from './site/site-pages.ts'
import type { Store } from './store/open.ts'

export interface AppDeps
  extends ApiKeyDeps,
    ApiUpgradeDeps,
    Pick<SiteDeps, 'assets' | 'playgroundKey' | 'pictures' | 'hasPublicBrands'> {
  readonly cache: ByteCache<RenderedAsset>
  readonly store: Store
  readonly log: Log
  readonly authorizer: Authorizer
  readonly drawings: DrawingQueue
  readonly freeDrawings: FreeDrawings
  readonly loadDrawings: () => Promise<DrawingService>
  readonly drawingShares: Pick<DrawingShares, 'read'>
  readonly counters: Counters
  readonly countShare: CountShare
  readonly secrets: Secrets
  readonly readiness: Readiness
  /** The name by which robots.txt files know our fetcher. */
  readonly fetcherName: string
  readonly payments: Payments | undefined
  readonly admin: AdminArea
}

/** The whole service as one `fetch`; docs/decisions/request-pipeline.md has the reasons. */
export function createApp(deps: AppDeps) {
  const { config, log, clock, admin } = deps
  // The prices that the operator set hold wherever an asset is read.
  const served = deps.assets.map(({ asset, producer }) => ({ asset: withPrice(asset, config), producer }))
  const assets = createAssetHandler({ ...deps, assets: served })
  const router = createRoutes({ ...deps, assets: served }, assets)
  const fetch = createRequestPipeline({
    recall: assets.recall,
    answerRepeated: assets.answerRepeated,
    answerAsset: assets.answerAsset,
    rewrite: fromCompatibilityUrl,
    holdsText: isBadgeContent,
    guardedAreas,
    route: (request) => router.fetch(request),
    isDraining: deps.readiness.draining,
    log,
    errorPicture: createErrorPictures(
      served.map(({ asset }) => asset),
      deps.freeDrawings,
    ),
    problemPage: async (problem, context) => {
      if (problem.status === 404) return (await import('./site/layout.tsx')).notFoundPage(problem, context)
      const isAdmin = /^\/admin(?:\/|$)/.test(context.path)
      return isAdmin && problem.code === 'busy' ? await admin.busyPage(problem) : undefined
    },
    baseUrl: config.BASE_URL,
    allowedHosts: [...config.ALLOWED_HOSTS, ...(config.ADMIN_HOST ? [config.ADMIN_HOST] : [])],
    trustedProxies: config.TRUSTED_PROXIES,
    handlerReadsBody: admin.isBrandForm,
    observe: (context, response, durationMs) => {
      deps.counters.observe(context, response, durationMs)
      const { id, method, path, logFields } = context
      const auth = logFields.auth ?? ''
      const shown = loggedPath(path)
      admin.recent.add({
        atMs: clock.now(),
        id,
        method,
        path: shown,
        status: response.status,
        durationMs,
        auth,
        asset: logFields.asset ?? '',
        keyId: logFields.key ?? '',
        agent: agentFamily(context.head.userAgent),
      })
    },
  })
  /** Asset paths are left out, because the front cache does not check paths, and every caller of them is authorized. */
  function guardedAreas(): ReadonlySet<string> {
    const open = new Set(assets.paths)
    return areasOf(router.routes.map(({ path }) => path).filter((path) => !open.has(path)))
  }
  return { fetch, router, guardedAreas }
}

function createRoutes(deps: AppDeps, assets: AssetHandler) {
  const { config, store, clock, counters, payments } = deps
  const rows = deps.assets.map(({ asset }) => asset)
  const documents = createPublicDocuments({
    bytesMax: requestCacheBytes.documents,
    baseUrl: config.BASE_URL,
  })
  const router = createRouter('mintmark')
    .use(assets.router)
    .use(apiKey(deps))
    .use(
      apiUsage({
        store,
        clock,
        drawingShares: deps.drawingShares,
        secrets: deps.secrets,
        skewSeconds: config.SIGNATURE_SKEW_SECONDS,
        keyDailyQuota: config.KEY_DAILY_QUOTA,
      }),
    )
    .use(apiUpgrade(deps))
    .use(paymentPrices({ config, assets: rows, payments }))
    .use(
      site({
        ...deps,
        documents,
        perAddressDaily: config.PLAYGROUND_PER_IP_PER_DAY,
        readStats: counters.read,
        operations: () => operationsOf(routes()),
      }),
    )
    .use(bot({ product: deps.fetcherName, perMinute: config.FETCH_TARGET_PER_MINUTE, documents }))
    .use(healthz())
    .use(readyz(deps.readiness))
    .use(
      metricsRoute(
        config.METRICS_TOKEN,
        async () =>
          (await counters.prometheus()) + (await readKeyMetrics(store, clock, config.KEY_DAILY_QUOTA)),
      ),
    )
    .use(deps.admin.routes())
  function routes(): readonly Route[] {
    return router.routes
  }
  return router
}
