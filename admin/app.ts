import { type Static, type TObject, Type } from '@sinclair/typebox'
import { Problem } from '../src/errors.ts'
import { createRouter } from '../src/http/router.ts'
import { retryWhileLocked } from '../src/store/retry-while-locked.ts'
import { authRoutes } from './actions/auth-routes.ts'
import { createBulkRevoke, revocationForm } from './actions/bulk-revoke.ts'
import { createCsvExports, sharesExportQuery, usageExportQuery } from './actions/csv-exports.ts'
import { createKeyActions } from './actions/key-actions.ts'
import { createLinkActions } from './actions/link-actions.ts'
import { createMaintenanceActions, sessionForm } from './actions/maintenance-actions.ts'
import { createFreshPasswordRule } from './actions/require-fresh-password.ts'
import { createTrafficEvents } from './actions/traffic-events.ts'
import { adminPicture, redirect } from './admin-response.ts'
import { brandFormLimits, routeBrands } from './brand-routes.ts'
import { auditExportQuery, auditQuery } from './data/audit-listing.ts'
import { newKeyForm, rotationForm } from './data/key-limits.ts'
import { keysQuery } from './data/key-listing.ts'
import { trafficQuery } from './data/traffic-views.ts'
import type { AdminDeps } from './deps.ts'
import { routeKeyChanges } from './key-routes.ts'
import { auditPage } from './pages/audit.tsx'
import { keyPage } from './pages/key.tsx'
import { keysPage } from './pages/keys.tsx'
import { linksPage, linksQuery } from './pages/links.tsx'
import { newKeyPage } from './pages/new-key.tsx'
import { overviewPage, overviewQuery } from './pages/overview.tsx'
import { paymentPage } from './pages/payment.tsx'
import { paymentsPage, paymentsQuery } from './pages/payments.tsx'
import { settingsPage } from './pages/settings.tsx'
import { sharesPage, sharesQuery } from './pages/shares.tsx'
import { fetchForm, testFetchPage } from './pages/test-fetch.tsx'
import { trafficPage } from './pages/traffic.tsx'
import { usagePage, usageQuery } from './pages/usage.tsx'
import type { AdminHandler, AdminRequest, RoutedRequest } from './session/admin-request.ts'
import { listQuery } from './session/list-query.ts'
import { createLoginOrigins } from './session/login-origins.ts'
import { createOneTimeSecrets } from './session/one-time-secrets.ts'
import { createPasswordCheck } from './session/password-check.ts'
import {
  type ActionForm,
  createSessionGuard,
  type RefuseUpload,
  type SessionGuard,
  type UploadHandler,
} from './session/session-guard.ts'
import { createSessions } from './session/sessions.ts'

/** The operator's area: every page and every action, in one list. */
export function createAdminApp(deps: AdminDeps) {
  const { store, clock } = deps
  const sessions = createSessions(store.sessions, clock)
  const origins = createLoginOrigins(store, clock)
  const checkPassword = createPasswordCheck(deps, origins)
  const guard = createSessionGuard(deps, sessions)
  const requireFreshPassword = createFreshPasswordRule(sessions, checkPassword)
  const oneTimeSecrets = createOneTimeSecrets(deps)
  const keys = createKeyActions(deps, oneTimeSecrets)
  const revokeMany = requireFreshPassword(
    'You are about to revoke several keys at once.',
    guard.inTransaction(createBulkRevoke(deps)),
  )
  const rotate = requireFreshPassword(
    'Enter the password to see a new secret.',
    guard.inTransaction(keys.rotate),
  )
  const csv = createCsvExports(deps)
  const links = createLinkActions(deps)
  const maintenance = createMaintenanceActions(deps, sessions)
  const { router, page, action, change, download, upload } = createPages(guard, requireFreshPassword)

  page('/admin', (request) => overviewPage(deps, request), overviewQuery)
  page('/admin/', () => redirect('/admin'))
  page('/admin/keys', (request) => keysPage(deps, request), keysQuery)
  download('/admin/keys.csv', csv.keys)
  page('/admin/keys/new', () => newKeyPage(deps))
  page('/admin/keys/:id', (request) => keyPage(deps, request, oneTimeSecrets))
  change('/admin/keys', keys.create, { fields: newKeyForm, refuse: keys.refuseNew })
  action('/admin/keys/revoke', revokeMany, { fields: revocationForm })
  action('/admin/keys/:id/rotate', rotate, { fields: rotationForm, refuse: keys.refuse })
  routeKeyChanges({ change }, keys)
  routeBrands({ page, action, upload }, deps)
  page('/admin/usage', (request) => usagePage(deps, request), usageQuery)
  download('/admin/usage.csv', csv.usage, usageExportQuery)
  page('/admin/shares', (request) => sharesPage(deps, request), sharesQuery)
  download('/admin/shares.csv', csv.shares, sharesExportQuery)
  page('/admin/keys/:id/shares/:address/picture', createSharedPicture(deps))
  page('/admin/links', (request) => linksPage(deps, request), linksQuery)
  action('/admin/links/:digest/refresh', links.refresh)
  action('/admin/links/:digest/block', links.block)
  action('/admin/links/:digest/allow', links.allow)
  page('/admin/payments', (request) => paymentsPage(deps, request), paymentsQuery)
  download('/admin/payments.csv', csv.payments)
  page('/admin/payments/:id', (request) => paymentPage(deps, request))
  action('/admin/payments/:id/recheck', maintenance.recheckPayment)
  page('/admin/traffic', (request) => trafficPage(deps, request), trafficQuery)
  page('/admin/traffic/events', createTrafficEvents(deps), trafficQuery)
  page('/admin/audit', (request) => auditPage(deps, request), auditQuery)
  download('/admin/audit.csv', csv.audit, auditExportQuery)
  page('/admin/settings', async (request) => settingsPage(deps, request, await sessions.list()))
  action('/admin/test-fetch', (request) => testFetchPage(deps, request), { fields: fetchForm })
  action('/admin/payments/check', maintenance.checkPayments)
  action('/admin/backup', maintenance.backUp)
  change('/admin/sessions/end', maintenance.endSession, { fields: sessionForm })
  change('/admin/sessions/end-others', maintenance.endOtherSessions)

  return router.use(authRoutes(deps, { guard, checkPassword, sessions, origins }))
}

/** The picture of a card that networks fetched. */
function createSharedPicture({ store, sharePicture }: AdminDeps): AdminHandler {
  return async ({ params: { id = '', address = '' }, session, context }) => {
    const card = await store.shares.card(id, address)
    if (card === undefined) throw new Problem('not_found', 'There is no such card.')
    return adminPicture(await sharePicture(session.id, card, context), 'private, max-age=3600')
  }
}

const noQuery = Type.Object({})

/** Registers handlers behind the session guard. */
function createPages(guard: SessionGuard, requireFreshPassword: ReturnType<typeof createFreshPasswordRule>) {
  const router = createRouter('admin')

  /** @param query the parameters that the page reads */
  function page<Query extends TObject>(
    path: string,
    handler: AdminHandler<Static<Query>>,
    query?: Query,
  ): void {
    const respond = guard.page(handler)
    router.get(path, (routed: RoutedRequest<Static<Query>>) => respond(routed), {
      query: listQuery(query ?? noQuery),
    })
  }

  function action<Fields extends TObject, Query extends TObject>(
    path: string,
    handler: AdminHandler<Static<Query>, Static<Fields>>,
    form?: ActionForm<Fields>,
    query?: Query,
  ): void {
    const respond = guard.action(handler, form)
    router.post(path, (routed: RoutedRequest<Static<Query>>) => respond(routed), {
      parse: 'none',
      query: listQuery(query ?? noQuery),
    })
  }

  /** An action that runs in one transaction. */
  function change<Fields extends TObject, Query extends TObject>(
    path: string,
    handler: Parameters<typeof guard.inTransaction<Static<Query>, Static<Fields>>>[0],
    form?: ActionForm<Fields>,
    query?: Query,
  ): void {
    action(path, guard.inTransaction(handler), form, query)
  }

  /** An action whose form has files. */
  function upload(path: string, ...[handler, refuse]: [UploadHandler, RefuseUpload]): void {
    const respond = guard.upload(handler, brandFormLimits, refuse)
    router.post(path, (routed: RoutedRequest) => respond(routed), { parse: 'none' })
  }

  /** A file by GET, or by POST from the page that asks for the password. Adds an audit entry. */
  function download<Query extends TObject>(
    path: string,
    handler: AdminHandler<Static<Query>>,
    query?: Query,
  ): void {
    const confirmed = requireFreshPassword(
      'Data in bulk leaves only with a fresh password.',
      async (request: AdminRequest<Static<Query>>) => {
        const { method, path } = request.context
        if (method !== 'HEAD') await retryWhileLocked(() => request.audit('export', path))
        return handler(request)
      },
    )
    page(path, confirmed, query)
    action(path, confirmed, undefined, query)
  }

  return { router, page, action, change, download, upload }
}
