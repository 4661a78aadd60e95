import { createAdminDeps } from '../admin/create-admin-deps.ts'
import { type Authorizer, createAuthorizer } from './access/authorizer.ts'
import { checkMasterKey, refuseLostMasterKey } from './access/check-master-key.ts'
import { createCounters } from './access/counters.ts'
import { createKeyIssuer } from './access/key-issuer.ts'
import { createKeys } from './access/keys.ts'
import { loadMasterKey, parseMasterKey } from './access/master-key.ts'
import { createMeter } from './access/meter.ts'
import type { Incidents, ProcessReport } from './access/process-report.ts'
import { createSecrets } from './access/secrets.ts'
import { createApp } from './app.ts'
import { createAvatarRenderer } from './assets/avatar/avatar-renderer.ts'
import { createBadgeOutliner } from './assets/badge/badge-outliner.ts'
import { createLivePages } from './assets/live-pages.ts'
import { createCardRenderer } from './assets/og/card.ts'
import { configAtStart } from './cli/read-start-config.ts'
import type { Config } from './config.ts'
import { answerBytes } from './http/answer-bytes.ts'
import type { RenderedAsset } from './http/parsed-request.ts'
import { createByteCache } from './lib/byte-cache.ts'
import { type Clock, systemClock } from './lib/clock.ts'
import { createLog, type Log } from './lib/log.ts'
import { createRepeatedWarning } from './lib/repeated-warning.ts'
import { openPayments } from './payments/open-payments.ts'
import { paymentsOff } from './payments/payments-off.ts'
import { createPictureDrawer } from './raster/picture-process/picture-drawer.ts'
import { createRasterPool } from './raster/pool.ts'
import { databasePath } from './store/database-path.ts'
import { openStore, type Store } from './store/open.ts'
import { startPruning } from './store/prune.ts'
import { createTextEngine } from './text/engine.ts'

export interface ServiceDeps {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly readFile: (path: string) => string
  /** Where log lines go. */
  readonly write: (lines: string) => void
  /** What went wrong in this process beside its answers. */
  readonly incidents?: () => Incidents
  /** When the service started, where this process started later. */
  readonly startedAtMs?: number
  /** What all processes counted, at most so long ago, where there are several. */
  readonly total?: (maxAgeMs: number) => Promise<ProcessReport>
  /** Tests bring their own. */
  readonly clock?: Clock
  /** Who decides on metered calls, where a bench measures what the decision costs. */
  readonly authorizer?: Authorizer
}

/** The service without a socket: what the entry files of each runtime share. */
export interface Service {
  readonly config: Config
  readonly log: Log
  readonly fetch: (request: Request, socketAddress: () => string) => Promise<Response>
  /** Every method and path that is routed; a path as the router has it, such as `/admin/keys/:id`. */
  readonly routes: readonly { readonly method: string; readonly path: string }[]
  /** What this process counted by itself. */
  report(): ProcessReport
  /** The token of the link that sets the operator's password; undefined when there is one. */
  startSetup(): Promise<string | undefined>
  /** From now on `/readyz` says no. */
  startDraining(): void
  /** Stores and writes what is held in memory. Nothing may be asked of the service afterwards. */
  close(): void
}

/** Builds everything from the environment. Throws where a setting is wrong or the database cannot be opened. */
export async function createService({
  env,
  readFile,
  write,
  incidents,
  startedAtMs,
  total,
  clock = systemClock,
  authorizer: given,
}: ServiceDeps): Promise<Service> {
  const config = await configAtStart(env, readFile)
  const log = createLog({ level: config.LOG_LEVEL, write, now: () => clock.now() })
  const store = openStore({
    path: databasePath(config),
    setting: config.DATABASE_URL === undefined ? 'DATA_DIR' : 'DATABASE_URL',
    clock,
    onError: (error) => log.error('a write was given up', { problem: String(error) }),
  })
  const key = masterKey(config, store)
  const secrets = createSecrets(key)
  checkMasterKey(store, secrets)
  const meter = createMeter({ store, clock })
  const keys = createKeys({ table: store.keys, secrets, clock })
  const payments = await openPayments({ config, store, clock, log, masterKey: key })
  const authorizer =
    given ??
    createAuthorizer({
      meter,
      keys: store.keys,
      secrets,
      clock,
      skewSeconds: config.SIGNATURE_SKEW_SECONDS,
      keyDailyQuota: config.KEY_DAILY_QUOTA,
      demoDailyQuota: config.DEMO_DAILY_QUOTA,
      payments: payments ?? paymentsOff,
    })
  const cache = createByteCache<RenderedAsset>({
    bytesMax: answerBytes(config.CACHE_MB),
    sizeOf: ({ body }) => body.length,
  })
  const raster = createRasterPool()
  const pictures = createPictureDrawer()
  const engine = createTextEngine()
  const counters = createCounters({
    store,
    clock,
    demoDailyQuota: config.DEMO_DAILY_QUOTA,
    cacheStats: cache.stats,
    ...(incidents && { incidents }),
    ...(startedAtMs !== undefined && { startedAtMs }),
    ...(total && { total }),
  })
  const livePages = createLivePages({ config, clock, readFile })
  const adminDeps = createAdminDeps({
    config,
    store,
    keys,
    secrets,
    clock,
    payments,
    previews: livePages.previews,
    databasePath: databasePath(config),
    cacheStats: cache.stats,
  })
  let isDraining = false
  const { fetch, router } = createApp({
    config,
    log,
    authorizer,
    cache,
    cards: createCardRenderer(engine),
    badges: createBadgeOutliner(engine),
    avatars: createAvatarRenderer(engine),
    raster,
    pictures,
    livePages,
    counters,
    readiness: {
      draining: () => isDraining,
      probeStore: store.health.probe,
      onProblem: createRepeatedWarning(log, 'not ready'),
    },
    issuer: createKeyIssuer({
      keys,
      meter,
      isOpen: () => config.PUBLIC_KEYS,
      perAddressDaily: config.KEYS_PER_IP_PER_DAY,
    }),
    playgroundKey: secrets.playgroundKey,
    upgrade: { keys, meter, authorizer: payments ?? paymentsOff },
    admin: adminDeps,
    payments,
  })
  store.startServing()
  const stopPruning = startPruning(store, clock, {
    onError: (error) => log.warn('old counts were not removed', { problem: String(error) }),
  })
  payments?.start().catch((error) => log.error('payments did not start', { problem: String(error) }))
  return {
    config,
    log,
    fetch: (...request) => (isDraining ? thenClose(fetch(...request)) : fetch(...request)),
    routes: router.routes.map(({ method, path }) => ({ method, path })),
    report: counters.report,
    startSetup: adminDeps.password.startSetup,
    startDraining() {
      isDraining = true
      adminDeps.recent.end()
    },
    close() {
      payments?.stop()
      stopPruning()
      raster.close()
      pictures.close()
      counters.flush()
      store.close()
      log.flush()
    },
  }
}

/** Tells the client to send nothing more on this connection: what it sent while we end would be cut off. */
async function thenClose(answer: Promise<Response>): Promise<Response> {
  const response = await answer
  response.headers.set('connection', 'close')
  return response
}

function masterKey({ MASTER_KEY: text, DATA_DIR: directory }: Config, store: Store): Uint8Array {
  const given = text === undefined ? undefined : parseMasterKey(text)
  if (given !== undefined) return given
  refuseLostMasterKey(store, directory)
  return loadMasterKey(directory)
}
