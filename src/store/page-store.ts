import type { PageStore } from '../assets/card/card-pages.ts'
import type { Store } from './open.ts'
import { retryWhileLocked } from './retry-while-locked.ts'
import type { WebSource } from './web-sources.ts'

/** The pages that are kept; beyond them those that were not used for longest are removed. */
const usualPagesMax = 20_000

/** Keeps what was read of pages. Nobody waits for a write, except for the claim of a page. */
export function createPageStore(
  { webSources, deferred }: Pick<Store, 'webSources' | 'deferred'>,
  pagesMax = usualPagesMax,
  kind: WebSource['kind'] = 'page',
): PageStore {
  // Few reads have to remove any.
  const pagesAtOnce = Math.ceil(pagesMax / 200)

  /** Makes room for a page that is new here. */
  function* makeRoom() {
    if ((yield* webSources.count(kind)) >= pagesMax) yield* webSources.prune(kind, pagesAtOnce)
  }

  function* settingRead(page: Parameters<PageStore['setRead']>[0]) {
    if ((yield* webSources.find(page.digest)) === undefined) yield* makeRoom()
    yield* webSources.setRead({ kind, ...page })
  }

  function* settingFailed(page: Parameters<PageStore['setFailed']>[0]) {
    if ((yield* webSources.find(page.digest)) === undefined) yield* makeRoom()
    yield* webSources.setFailed({ kind, ...page })
  }

  return {
    find: (digest) => webSources.find(digest),
    async claim(digest, readAtMs, nowMs, untilMs) {
      // The last reading of the page may wait to be stored.
      await deferred.flush()
      return retryWhileLocked(() => webSources.claim(digest, readAtMs, nowMs, untilMs))
    },
    setRead: (page) => void deferred.add(() => settingRead(page)),
    setFailed: (page) => void deferred.add(() => settingFailed(page)),
    addUse: (digest, requests, atMs) => void deferred.add(() => webSources.addUse(digest, requests, atMs)),
  }
}
