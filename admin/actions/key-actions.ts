import { type Static, Type } from '@sinclair/typebox'
import { choice } from '../../src/lib/fields.ts'
import type { Steps } from '../../src/store/operation.ts'
import { adminResponse, redirect } from '../admin-response.ts'
import type {
  assetsForm,
  endForm,
  nameForm,
  newKeyForm,
  notesForm,
  quotaForm,
  rotationForm,
  siteForm,
} from '../data/key-limits.ts'
import type { AdminDeps } from '../deps.ts'
import { newKeyPage } from '../pages/new-key.tsx'
import { invalidFormPage, operatorNotFoundPage } from '../pages/refusals.tsx'
import type { AdminRequest, FormRequest } from '../session/admin-request.ts'
import type { OneTimeSecrets } from '../session/one-time-secrets.ts'
import { createKeyChanges, type KeyChange, type KeyMistake } from './key-changes.ts'

export const upgradeQuery = Type.Object({
  off: Type.Optional(choice(['', '1'], { description: 'Ends the upgrade' })),
})

/** The actions on one key. Each adds an audit entry and redirects to the key's page, which shows a new secret once. */
export function createKeyActions(deps: AdminDeps, oneTimeSecrets: OneTimeSecrets) {
  const { store, brands } = deps
  const changes = createKeyChanges({
    ...deps,
    table: store.keys,
    brandFault(reference) {
      const resolved = brands.cards.resolve(reference)
      return typeof resolved === 'string' ? resolved : undefined
    },
  })

  async function refuse(mistake: string, { params: { id = '' } }: AdminRequest): Promise<Response> {
    return (await store.keys.find(id))
      ? invalidFormPage(deps, 'keys', mistake, pathOf(id))
      : operatorNotFoundPage(deps, 'keys', 'There is no such key.')
  }

  async function refuseNew(mistake: string, { sent }: AdminRequest): Promise<Response> {
    return adminResponse(await newKeyPage(deps, sent, mistake), 400)
  }

  function change<Query, Form>(
    work: (request: AdminRequest<Query, Form>, id: string) => Steps<KeyChange | KeyMistake | undefined>,
    refuseMistake = refuse,
  ) {
    return function* (request: AdminRequest<Query, Form>): Steps<Response | Promise<Response>> {
      const outcome = yield* work(request, request.params['id'] ?? '')
      if (outcome === undefined) return operatorNotFoundPage(deps, 'keys', 'There is no such key.')
      if ('mistake' in outcome) return refuseMistake(outcome.mistake, request)
      const { key, action, detail, secret } = outcome
      yield* request.audit(action, key.id, detail)
      if (secret !== undefined) yield* oneTimeSecrets.allow(request.session, key.id)
      return redirect(pathOf(key.id))
    }
  }

  return {
    refuse,
    refuseNew,
    create: change(({ form }: FormRequest<typeof newKeyForm>) => changes.create(form), refuseNew),
    rotate: change(({ form }: FormRequest<typeof rotationForm>, id) => changes.rotate(id, form)),
    quota: change(({ form }: FormRequest<typeof quotaForm>, id) => changes.quota(id, form)),
    expires: change(({ form }: FormRequest<typeof endForm>, id) => changes.expires(id, form)),
    site: change(({ form }: FormRequest<typeof siteForm>, id) => changes.site(id, form)),
    assets: change(({ form }: FormRequest<typeof assetsForm>, id) => changes.assets(id, form)),
    notes: change(({ form }: FormRequest<typeof notesForm>, id) => changes.notes(id, form)),
    rename: change(({ form: { name } }: FormRequest<typeof nameForm>, id) => changes.rename(id, name)),
    revoke: change((_, id) => changes.revoke(id)),
    restore: change((_, id) => changes.restore(id)),
    upgrade: change(({ query: { off } }: AdminRequest<Static<typeof upgradeQuery>>, id) =>
      changes.upgrade(id, off !== undefined),
    ),
  }
}

function pathOf(id: string): string {
  return `/admin/keys/${id}`
}
