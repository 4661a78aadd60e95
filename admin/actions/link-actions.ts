import { retryWhileLocked } from '../../src/store/retry-while-locked.ts'
import type { WebSource } from '../../src/store/web-sources.ts'
import { FetchFailure } from '../../src/web/fetch-failure.ts'
import { redirect } from '../admin-response.ts'
import type { AdminDeps } from '../deps.ts'
import { operatorNotFoundPage } from '../pages/refusals.tsx'
import type { AdminRequest } from '../session/admin-request.ts'

/** Actions on a page or document of another site. Each adds an audit entry and leads back to the list. */
export function createLinkActions(deps: AdminDeps) {
  const { store, cardPages, documentList } = deps

  function acting(action: string, act: (source: WebSource) => Promise<unknown>) {
    return async (request: AdminRequest): Promise<Response> => {
      const source = await store.webSources.find(request.params['digest'] ?? '')
      if (source === undefined)
        return operatorNotFoundPage(deps, 'links', 'There is no such page or document.')
      await act(source)
      await retryWhileLocked(() => request.audit(action, source.url))
      return redirect('/admin/links')
    }
  }

  /** Holds here at once, and within a minute on other servers. */
  function blocking(isBlocked: boolean) {
    return async ({ digest, kind, url }: WebSource): Promise<void> => {
      await retryWhileLocked(() => store.webSources.setBlocked(digest, isBlocked))
      await (kind === 'document' ? documentList : cardPages).reload(url)
    }
  }

  /** A page is read here for all servers, a document by each server for its next badge. */
  async function refresh({ digest, kind, url }: WebSource): Promise<void> {
    if (kind !== 'document') return void (await cardPages.renew(url).catch(unlessUnreadable))
    await retryWhileLocked(() => store.webSources.renew(digest))
    await documentList.reload(url)
  }

  return {
    refresh: acting('link.refresh', refresh),
    block: acting('link.block', blocking(true)),
    allow: acting('link.allow', blocking(false)),
  }
}

/** The list shows why a page cannot be read. */
function unlessUnreadable(error: unknown): void {
  if (!(error instanceof FetchFailure)) throw error
}
