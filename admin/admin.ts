import { Elysia } from 'elysia'
import { adminAssets } from './assets.ts'
import { authRoutes } from './auth-routes.ts'
import { createBulkRevoke } from './bulk-revoke.ts'
import type { AdminDeps } from './deps.ts'
import { createExports } from './exports.ts'
import { createHousekeeping } from './housekeeping.ts'
import { createKeyActions } from './key-actions.ts'
import { createLoginOrigins } from './login-origins.ts'
import { createLoginThrottle } from './login-throttle.ts'
import { createOneTimeSecrets } from './one-time-secrets.ts'
import { auditPage } from './pages/audit.tsx'
import { keyPage } from './pages/key.tsx'
import { keysPage } from './pages/keys.tsx'
import { newKeyPage } from './pages/new-key.tsx'
import { overviewPage } from './pages/overview.tsx'
import { paymentPage } from './pages/payment.tsx'
import { paymentsPage } from './pages/payments.tsx'
import { settingsPage } from './pages/settings.tsx'
import { testFetchPage } from './pages/test-fetch.tsx'
import { trafficPage } from './pages/traffic.tsx'
import { usagePage } from './pages/usage.tsx'
import { createPasswordCheck } from './password-check.ts'
import { createSessions } from './session.ts'
import { createSessionGuard, type Incoming, redirect } from './session-guard.ts'
import { createTrafficEvents } from './traffic-events.ts'

/** The operator's area: every page and every action, in one list. */
export function admin(deps: AdminDeps) {
  const { store, clock, config, password } = deps
  const sessions = createSessions(store.sessions, clock)
  const origins = createLoginOrigins(store, clock)
  const throttle = createLoginThrottle({ store, clock })
  const checkPassword = createPasswordCheck({ password, throttle, origins })
  const gate = createSessionGuard({
    sessions,
    checkPassword,
    store,
    clock,
    adminHost: config.ADMIN_HOST,
  })
  const oneTimeSecrets = createOneTimeSecrets(store.keyValues, deps.secrets, clock)
  const keys = createKeyActions(deps, oneTimeSecrets)
  const exports = createExports(deps)
  const housekeeping = createHousekeeping(deps, sessions)
  const router = new Elysia({ name: 'admin' })

  function page(path: string, handler: Parameters<typeof gate.page>[0]) {
    const answer = gate.page(handler)
    router.get(path, (incoming: Incoming) => answer(incoming))
  }
  function action(path: string, handler: Parameters<typeof gate.action>[0]) {
    const answer = gate.action(handler)
    router.post(path, (incoming: Incoming) => answer(incoming), { parse: 'none' })
  }
  function change(path: string, handler: Parameters<typeof gate.stored>[0]) {
    return action(path, gate.stored(handler))
  }
  function download(path: string, handler: Parameters<typeof gate.action>[0]) {
    const freshly = gate.freshly('Data in bulk leaves only with a fresh password.', handler)
    page(path, freshly)
    action(path, freshly)
  }

  page('/admin', () => overviewPage(deps))
  page('/admin/', () => redirect('/admin'))

  page('/admin/keys', (visit) => keysPage(deps, visit))
  download('/admin/keys.csv', exports.keys)
  page('/admin/keys/new', () => newKeyPage(deps))
  page('/admin/keys/:id', (visit) => keyPage(deps, visit, oneTimeSecrets))
  change('/admin/keys', keys.create)
  action(
    '/admin/keys/revoke',
    gate.freshly('You are about to revoke several keys at once.', gate.stored(createBulkRevoke(deps))),
  )
  change('/admin/keys/:id/quota', keys.quota)
  change('/admin/keys/:id/rename', keys.rename)
  action(
    '/admin/keys/:id/rotate',
    gate.freshly('A new secret is shown only to whoever knows the password.', gate.stored(keys.rotate)),
  )
  change('/admin/keys/:id/revoke', keys.revoke)
  change('/admin/keys/:id/restore', keys.restore)
  change('/admin/keys/:id/upgrade', keys.upgrade)

  page('/admin/usage', (visit) => usagePage(deps, visit))
  download('/admin/usage.csv', exports.usage)

  page('/admin/payments', (visit) => paymentsPage(deps, visit))
  download('/admin/payments.csv', exports.payments)
  page('/admin/payments/:id', (visit) => paymentPage(deps, visit))
  action('/admin/payments/:id/recheck', housekeeping.recheckPayment)

  page('/admin/traffic', () => trafficPage(deps))
  page('/admin/traffic/events', createTrafficEvents(deps.recent))
  page('/admin/audit', (visit) => auditPage(deps, visit))

  page('/admin/settings', (visit) => settingsPage(deps, visit, sessions.list()))
  action('/admin/test-fetch', (visit) => testFetchPage(deps, visit))
  action('/admin/payments/check', housekeeping.checkPayments)
  action('/admin/backup', housekeeping.backUp)
  change('/admin/sessions/end', housekeeping.endSession)
  change('/admin/sessions/end-others', housekeeping.endOtherSessions)

  return router
    .use(adminAssets.routes())
    .use(authRoutes({ gate, password, checkPassword, sessions, origins, store, clock }))
}
