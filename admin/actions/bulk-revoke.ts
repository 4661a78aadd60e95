import { Type } from '@sinclair/typebox'
import type { Markup } from '../../src/lib/jsx/markup.ts'
import type { KeyRow } from '../../src/store/keys.ts'
import type { Steps } from '../../src/store/operation.ts'
import { redirect } from '../admin-response.ts'
import type { AdminDeps } from '../deps.ts'
import { revokeKeysPage } from '../pages/revoke-keys.tsx'
import type { FormRequest } from '../session/admin-request.ts'

/** One transaction revokes at most so many keys. */
const keysMax = 1000

/** The selected keys, or all that a search finds. */
export const revocationForm = Type.Object({
  search: Type.Optional(Type.String({ maxLength: 100 })),
  id: Type.Array(Type.String(), { maxItems: keysMax }),
  sure: Type.Boolean({ default: false }),
})

type RevocationRequest = FormRequest<typeof revocationForm>

/** Revokes keys after a page that asks for confirmation. */
export function createBulkRevoke(deps: AdminDeps) {
  const { keys, store, clock } = deps

  function* selectKeys({ form: { search, id: ids } }: RevocationRequest): Steps<readonly KeyRow[]> {
    const found = search ? yield* store.keyList.search(search, keysMax) : yield* findAll(ids)
    return found.filter(({ revokedAtMs }) => revokedAtMs === null)
  }

  function* findAll(ids: readonly string[]): Steps<readonly KeyRow[]> {
    const found: KeyRow[] = []
    for (const id of ids) {
      const key = yield* keys.find(id)
      if (key !== undefined) found.push(key)
    }
    return found
  }

  return function* (request: RevocationRequest): Steps<Response | Promise<Markup>> {
    const list = yield* selectKeys(request)
    if (list.length === 0) return redirect('/admin/keys')
    if (!request.form.sure) return revokeKeysPage(deps, list)
    const atMs = clock.now()
    for (const { id } of list) {
      yield* store.keys.update(id, { revokedAtMs: atMs })
      yield* request.audit('key.revoke', id, list.length === 1 ? '' : `one of ${list.length} at once`)
    }
    return redirect('/admin/keys?status=revoked')
  }
}
