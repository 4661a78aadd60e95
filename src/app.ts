import { Elysia } from 'elysia'
import { createAdminApp } from '../admin/app.ts'
import type { AdminDeps } from '../admin/deps.ts'
import { storeBusyPage } from '../admin/pages/store-busy.tsx'
import type { Authorizer } from './access/authorizer.ts'
import { type Counters, publicAgeMsMax } from './access/counters.ts'
import type { AvatarRenderer } from './assets/avatar/avatar-renderer.ts'
import type { BadgeOutliner } from './assets/badge/badge-outliner.ts'
import type { LivePages } from './assets/live-pages.ts'
import { type CardRenderer, ogProducer } from './assets/og/produce.ts'
import { previewProducer } from './assets/preview/produce.ts'
import { sitemapProducer } from './assets/sitemap/produce.ts'
import type { Config } from './config.ts'
import { priceMicros } from './config.ts'
import { answerFree } from './http/free.ts'
import { createMetered } from './http/metered.ts'
import { createFallback } from './http/methods.ts'
import { createRequestParser, type ParsedRequest, type RenderedAsset } from './http/parsed-request.ts'
import { contextOf, type RequestContext } from './http/request-context.ts'
import { createRequestPipeline } from './http/request-pipeline.ts'
import type { ByteCache } from './lib/byte-cache.ts'
import type { Log } from './lib/log.ts'
import type { Payments } from './payments/payments.ts'
import type { PictureDrawer } from './raster/picture-process/picture-drawer.ts'
import type { RasterPool } from './raster/pool.ts'
import { type ApiKeyDeps, apiKey } from './routes/api-key.ts'
import { avatarProducer, badgeProducer, statsProducer } from './routes/api-transform.ts'
import { type ApiUpgradeDeps, apiUpgrade } from './routes/api-upgrade.ts'
import { apiUsage } from './routes/api-usage.ts'
import { fromCompatibilityUrl } from './routes/compatibility-urls.ts'
import { healthz } from './routes/healthz.ts'
import { metricsRoute } from './routes/metrics.ts'
import { paymentPrices } from './routes/payment-prices.ts'
import { type Readiness, readyz } from './routes/readyz.ts'
import { bot } from './site/bot.tsx'
import { site } from './site/site.ts'

export interface AppDeps {
  readonly config: Config
  readonly log: Log
  readonly authorizer: Authorizer
  readonly cache: ByteCache<RenderedAsset>
  readonly cards: CardRenderer
  readonly badges: BadgeOutliner
  readonly avatars: AvatarRenderer
  readonly raster: Pick<RasterPool, 'scenePng' | 'svgPng'>
  readonly pictures: Pick<PictureDrawer, 'draw' | 'svgPng'>
  readonly livePages: LivePages
  readonly counters: Counters
  readonly readiness: Readiness
  readonly issuer: ApiKeyDeps['issuer']
  /** Signs the addresses of the playground's previews. */
  readonly playgroundKey: string
  readonly upgrade: Pick<ApiUpgradeDeps, 'keys' | 'meter' | 'authorizer'>
  readonly admin: AdminDeps
  /** Undefined while no wallet is configured. */
  readonly payments: Payments | undefined
}

/** The whole service: what a server needs is `fetch`. */
export function createApp(deps: AppDeps) {
  const {
    config,
    log,
    authorizer,
    cache,
    cards,
    badges,
    avatars,
    raster,
    pictures,
    livePages,
    counters,
    payments,
  } = deps
  const producers = [
    ogProducer({ cards, raster }),
    badgeProducer({ outliner: badges, raster, pictures }),
    avatarProducer({ avatars, raster }),
    previewProducer(livePages),
    sitemapProducer(livePages),
    statsProducer({ readStats: counters.read, prometheus: () => counters.prometheus(publicAgeMsMax) }),
  ]
  const calls = createRequestParser(producers)
  const metered = createMetered({
    authorizer,
    cache,
    priceMicros: (id) => priceMicros(config, id),
    remember: calls.remember,
    payments,
  })

  const router = new Elysia({ name: 'mintmark', strictPath: true })
    .onError(({ error, code, request }) => {
      // The front door turns it into a problem; only what the router did not find may still be a method of a path.
      if (code !== 'NOT_FOUND') throw error
      return fallback(contextOf(request))
    })
    .use(healthz())
    .use(readyz(deps.readiness))
    .use(metricsRoute({ token: config.METRICS_TOKEN, metrics: () => counters.prometheus() }))
    .use(assetRoutes())
    .use(bot(livePages))
    .use(apiKey({ issuer: deps.issuer, clock: deps.admin.clock }))
    .use(apiUsage({ ...deps.admin.store, clock: deps.admin.clock, keyDailyQuota: config.KEY_DAILY_QUOTA }))
    .use(paymentPrices({ config, payments }))
    .use(apiUpgrade({ ...deps.upgrade, config, clock: deps.admin.clock, payments }))
    .use(
      site({
        producers,
        read: calls.read,
        cache,
        meter: deps.upgrade.meter,
        clock: deps.admin.clock,
        perAddressDaily: config.PLAYGROUND_PER_IP_PER_DAY,
        playgroundKey: deps.playgroundKey,
        readStats: counters.read,
        config,
      }),
    )
    .use(createAdminApp(deps.admin))

  function answer(call: ParsedRequest, context: RequestContext): Promise<Response> {
    const { priceMicros: price } = call.producer.asset
    if (price !== undefined) return metered.answer(call, context)
    calls.remember(call, context)
    return answerFree(call, context)
  }

  const fallback = createFallback(() => router.routes)

  function assetRoutes() {
    const routes = new Elysia({ name: 'assets' })
    for (const path of calls.paths) {
      routes.get(path, ({ request }) => {
        const context = contextOf(request)
        return answer(calls.read(context), context)
      })
    }
    return routes
  }

  const fetch = createRequestPipeline({
    shortcut: (context) => {
      const call = context.method === 'GET' ? calls.find(context) : undefined
      return call && answer(call, context)
    },
    meaningOf: fromCompatibilityUrl,
    route: (request) => router.handle(request),
    log,
    busyPage: (problem, { path }) => (/^\/admin(?:\/|$)/.test(path) ? storeBusyPage(problem) : undefined),
    baseUrl: config.BASE_URL,
    allowedHosts: [...config.ALLOWED_HOSTS, ...(config.ADMIN_HOST ? [config.ADMIN_HOST] : [])],
    trustedProxies: config.TRUSTED_PROXIES,
    observe: (context, response, durationMs) => {
      counters.observe(context, response, durationMs)
      const { id, method, path, logFields: notes } = context
      const auth = notes.auth ?? ''
      deps.admin.recent.add({ atMs: Date.now(), id, method, path, status: response.status, durationMs, auth })
    },
  })
  return { fetch, router }
}
