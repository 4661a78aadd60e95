import type { Markup } from '../../src/lib/jsx/markup.ts'
import type { KeyRow } from '../../src/store/keys.ts'
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

  function selectKeys({ form }: AdminRequest): readonly KeyRow[] {
    const search = form.get('search')?.slice(0, searchLengthMax)
    const found = search
      ? store.keyList.search(search, keysMax)
      : form.getAll('id').slice(0, keysMax).map(keys.find)
    return found.filter((key) => key !== undefined).filter(({ revokedAtMs }) => revokedAtMs === null)
  }

  return (request: AdminRequest): Response | Markup => {
    const list = selectKeys(request)
    if (list.length === 0) return redirect('/admin/keys')
    if (!request.form.has('sure')) return revokeKeysPage(deps, list)
    const atMs = clock.now()
    store.transaction(
      () => {
        for (const { id } of list) {
          store.keys.update(id, { revokedAtMs: atMs })
          request.audit('key.revoke', id, list.length === 1 ? '' : `one of ${list.length} at once`)
        }
      },
      { durable: true },
    )
    return redirect('/admin/keys?status=revoked')
  }
}
