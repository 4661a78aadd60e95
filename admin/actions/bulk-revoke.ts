import type { Markup } from '../../src/lib/jsx/markup.ts'
import type { KeyRow } from '../../src/store/keys.ts'
import type { Steps } from '../../src/store/operation.ts'
import { redirect } from '../admin-response.ts'
import type { AdminDeps } from '../deps.ts'
import { revokeKeysPage } from '../pages/revoke-keys.tsx'
import type { AdminRequest } from '../session/admin-request.ts'

/** One transaction revokes at most so many keys. */
const keysMax = 1000

const searchLengthMax = 100

/** Revokes the selected keys, or all that a search finds, after a page that asks for confirmation. */
export function createBulkRevoke(deps: AdminDeps) {
  const { keys, store, clock } = deps

  function* selectKeys({ form }: AdminRequest): Steps<readonly KeyRow[]> {
    const search = form.get('search')?.slice(0, searchLengthMax)
    const found = search ? yield* store.keyList.search(search, keysMax) : yield* findAll(form.getAll('id'))
    return found.filter(({ revokedAtMs }) => revokedAtMs === null)
  }

  function* findAll(ids: readonly string[]): Steps<readonly KeyRow[]> {
    const found: KeyRow[] = []
    for (const id of ids.slice(0, keysMax)) {
      const key = yield* keys.find(id)
      if (key !== undefined) found.push(key)
    }
    return found
  }

  return function* (request: AdminRequest): Steps<Response | Promise<Markup>> {
    const list = yield* selectKeys(request)
    if (list.length === 0) return redirect('/admin/keys')
    if (!request.form.has('sure')) return revokeKeysPage(deps, list)
    const atMs = clock.now()
    for (const { id } of list) {
      yield* store.keys.update(id, { revokedAtMs: atMs })
      yield* request.audit('key.revoke', id, list.length === 1 ? '' : `one of ${list.length} at once`)
    }
    return redirect('/admin/keys?status=revoked')
  }
}
