import { createApp } from './app.ts'
import { guardedStarts } from './http/base-path.ts'
import { hourMs } from './lib/clock.ts'
import { createRepeatedWarning } from './lib/log.ts'
import { createAlertSender, createAlerts } from './operator/alerts.ts'
import { createConcerns } from './operator/concerns.ts'
import { createParts, type Parts, type ServiceDeps } from './parts.ts'
import type { Route } from './site/openapi/operation.ts'
import { startPruning } from './store/prune.ts'

export type Service = Awaited<ReturnType<typeof createService>>

/** The service without a socket. Throws if the database cannot be opened. */
export async function createService(deps: ServiceDeps) {
  const parts = await createParts(deps)
  const { config, log, store, counters } = parts
  const { fetch, router, guardedAreas, admin, startDraining } = createApp(parts)
  const stopWork = startWork(parts, deps)
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
    startDraining,
    /** Writes what is buffered to the database and the log. The service cannot be used afterwards. */
    async close(): Promise<void> {
      await stopWork()
      parts.raster.close()
      parts.pictures.close()
      parts.cardPages.flush()
      parts.webPictures.flush()
      await counters.flush()
      await parts.shares.flush()
      await parts.drawingShares.close()
      await parts.brands.flush()
      await store.close()
      log.flush()
    },
  }
}

function startWork(parts: Parts, { readFile }: ServiceDeps): () => Promise<void> {
  const { config, store, clock, log, payments } = parts
  store.startServing()
  const stopPruning = startPruning(store, clock, {
    onError: (error) => log.warn('old counts were not removed', { problem: String(error) }),
  })
  payments?.start().catch((error) => log.error('payments did not start', { problem: String(error) }))
  const send = createAlertSender({ ...parts, readFile })
  const onProblem = createRepeatedWarning(log, 'an alert was not sent', hourMs)
  const concerns = createConcerns({ ...parts, isForAlerts: true })
  const stopAlerts =
    send && createAlerts({ ...parts, concerns, send, baseUrl: config.BASE_URL, onProblem }).start()
  return async () => {
    payments?.stop()
    stopPruning()
    await stopAlerts?.()
  }
}
