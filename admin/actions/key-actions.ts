import { type Static, Type } from '@sinclair/typebox'
import { forever, type IssuedKey } from '../../src/access/keys.ts'
import { dayMs, isoDay } from '../../src/lib/clock.ts'
import { choice } from '../../src/lib/fields.ts'
import { formatTime } from '../../src/lib/human-format.ts'
import type { Steps } from '../../src/store/operation.ts'
import { adminResponse, redirect } from '../admin-response.ts'
import type { endForm, nameForm, newKeyForm, quotaForm, rotationForm } from '../data/key-limits.ts'
import type { AdminDeps } from '../deps.ts'
import { newKeyPage } from '../pages/new-key.tsx'
import { invalidFormPage, operatorNotFoundPage } from '../pages/refusals.tsx'
import type { AdminRequest, FormRequest } from '../session/admin-request.ts'
import type { OneTimeSecrets } from '../session/one-time-secrets.ts'

const hourMs = 3_600_000

export const upgradeQuery = Type.Object({
  off: Type.Optional(choice(['', '1'], { description: 'Ends the upgrade' })),
})

/** The actions on one key. Each adds an audit entry and redirects to the key's page. */
export function createKeyActions(deps: AdminDeps, oneTimeSecrets: OneTimeSecrets) {
  return { ...createSecretActions(deps, oneTimeSecrets), ...createKeyChanges(deps) }
}

type RotationRequest = FormRequest<typeof rotationForm>

/** Creation and rotation: the page that they redirect to shows the new secret. */
function createSecretActions(deps: AdminDeps, oneTimeSecrets: OneTimeSecrets) {
  const { keys, clock } = deps

  function* redirectToSecret({ session }: AdminRequest, { key }: IssuedKey): Steps<Response> {
    yield* oneTimeSecrets.allow(session, key.id)
    return redirect(pathOf(key.id))
  }

  async function refuseNew(mistake: string, { sent }: AdminRequest): Promise<Response> {
    return adminResponse(await newKeyPage(deps, sent, mistake), 400)
  }

  function* create(request: FormRequest<typeof newKeyForm>): Steps<Response> {
    const { name, quota = null, expires } = request.form
    const expiresAtMs = endAfter(expires, clock.now())
    const pair = yield* keys.create({ name, dailyQuota: quota, expiresAtMs })
    const detail =
      expiresAtMs === null ? describeQuota(quota) : `${describeQuota(quota)}, ${namedEnd(expiresAtMs)}`
    yield* request.audit('key.create', pair.key.id, detail)
    return yield* redirectToSecret(request, pair)
  }

  function* rotate(request: RotationRequest): Steps<Response | Promise<Response>> {
    const id = request.params['id'] ?? ''
    const { leaked, overlap: hours } = request.form
    if (leaked) return yield* rotateLeaked(id, request)
    const pair = yield* keys.rotate(id, Number(hours) * hourMs)
    if (!pair) return keyNotFound(deps)
    yield* request.audit('key.rotate', id, `version ${pair.key.version}, the one before for ${hours} h more`)
    return yield* redirectToSecret(request, pair)
  }

  function* rotateLeaked(id: string, request: RotationRequest): Steps<Response | Promise<Response>> {
    const { since } = request.form
    const pair = yield* keys.rotateLeaked(id, since ?? 0)
    if (!pair) return keyNotFound(deps)
    const addresses = since === undefined ? 'all its addresses' : `its addresses since ${isoDay(since)}`
    yield* request.audit(
      'key.rotate',
      id,
      `version ${pair.key.version}, the one before leaked: ended with ${addresses}`,
    )
    return yield* redirectToSecret(request, pair)
  }

  return { create, refuseNew, rotate }
}

function createKeyChanges(deps: AdminDeps) {
  const { keys, store, config, clock } = deps

  /** @param work returns the audit entry's detail, undefined without such a key. */
  function change<Query, Form>(
    action: string,
    work: (
      id: string,
      request: AdminRequest<Query, Form>,
    ) => Steps<{ readonly detail?: string } | false | undefined>,
  ) {
    return function* (request: AdminRequest<Query, Form>): Steps<Response | Promise<Response>> {
      const id = request.params['id'] ?? ''
      const outcome = yield* work(id, request)
      if (!outcome) return keyNotFound(deps)
      yield* request.audit(action, id, outcome.detail)
      return redirect(pathOf(id))
    }
  }

  return {
    async refuse(mistake: string, { params: { id = '' } }: AdminRequest): Promise<Response> {
      return (await store.keys.find(id))
        ? invalidFormPage(deps, 'keys', mistake, pathOf(id))
        : keyNotFound(deps)
    },
    quota: change('key.quota', function* (id, { form }: FormRequest<typeof quotaForm>) {
      const { quota = null } = form
      return (yield* keys.setDailyQuota(id, quota)) && { detail: describeQuota(quota) }
    }),
    expires: change('key.expires', function* (id, { form }: FormRequest<typeof endForm>) {
      const expiresAtMs = endAfter(form.expires, clock.now())
      return (yield* keys.setEnd(id, expiresAtMs)) && { detail: namedEnd(expiresAtMs) }
    }),
    rename: change('key.rename', function* (id, { form }: FormRequest<typeof nameForm>) {
      const { name } = form
      return (yield* store.keys.update(id, { name })) && { detail: name }
    }),
    revoke: change('key.revoke', function* (id) {
      return (yield* keys.revoke(id)) && {}
    }),
    restore: change('key.restore', function* (id) {
      return (yield* keys.restore(id)) && {}
    }),
    upgrade: change('key.upgrade', function* (id, { query }: AdminRequest<Static<typeof upgradeQuery>>) {
      if (query.off !== undefined) return (yield* keys.upgrade(id, null)) && { detail: 'ended' }
      const days = config.UPGRADE_DAYS
      const untilMs = days === 0 ? forever : clock.now() + days * dayMs
      return (yield* keys.upgrade(id, untilMs)) && { detail: days === 0 ? 'for good' : `${days} days` }
    }),
  }
}

function keyNotFound(deps: AdminDeps): Promise<Response> {
  return operatorNotFoundPage(deps, 'keys', 'There is no such key.')
}

function pathOf(id: string): string {
  return `/admin/keys/${id}`
}

function describeQuota(quota: number | null): string {
  return quota === null ? 'default quota' : `${quota} a day`
}

function endAfter(days: number | undefined, nowMs: number): number | null {
  return days === undefined ? null : nowMs + days * dayMs
}

function namedEnd(expiresAtMs: number | null): string {
  return expiresAtMs === null ? 'no end' : `ends ${formatTime(expiresAtMs)} UTC`
}
