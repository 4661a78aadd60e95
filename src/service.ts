import { createAdminArea } from '../admin/area.ts'
import { type Authorizer, createAuthorizer } from './access/authorizer.ts'
import { createCounters, publicAgeMsMax } from './access/counters.ts'
import { createDrawingShares } from './access/drawing-shares.ts'
import { createSiteDirectory } from './access/key-cache.ts'
import { createKeyIssuer, createKeys } from './access/keys.ts'
import { checkMasterKey, createSecrets, masterKeyOf } from './access/secrets.ts'
import { createShareLog, createTrafficLog } from './access/traffic-log.ts'
import { createApp } from './app.ts'
import type { AssetParts } from './assets/asset-parts.ts'
import { createCardPages } from './assets/card/card-pages.ts'
import type { Asset, ServedAsset } from './assets/kit/asset.ts'
import { createLivePages } from './assets/live-pages.ts'
import { createDrawingPool } from './assets/og/drawing-pool.ts'
import type { Incidents, ProcessReport } from './assets/stats/process-report.ts'
import { brandCacheBytes } from './brands/brand-loader.ts'
import { createBrands } from './brands/brands.ts'
import { createUploadReaders } from './brands/read-uploads.ts'
import { assets as allAssets } from './catalog.ts'
import type { Config } from './config.ts'
import { guardedStarts } from './http/base-path.ts'
import { requestCacheBytes } from './http/cache-bytes.ts'
import { createDrawingQueue } from './http/cached-renderer.ts'
import { createCountShares } from './http/count-shares.ts'
import type { DrawingService, DrawingServiceDeps } from './http/drawing-service.ts'
import { createFreeDrawings } from './http/free-drawings.ts'
import type { RenderedAsset } from './http/request-context.ts'
import { createByteCache } from './lib/byte-cache.ts'
import type { SharedAddressWatch } from './lib/client-addresses.ts'
import { type Clock, hourMs, systemClock } from './lib/clock.ts'
import { createLog, createRepeatedWarning, type Log } from './lib/log.ts'
import { createAlertSender, createAlerts } from './operator/alerts.ts'
import { createPaymentsMonitor, type PaymentsMonitor } from './operator/concern.ts'
import { createConcerns } from './operator/concerns.ts'
import { watchSharedAddress } from './operator/shared-address.ts'
import { openPayments, paymentsOff } from './payments/open-payments.ts'
import type { Payments } from './payments/payments.ts'
import { rasterCacheBytes } from './raster/cache-bytes.ts'
import { createPictureDrawer } from './raster/picture-process/picture-drawer.ts'
import type { Route } from './site/openapi/operation.ts'
import { refuseMoved } from './store/key-values.ts'
import type { Store } from './store/open.ts'
import { openDatabase } from './store/open-database.ts'
import { createDocumentList, createPageStore } from './store/page-store.ts'
import { startPruning } from './store/prune.ts'
import { textCacheBytes } from './text/cache-bytes.ts'
import { createTextDrawer } from './text/text-drawer.ts'

export interface ServiceDeps {
  readonly config: Config
  readonly readFile: (path: string) => string
  readonly write: (lines: string) => void
  readonly clock?: Clock
  readonly assets?: readonly Asset[]
  /** Incidents in this process beside its responses. */
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

export type Service = Awaited<ReturnType<typeof createService>>

/** Makes every part of the service once, in order. Throws if the database cannot be opened. */
export async function createService(deps: ServiceDeps) {
  const core = await openCore(deps)
  const { config, store, clock, log } = core
  const access = await createAccess(core, deps)
  const drawing = createDrawing(core)
  const brands = createBrands({ store, clock, readers: createUploadReaders(drawing.pictures) })
  await brands.refresh()
  const pages = createPages(core, deps)
  const { counters } = access
  const assets = await createProducers(deps.assets ?? allAssets, {
    ...drawing,
    ...pages,
    cardSites: createSiteDirectory(store),
    brands: brands.cards,
    stats: { read: counters.read, prometheus: () => counters.prometheus(publicAgeMsMax) },
  })
  const loadDrawings = drawingLoader({ ...drawing, ...access, assets })
  const admin = createAdminArea({
    ...core,
    ...access,
    brands,
    ...pages,
    text: drawing.text,
    loadDrawings,
    assets,
  })
  let isDraining = false
  const { fetch, router, guardedAreas } = createApp({
    ...core,
    ...access,
    ...drawing,
    loadDrawings,
    assets,
    readiness: {
      draining: () => isDraining,
      probeStore: store.health.probe,
      onProblem: createRepeatedWarning(log, 'not ready'),
    },
    hasPublicBrands: brands.hasPublic,
    playgroundKey: access.secrets.playgroundKey,
    fetcherName: pages.livePages.product,
    admin,
  })
  const stopWork = startWork(core, access, deps)
  return {
    config,
    log,
    fetch,
    /** The starts of request targets that alone lead to a guarded area, with that area. */
    guardedStarts: guardedStarts(guardedAreas(), config.BASE_URL),
    /** Every routed method and path, those of the operator's area instead of `/admin/*`. A path may have parameters. */
    async routes(): Promise<readonly Route[]> {
      const open: readonly Route[] = router.routes.filter(({ method }) => method !== 'ALL')
      return [...open, ...(await admin.load()).routes]
    },
    changes: store.changes,
    report: counters.report,
    /** Returns the token of the link that sets the operator's password; undefined if there is a password. */
    startSetup: admin.startSetup,
    /** From now on `/readyz` answers 503 and connections are closed after their response. */
    startDraining() {
      isDraining = true
    },
    /** Writes what is buffered to the database and the log. The service cannot be used afterwards. */
    async close(): Promise<void> {
      await stopWork()
      drawing.raster.close()
      drawing.pictures.close()
      pages.cardPages.flush()
      await counters.flush()
      await access.shares.flush()
      await access.drawingShares.close()
      await brands.flush()
      await store.close()
      log.flush()
    },
  }
}

/** The parts that read pages of other sites. */
function createPages({ config, clock, store, clients }: Core, { readFile, processes }: ServiceDeps) {
  const livePages = createLivePages({ config, clock, readFile, isDivided: clients.note, processes })
  return {
    livePages,
    cardPages: createCardPages({ livePages, clock, store: createPageStore(store) }),
    documentList: createDocumentList(store, clock),
    loadPreviews: async () => (await livePages.load()).previews,
  }
}

function createDrawing({ log, clock }: Core) {
  return {
    text: createTextDrawer(),
    raster: createDrawingPool({ onFault: createRepeatedWarning(log, 'a card lacks a part', hourMs) }),
    pictures: createPictureDrawer(),
    freeDrawings: createFreeDrawings(clock),
  }
}

/** Returns what loads the service that draws for pages, once: most of what it needs is no part of the start. */
function drawingLoader(deps: DrawingServiceDeps): () => Promise<DrawingService> {
  let service: Promise<DrawingService> | undefined
  return () => {
    service ??= import('./http/drawing-service.ts').then(({ createDrawingService }) =>
      createDrawingService(deps),
    )
    return service
  }
}

interface Core {
  readonly config: Config
  readonly store: Store
  readonly clock: Clock
  readonly log: Log
  readonly clients: SharedAddressWatch
}

async function openCore({ config, clock = systemClock, readFile, write }: ServiceDeps): Promise<Core> {
  const log = createLog({ level: config.LOG_LEVEL, write, now: () => clock.now() })
  const store = await openDatabase({
    settings: config,
    clock,
    readFile,
    onError: (error) => log.error('a write was given up', { problem: String(error) }),
    onAway: (problem) => log.error('the database is away', { problem: String(problem) }),
  })
  return { config, store, clock, log, clients: watchSharedAddress({ config, store, clock, log }) }
}

/** The parts that decide who may call, take payments and count. */
async function createAccess(core: Core, deps: ServiceDeps) {
  const { config, store, clock } = core
  const assets = deps.assets ?? allAssets
  await refuseMoved(store.keyValues)
  const key = await masterKeyOf(config, store)
  const secrets = createSecrets(key)
  await checkMasterKey(store, secrets)
  const { meter } = store
  const traffic = createTrafficLog({ store, clock })
  const keys = createKeys({ table: store.keys, signedAddresses: store.signedAddresses, secrets, clock })
  const shares = createShareLog({ store, clock })
  const payments = await openPayments({ ...core, assets, masterKey: key })
  const paymentAuthorizer = payments ?? paymentsOff
  const cache = createAnswerCache(config)
  const drawingShares = createDrawingShares({
    meter,
    usage: store.usage,
    clock,
    dailyDrawings: config.KEY_DAILY_DRAWINGS,
  })
  return {
    secrets,
    shares,
    countShare: createCountShares(shares),
    meter,
    keys,
    drawingShares,
    drawings: createDrawingQueue({ shares: drawingShares }),
    payments,
    paymentAuthorizer,
    ...createOperatorParts(core, payments),
    cache,
    issuer: createKeyIssuer({
      keys,
      meter,
      isOpen: () => config.PUBLIC_KEYS,
      perAddressDaily: config.KEYS_PER_IP_PER_DAY,
    }),
    authorizer:
      deps.authorizer ??
      createAuthorizer({
        store,
        traffic,
        secrets,
        clock,
        skewSeconds: config.SIGNATURE_SKEW_SECONDS,
        keyDailyQuota: config.KEY_DAILY_QUOTA,
        demoDailyQuota: config.DEMO_DAILY_QUOTA,
        payments: paymentAuthorizer,
        isDivided: core.clients.note,
      }),
    counters: createCounters({
      ...deps,
      store,
      traffic,
      endpoints: assets.map(({ id }) => id),
      clock,
      demoDailyQuota: config.DEMO_DAILY_QUOTA,
      cacheStats: cache.stats,
    }),
  }
}

function createAnswerCache({ CACHE_MB: cacheMb }: Config) {
  return createByteCache<RenderedAsset>({
    bytesMax: answerBytes(cacheMb),
    sizeOf: ({ body }) => body.length,
  })
}

function createOperatorParts(core: Core, payments: Payments | undefined) {
  const paymentsMonitor = createPaymentsMonitor(payments, core.clock)
  return { paymentsMonitor, concerns: createConcerns({ ...core, paymentsMonitor }) }
}

function createProducers(assets: readonly Asset[], parts: AssetParts): Promise<readonly ServedAsset[]> {
  return Promise.all(assets.map(async (asset) => ({ asset, producer: await asset.createProducer(parts) })))
}

/** Starts what goes on beside requests, and returns what stops it. */
function startWork(
  core: Core,
  { payments, paymentsMonitor }: OperatorParts,
  deps: ServiceDeps,
): () => Promise<void> {
  const { store, clock, log } = core
  store.startServing()
  const stopPruning = startPruning(store, clock, {
    onError: (error) => log.warn('old counts were not removed', { problem: String(error) }),
  })
  payments?.start().catch((error) => log.error('payments did not start', { problem: String(error) }))
  const stopAlerts = startAlerts(core, paymentsMonitor, deps)
  return async () => {
    payments?.stop()
    stopPruning()
    await stopAlerts()
  }
}

interface OperatorParts {
  readonly payments: Payments | undefined
  readonly paymentsMonitor: PaymentsMonitor
}

/** Starts to look for what the operator is alerted to, where a receiver is set, and returns what stops that. */
function startAlerts(
  core: Core,
  paymentsMonitor: PaymentsMonitor,
  { readFile }: ServiceDeps,
): () => Promise<void> {
  const send = createAlertSender({ ...core, readFile })
  if (send === undefined) return async () => {}
  const onProblem = createRepeatedWarning(core.log, 'an alert was not sent', hourMs)
  const concerns = createConcerns({ ...core, paymentsMonitor, isForAlerts: true })
  return createAlerts({ ...core, concerns, send, baseUrl: core.config.BASE_URL, onProblem }).start()
}

/** Bytes of all other caches when they are full. */
const otherCaches = { ...textCacheBytes, ...rasterCacheBytes, ...brandCacheBytes, ...requestCacheBytes }
const otherCachesBytes = Object.values(otherCaches).reduce((sum, bytes) => sum + bytes, 0)

/** Returns the bytes of `CACHE_MB` for rendered assets: what the other caches leave, at least a tenth. */
function answerBytes(cacheMb: number): number {
  const cacheBytes = cacheMb * 2 ** 20
  return Math.max(cacheBytes - otherCachesBytes, Math.floor(cacheBytes / 10))
}
