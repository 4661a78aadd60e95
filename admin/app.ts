import { type Static, type TObject, type TUnsafe, Type } from '@sinclair/typebox'
import { Problem } from '../src/errors.ts'
import type { MultipartForm } from '../src/http/multipart-form.ts'
import { decodeQuery } from '../src/http/query.ts'
import { createRouter, queryOf } from '../src/http/router.ts'
import { retryWhileLocked } from '../src/store/store-error.ts'
import {
  allowedBrandsForm,
  brandFormLimits,
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
import type { ListRoutes } from './lists/list.tsx'
import { paymentsList } from './lists/payments.tsx'
import { sharesList } from './lists/shares.tsx'
import { trafficList } from './lists/traffic.tsx'
import { usageList } from './lists/usage.tsx'
import { adminResponse, Refusal, redirect } from './parts/layout.tsx'
import { paymentPage } from './payments/payment.tsx'
import { decodeForm } from './session/form-fields.ts'
import {
  type AdminHandler,
  type AdminRequest,
  type Answer,
  type ChangeHandler,
  createSessionGuard,
  createSessions,
  type RoutedRequest,
  readForm,
  type SessionGuard,
  writeSessionCookie,
} from './session/guard.ts'
import { authRoutes, createFreshPasswordRule, createPasswordCheck } from './session/login.tsx'
import { createLoginOrigins } from './session/login-throttle.ts'
import {
  createMaintenanceActions,
  fetchForm,
  sessionForm,
  settingsPage,
  testFetchPage,
} from './settings/settings.tsx'

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
  upload('/admin/brands', brandForms.create)
  upload('/admin/brands/:slug', brandForms.save)
  const theme = createThemeEditor(deps)
  page('/admin/brands/:slug/theme', theme.page, themeQuery)
  upload('/admin/brands/:slug/theme', theme.save, themeFormLimits)
  upload('/admin/brands/:slug/theme/card', theme.card, themeFormLimits)
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

interface ActionForm<Fields extends TObject> {
  readonly fields: Fields
  readonly refuse?: (mistake: string, request: AdminRequest) => Promise<Response>
}

const nothing = Type.Object({})
const buttonOnly = { fields: nothing }

function createRoutes(
  deps: AdminDeps,
  guard: SessionGuard,
  requireFreshPassword: ReturnType<typeof createFreshPasswordRule>,
) {
  const router = createRouter('admin')

  function route<Query extends TObject>(
    method: 'get' | 'post',
    path: string,
    handler: (request: AdminRequest<Static<Query>, object>, routed: Request) => Answer | Promise<Answer>,
    query?: Query,
  ): void {
    async function respond(routed: RoutedRequest<Static<Query>>): Promise<Response> {
      const request = await guard.enter(routed, method === 'post')
      if (request instanceof Response) return request
      try {
        return adminResponse(await handler(request, routed.request))
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        return error.answer(deps)
      }
    }
    router[method](path, respond, { parse: 'none', query: listQuery(query ?? nothing) })
  }

  function page<Query extends TObject>(path: string, handler: AdminHandler<Static<Query>>, query?: Query) {
    route('get', path, handler, query)
  }

  function action<Fields extends TObject, Query extends TObject>(
    path: string,
    handler: AdminHandler<Static<Query>, Static<Fields>>,
    { fields, refuse }: ActionForm<Fields> = buttonOnly as ActionForm<TObject> as ActionForm<Fields>,
    query?: Query,
  ): void {
    async function respond(entered: AdminRequest<Static<Query>>, routed: Request): Promise<Answer> {
      const sent = await readForm(routed)
      const { value: form, mistake } = decodeForm(fields, sent)
      const request = { ...entered, form, sent }
      return mistake !== undefined && refuse ? refuse(mistake, request) : handler(request)
    }
    route('post', path, respond, query)
  }

  return {
    router,
    page,
    action,
    change<Fields extends TObject, Query extends TObject>(
      path: string,
      handler: ChangeHandler<Static<Query>, Static<Fields>>,
      form?: ActionForm<Fields>,
      query?: Query,
    ): void {
      action(path, guard.inTransaction(handler), form, query)
    },
    upload(
      path: string,
      handler: (request: AdminRequest, upload: MultipartForm) => Answer | Promise<Answer>,
      limits = brandFormLimits,
    ): void {
      route('post', path, async (request) => handler(request, await guard.readUpload(request, limits)))
    },
    /** The page of a list and the file of its rows, by GET, or by POST from the page that asks for the password. */
    list({ path, query, page: listPage, csv }: ListRoutes): void {
      page(path, (request) => listPage(deps, request), query)
      if (csv === undefined) return
      const confirmed = requireFreshPassword(
        'Data in bulk leaves only with a fresh password.',
        async (request: AdminRequest) => {
          const { method, path: exported } = request.context
          if (method !== 'HEAD') await retryWhileLocked(() => request.audit('export', exported))
          return csv.respond(deps, request)
        },
      )
      page(`${path}.csv`, confirmed, csv.query)
      action(`${path}.csv`, confirmed, undefined, csv.query)
    },
  }
}

/** A query is read before the session is looked at, so a mistake must not show strangers that the route is there. */
function listQuery<Query extends TObject>(parameters: Query): TUnsafe<Static<Query>> {
  return queryOf(parameters, ({ rawQuery }) => readListQuery(parameters, rawQuery))
}

/** A wrong value counts as missing, because an old bookmark must still open its list. All parameters may be missing. */
export function readListQuery<Query extends TObject>(parameters: Query, rawQuery: string): Static<Query> {
  const decoded = decodeQuery(parameters, rawQuery)
  if ('value' in decoded) return decoded.value
  return { ...readListQuery(parameters, ''), ...decoded.right }
}
