import type { Static, TObject } from '@sinclair/typebox'
import type { Steps } from '../src/store/operation.ts'
import { type createKeyActions, upgradeQuery } from './actions/key-actions.ts'
import { assetsForm, endForm, nameForm, notesForm, quotaForm, siteForm } from './data/key-limits.ts'
import type { AdminRequest } from './session/admin-request.ts'
import type { ActionForm } from './session/session-guard.ts'

interface Router {
  change<Fields extends TObject, Query extends TObject>(
    path: string,
    handler: (request: AdminRequest<Static<Query>, Static<Fields>>) => Steps<Response | Promise<Response>>,
    form?: ActionForm<Fields>,
    query?: Query,
  ): void
}

/** Registers the forms of a key's page that change one thing about the key. */
export function routeKeyChanges({ change }: Router, keys: ReturnType<typeof createKeyActions>): void {
  const { refuse } = keys
  change('/admin/keys/:id/quota', keys.quota, { fields: quotaForm, refuse })
  change('/admin/keys/:id/expires', keys.expires, { fields: endForm, refuse })
  change('/admin/keys/:id/site', keys.site, { fields: siteForm, refuse })
  change('/admin/keys/:id/assets', keys.assets, { fields: assetsForm, refuse })
  change('/admin/keys/:id/notes', keys.notes, { fields: notesForm, refuse })
  change('/admin/keys/:id/rename', keys.rename, { fields: nameForm })
  change('/admin/keys/:id/revoke', keys.revoke)
  change('/admin/keys/:id/restore', keys.restore)
  change('/admin/keys/:id/upgrade', keys.upgrade, undefined, upgradeQuery)
}
