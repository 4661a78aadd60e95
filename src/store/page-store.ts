import type { PageStore } from '../assets/card/card-pages.ts'
import type { Store } from './open.ts'
import { retryWhileLocked } from './retry-while-locked.ts'
import type { WebSource } from './web-sources.ts'

/** The pages that are kept; beyond them those that were not used for longest are removed. */
const usualPagesMax = 20_000
/** The pages that could not be read for visitors of a site, who can make up any number: the last show what is wrong. */
const unreadPagesMax = 500

/** Keeps what was read of pages. Nobody waits for a write, except for the claim of a page. */
export function createPageStore(
  { webSources, deferred }: Pick<Store, 'webSources' | 'deferred'>,
  pagesMax = usualPagesMax,
  kind: WebSource['kind'] = 'page',
): PageStore {
  /** Makes room for a page that is new here. */
  function* makeRoom(of: WebSource['kind'], max: number) {
    // Few reads have to remove any.
    if ((yield* webSources.count(of)) >= max) yield* webSources.prune(of, Math.ceil(max / 200))
  }

  function* settingRead(page: Parameters<PageStore['setRead']>[0]) {
    const stored = yield* webSources.find(page.digest)
    if (stored?.kind !== kind) yield* makeRoom(kind, pagesMax)
    yield* webSources.setRead({ kind, ...page })
  }

  function* settingFailed(page: Parameters<PageStore['setFailed']>[0], isOfVisitors: boolean) {
    const [of, max] = isOfVisitors ? (['unread_page', unreadPagesMax] as const) : ([kind, pagesMax] as const)
    if ((yield* webSources.find(page.digest)) === undefined) yield* makeRoom(of, max)
    yield* webSources.setFailed({ kind: of, ...page })
  }

  return {
    find: (digest) => webSources.find(digest),
    async claim(digest, readAtMs, nowMs, untilMs) {
      // The last reading of the page may wait to be stored.
      await deferred.flush()
      return retryWhileLocked(() => webSources.claim(digest, readAtMs, nowMs, untilMs))
    },
    setRead: (page) => void deferred.add(() => settingRead(page)),
    setFailed: (page, isOfVisitors = false) => void deferred.add(() => settingFailed(page, isOfVisitors)),
    addUse: (digest, requests, atMs) => void deferred.add(() => webSources.addUse(digest, requests, atMs)),
  }
}
