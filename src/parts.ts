import { type Authorizer, createAuthorizer } from './access/authorizer.ts'
import { createCounters, publicAgeMsMax } from './access/counters.ts'
import { createDrawingShares } from './access/drawing-shares.ts'
import { createSiteDirectory } from './access/key-cache.ts'
import { createKeyIssuer, createKeys } from './access/keys.ts'
import { checkMasterKey, createSecrets, masterKeyOf } from './access/secrets.ts'
import { createShareLog, createTrafficLog } from './access/traffic-log.ts'
import { createCardPages } from './assets/card/card-pages.ts'
import type { Asset, ServedAsset } from './assets/kit/asset.ts'
import { createLivePages } from './assets/live-pages.ts'
import { createDrawingPool } from './assets/og/drawing-pool.ts'
import type { Incidents, ProcessReport } from './assets/stats/process-report.ts'
import { createWebPictures } from './assets/web-pictures.ts'
import { brandCacheBytes } from './brands/brand-directory.ts'
import { createBrands } from './brands/brands.ts'
import { createUploadReaders } from './brands/check-form.ts'
import { assets as allAssets } from './catalog.ts'
import type { Config } from './config.ts'
import { requestCacheBytes } from './http/cache-bytes.ts'
import { createDrawingQueue, createFreeDrawings } from './http/cached-renderer.ts'
import { createCountShares } from './http/count-shares.ts'
import type { RenderedAsset } from './http/request-context.ts'
import { createByteCache } from './lib/byte-cache.ts'
import { type Clock, hourMs, systemClock } from './lib/clock.ts'
import { createLog, createRepeatedWarning } from './lib/log.ts'
import { runOnce } from './lib/memo.ts'
import { createConcerns, createPaymentsMonitor } from './operator/concerns.ts'
import { watchSharedAddress } from './operator/shared-address.ts'
import { openPayments, paymentsOff } from './payments/open-payments.ts'
import { rasterCacheBytes } from './raster/cache-bytes.ts'
import { createPictureDrawer } from './raster/picture-process/picture-drawer.ts'
import { refuseMoved } from './store/key-values.ts'
import { openDatabase } from './store/open-database.ts'
import { createDocumentList, createPageStore, createPictureStore } from './store/page-store.ts'
import { textCacheBytes } from './text/cache-bytes.ts'
import { createTextDrawer } from './text/text-drawer.ts'

export interface ServiceDeps {
  readonly config: Config
  readonly readFile: (path: string) => string
  readonly write: (lines: string) => void
  readonly clock?: Clock
  readonly assets?: readonly Asset[]
  readonly incidents?: () => Incidents
  /** Processes of this server that serve; 1 if undefined. */
  readonly processes?: number
  /** When the service started, if this process started later. */
  readonly startedAtMs?: number
  /** The reports of all processes together, at most `maxAgeMs` old, if there are several. */
  readonly total?: (maxAgeMs: number) => Promise<ProcessReport>
  /** Replaces the authorizer, so that a bench can measure what it costs. */
  readonly authorizer?: Authorizer
}

export type Parts = Awaited<ReturnType<typeof createParts>>

/** Makes every part of the service once, in order. Throws if the database cannot be opened. */
export async function createParts(deps: ServiceDeps) {
  const { config, readFile, write, processes, clock = systemClock, assets: rows = allAssets } = deps
  const log = createLog({ level: config.LOG_LEVEL, write, now: () => clock.now() })
  const store = await openDatabase({
    settings: config,
    clock,
    readFile,
    onError: (error) => log.error('a write was given up', { problem: String(error) }),
    onAway: (problem) => log.error('the database is away', { problem: String(problem) }),
  })
  const { meter } = store
  const clients = watchSharedAddress({ config, store, clock, log })
  const core = { config, store, clock, log, clients }
  await refuseMoved(store.keyValues)
  const masterKey = await masterKeyOf(config, store)
  const secrets = createSecrets(masterKey)
  await checkMasterKey(store, secrets)
  const traffic = createTrafficLog(core)
  const keys = createKeys(store, secrets, clock)
  const shares = createShareLog(core)
  const payments = await openPayments({ ...core, processes, assets: rows, masterKey })
  const paymentAuthorizer = payments ?? paymentsOff
  const paymentsMonitor = createPaymentsMonitor(payments, clock)
  const cacheBytes = config.CACHE_MB * 2 ** 20
  // CACHE_MB less what the other caches hold when they are full, but at least a tenth of it.
  const answerBytes = Math.max(cacheBytes - otherCachesBytes, Math.floor(cacheBytes / 10))
  const cache = createByteCache<RenderedAsset>(answerBytes, ({ body }) => body.length)
  const drawingShares = createDrawingShares(store, clock, config.KEY_DAILY_DRAWINGS)
  const { DEMO_DAILY_QUOTA: demoDailyQuota, KEY_DAILY_QUOTA: keyDailyQuota } = config
  const keyRules = { traffic, secrets, keyDailyQuota, skewSeconds: config.SIGNATURE_SKEW_SECONDS }
  const counters = createCounters({
    ...deps,
    ...core,
    traffic,
    endpoints: rows.map(({ id }) => id),
    demoDailyQuota,
    cacheStats: cache.stats,
  })
  const pictures = createPictureDrawer()
  const brands = createBrands({ store, clock, readers: createUploadReaders(pictures) })
  await brands.refresh()
  const livePages = createLivePages({ config, clock, readFile, isDivided: clients.note, processes })
  const read = {
    livePages,
    cardPages: createCardPages(livePages, createPageStore(store), clock),
    webPictures: createWebPictures({ livePages, pictures, clock, store: createPictureStore(store) }),
    documentList: createDocumentList(store, clock),
    loadPreviews: async () => (await livePages.load()).previews,
  }
  const drawing = {
    text: createTextDrawer(),
    raster: createDrawingPool({ onFault: createRepeatedWarning(log, 'a card lacks a part', hourMs) }),
    pictures,
  }
  const producerParts = {
    ...drawing,
    ...read,
    cardSites: createSiteDirectory(store),
    brands: brands.cards,
    stats: { read: counters.read, prometheus: () => counters.prometheus(publicAgeMsMax) },
  }
  const drawings = createDrawingQueue(drawingShares)
  const freeDrawings = createFreeDrawings(clock, processes)
  const assets: readonly ServedAsset[] = await Promise.all(
    rows.map(async (asset) => ({ asset, producer: await asset.createProducer(producerParts) })),
  )
  return {
    ...core,
    ...read,
    ...drawing,
    ...keyRules,
    shares,
    countShare: createCountShares(shares),
    meter,
    keys,
    drawingShares,
    drawings,
    freeDrawings,
    payments,
    paymentAuthorizer,
    paymentsMonitor,
    concerns: createConcerns({ ...core, paymentsMonitor }),
    cache,
    issuer: createKeyIssuer(keys, meter, config),
    authorizer:
      deps.authorizer ??
      createAuthorizer({
        ...core,
        ...keyRules,
        demoDailyQuota,
        payments: paymentAuthorizer,
        isDivided: clients.note,
      }),
    counters,
    brands,
    assets,
    // Loaded with its first use: most of what it needs is no part of the start.
    loadDrawings: runOnce(async () => {
      const { createDrawingService } = await import('./http/drawing-service.ts')
      return createDrawingService({ ...drawing, assets, cache, drawings, freeDrawings })
    }),
  }
}

const otherCaches = { ...textCacheBytes, ...rasterCacheBytes, ...brandCacheBytes, ...requestCacheBytes }
const otherCachesBytes = Object.values(otherCaches).reduce((sum, bytes) => sum + bytes, 0)
