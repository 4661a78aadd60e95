import { Problem } from '../src/errors.ts'
import {
  allowedBrandsForm,
  brandPictureQuery,
  brandQuery,
  createBrandChanges,
  createBrandForms,
  revisionForm,
} from './brands/brand-actions.ts'
import { createThemeEditor, themeFormLimits, themeQuery } from './brands/theme-editor.tsx'
import type { AdminDeps } from './deps.ts'
import { drawnOrGrey } from './drawing.ts'
import { overviewPage, overviewQuery } from './figures/overview.tsx'
import {
  createBulkRevoke,
  createKeyActions,
  createOneTimeSecrets,
  revocationForm,
  upgradeQuery,
} from './keys/key-actions.tsx'
import { decoderOf, keyForms, newKeyForm, rotationForm, savedForms } from './keys/key-fields.ts'
import { keyPage, newKeyPage } from './keys/key-page.tsx'
import { auditList } from './lists/audit.tsx'
import { brandsList } from './lists/brands.tsx'
import { keysList } from './lists/keys.tsx'
import { createLinkActions, linksList } from './lists/links.tsx'
import { paymentsList } from './lists/payments.tsx'
import { sharesList } from './lists/shares.tsx'
import { trafficList } from './lists/traffic.tsx'
import { usageList } from './lists/usage.tsx'
import { redirect } from './parts/layout.tsx'
import { paymentPage } from './payments/payment.tsx'
import { createRoutes } from './routes.ts'
import { createSessionGuard } from './session/guard.ts'
import { authRoutes, createFreshPasswordRule, createPasswordCheck } from './session/login.tsx'
import { createLoginOrigins } from './session/login-throttle.ts'
import { createSessions, writeSessionCookie } from './session/sessions.ts'
import { createMaintenanceActions, fetchForm, sessionForm, testFetchPage } from './settings/maintenance.tsx'
import { settingsPage } from './settings/settings.tsx'

const lists = [keysList, brandsList, usageList, sharesList, linksList, paymentsList, trafficList, auditList]

export function createAdminApp(deps: AdminDeps) {
  const { store, clock, drawing } = deps
  const sessions = createSessions(store.sessions, clock)
  const origins = createLoginOrigins(store, clock)
  const checkPassword = createPasswordCheck(deps, origins)
  const guard = createSessionGuard(deps, sessions)
  const requireFreshPassword = createFreshPasswordRule(sessions, checkPassword)
  const { router, list, page, action, change, upload } = createRoutes(deps, guard, requireFreshPassword)

  page('/admin', (request) => overviewPage(deps, request), overviewQuery)
  page('/admin/', () => redirect('/admin'))
  for (const each of lists) list(each)

  const oneTimeSecrets = createOneTimeSecrets(deps)
  const keys = createKeyActions(deps, oneTimeSecrets)
  const { refuse } = keys
  page('/admin/keys/new', () => newKeyPage(deps))
  page('/admin/keys/:id', (request) => keyPage(deps, request, oneTimeSecrets.take))
  change('/admin/keys', keys.create, { fields: newKeyForm, refuse: keys.refuseNew })
  action(
    '/admin/keys/revoke',
    requireFreshPassword(
      'You are about to revoke several keys at once.',
      guard.inTransaction(createBulkRevoke(deps)),
    ),
    { fields: revocationForm },
  )
  action(
    '/admin/keys/:id/rotate',
    requireFreshPassword('Enter the password to see a new secret.', guard.inTransaction(keys.rotate)),
    { fields: rotationForm, refuse },
  )
  for (const [name, forms] of [...keyForms, ['save', savedForms] as const])
    change(`/admin/keys/:id/${name}`, keys.set(name), { fields: decoderOf(forms), refuse })
  change('/admin/keys/:id/revoke', keys.revoke)
  change('/admin/keys/:id/restore', keys.restore)
  change('/admin/keys/:id/upgrade', keys.upgrade, undefined, upgradeQuery)
  page('/admin/keys/:id/shares/:address/picture', async ({ params, client, context }) => {
    const card = await store.shares.card(params['id'] ?? '', params['address'] ?? '')
    if (card === undefined) throw new Problem('not_found', 'There is no such card.')
    return await drawnOrGrey('private, max-age=3600', () => drawing.sharedCard(client, card, context))
  })

  const brandForms = createBrandForms(deps)
  const brandChanges = createBrandChanges(deps)
  page('/admin/brands/new', brandForms.newPage)
  page('/admin/brands/:slug', brandForms.page, brandQuery)
  page('/admin/brands/:slug/archive', brandChanges.archivePage)
  page('/admin/brands/:slug/:revision/theme.yaml', brandForms.themeFile)
  page('/admin/brands/:slug/:revision/:part', brandForms.picture, brandPictureQuery)
  upload('/admin/brands', brandForms.create, brandForms.refuse)
  upload('/admin/brands/:slug', brandForms.save, brandForms.refuse)
  const theme = createThemeEditor(deps)
  page('/admin/brands/:slug/theme', theme.page, themeQuery)
  upload('/admin/brands/:slug/theme', theme.save, brandForms.refuse, themeFormLimits)
  upload('/admin/brands/:slug/theme/card', theme.card, brandForms.refuse, themeFormLimits)
  action('/admin/brands/:slug/archive', brandChanges.archive)
  action('/admin/brands/:slug/restore', brandChanges.restore)
  action('/admin/brands/:slug/newest', brandChanges.newest, { fields: revisionForm })
  action('/admin/keys/:id/brands', brandChanges.allow, { fields: allowedBrandsForm })

  const links = createLinkActions(deps)
  action('/admin/links/:digest/refresh', links.refresh)
  action('/admin/links/:digest/block', links.block)
  action('/admin/links/:digest/allow', links.allow)

  const maintenance = createMaintenanceActions(deps, sessions)
  page('/admin/payments/:id', (request) => paymentPage(deps, request))
  action('/admin/payments/:id/recheck', maintenance.recheckPayment)
  page('/admin/settings', async (request) => settingsPage(deps, request, await sessions.list()))
  action('/admin/test-fetch', (request) => testFetchPage(deps, request), { fields: fetchForm })
  action('/admin/payments/check', maintenance.checkPayments)
  action('/admin/backup', maintenance.backUp)
  change('/admin/sessions/end', maintenance.endSession, { fields: sessionForm })
  change('/admin/sessions/end-others', maintenance.endOtherSessions)

  change('/admin/logout', function* ({ session, context, audit }) {
    yield* sessions.end(session.id)
    yield* audit('logout', '')
    return redirect('/admin/login', { 'set-cookie': writeSessionCookie('', context.baseUrl) })
  })
  return router.use(authRoutes(deps, guard, checkPassword, sessions, origins))
}
