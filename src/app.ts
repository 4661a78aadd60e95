import { type AdminArea, createAdminArea } from '../admin/area.ts'
import { agentFamily } from './access/crawlers.ts'
import { readKeyMetrics } from './access/key-quota.ts'
import { loggedPath } from './access/path-address.ts'
import { withPrice } from './config.ts'
import { type AssetHandler, createAssetHandler } from './http/asset-handler.ts'
import { areasOf } from './http/base-path.ts'
import { requestCacheBytes } from './http/cache-bytes.ts'
import { createErrorPictures } from './http/error-responder.ts'
import { createPublicDocuments } from './http/public-documents.ts'
import { createRequestPipeline } from './http/request-pipeline.ts'
import { createRouter } from './http/router.ts'
import { createRepeatedWarning } from './lib/log.ts'
import type { Parts } from './parts.ts'
import { fromCompatibilityUrl, isBadgeContent } from './routes/compatibility/compatibility-urls.ts'
import { apiKey, apiUsage } from './routes/keys.ts'
import { healthz, metricsRoute, type Readiness, readyz } from './routes/machines.ts'
import { apiUpgrade, paymentPrices } from './routes/payments.ts'
import { operationsOf, type Route } from './site/openapi/operation.ts'
import { site } from './site/site.ts'

/** The whole service as one `fetch`; docs/decisions/request-pipeline.md has the reasons. */
export function createApp(parts: Parts) {
  const { config, log, clock, store } = parts
  const admin = createAdminArea(parts)
  let isDraining = false
  const readiness = {
    draining: () => isDraining,
    probeStore: store.health.probe,
    onProblem: createRepeatedWarning(log, 'not ready'),
  }
  // The prices that the operator set hold wherever an asset is read.
  const served = parts.assets.map(({ asset, producer }) => ({ asset: withPrice(asset, config), producer }))
  const shown = served.map(({ asset }) => asset)
  const assets = createAssetHandler({ ...parts, assets: served })
  const router = createRoutes({ ...parts, assets: served, admin, readiness }, assets)
  const fetch = createRequestPipeline({
    ...assets,
    rewrite: fromCompatibilityUrl,
    holdsText: isBadgeContent,
    guardedAreas,
    route: (request) => router.fetch(request),
    isDraining: readiness.draining,
    log,
    errorPicture: createErrorPictures(shown, parts.freeDrawings),
    problemPage: async (problem, context) => {
      if (problem.status === 404 || /^\/(?:$|(?:examples|docs|status|bot)(?:\/|$))/.test(context.path))
        return (await import('./site/layout.tsx')).problemPage(problem, context)
      const isAdmin = /^\/admin(?:\/|$)/.test(context.path)
      return isAdmin && problem.code === 'busy' ? await admin.busyPage(problem) : undefined
    },
    baseUrl: config.BASE_URL,
    allowedHosts: [...config.ALLOWED_HOSTS, ...(config.ADMIN_HOST ? [config.ADMIN_HOST] : [])],
    trustedProxies: config.TRUSTED_PROXIES,
    handlerReadsBody: admin.isBrandForm,
    observe: (context, response, durationMs) => {
      parts.counters.observe(context, response, durationMs)
      const { id, method, path, logFields } = context
      admin.recent.add({
        atMs: clock.now(),
        id,
        method,
        path: loggedPath(path),
        status: response.status,
        durationMs,
        auth: logFields.auth ?? '',
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
  return {
    fetch,
    router,
    guardedAreas,
    admin,
    startDraining() {
      isDraining = true
    },
  }
}

function createRoutes(
  parts: Parts & { readonly admin: AdminArea; readonly readiness: Readiness },
  assets: AssetHandler,
) {
  const { config, store, clock, counters, brands, secrets } = parts
  const documents = createPublicDocuments(requestCacheBytes.documents, config.BASE_URL)
  const router = createRouter('mintmark')
    .use(assets.router)
    .use(apiKey(parts))
    .use(apiUsage(parts))
    .use(apiUpgrade(parts))
    .use(paymentPrices(parts))
    .use(
      site({
        ...parts,
        documents,
        playgroundKey: secrets.playgroundKey,
        hasPublicBrands: brands.hasPublic,
        perAddressDaily: config.PLAYGROUND_PER_IP_PER_DAY,
        readStats: counters.read,
        operations: () => operationsOf(routes()),
      }),
    )
    .use(healthz())
    .use(readyz(parts.readiness))
    .use(
      metricsRoute(
        config.METRICS_TOKEN,
        async () => (await counters.prometheus()) + (await readKeyMetrics(store, clock, parts.keyDailyQuota)),
      ),
    )
    .use(parts.admin.routes())
  function routes(): readonly Route[] {
    return router.routes
  }
  return router
}
