import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { PageStore } from '../assets/card/card-pages.ts'
import { type DocumentList, type DocumentOrders, noOrders } from '../assets/document-list.ts'
import type { WebPicture, WebPictureStore } from '../assets/web-pictures.ts'
import { type Clock, isWithin } from '../lib/clock.ts'
import { createCoalescer } from '../lib/waiter.ts'
import type { Store } from './open.ts'
import { retryWhileLocked } from './store-error.ts'
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

/** At most so many pictures are kept, of so many bytes in all; beyond that those that were not used for longest are removed. */
const picturesMax = 2_000
const pictureBytesMax = 256 * 2 ** 20
/** New pictures of a key or a site on a day. */
const newPicturesPerDay = 50

/** Keeps pictures of other sites, those alone that could be had. */
export function createPictureStore(
  {
    webSources,
    webPictures,
    deferred,
    meter,
  }: Pick<Store, 'webSources' | 'webPictures' | 'deferred' | 'meter'>,
  { countMax = picturesMax, bytesMax = pictureBytesMax } = {},
): WebPictureStore {
  const kind = 'picture'

  function* settingPicture(
    row: Parameters<WebPictureStore['setPicture']>[0],
    picture: WebPicture | undefined,
  ) {
    const stored = yield* webSources.find(row.digest)
    const isStored = stored !== undefined && stored.facts === row.facts
    // Its bytes have left the memory.
    if (picture === undefined && !isStored) return
    const size = picture?.jpeg.length ?? 0
    for (;;) {
      const { count, bytes } = yield* webPictures.sums()
      const isFull = (stored === undefined && count >= countMax) || bytes + size > bytesMax
      if (!isFull || (yield* webSources.prune(kind, Math.ceil(countMax / 200))) === 0) break
    }
    yield* webSources.setRead({ kind, ...row })
    if (picture === undefined || (isStored && (yield* webPictures.has(row.digest)))) return
    const { jpeg, ...facts } = picture
    yield* webPictures.set({ digest: row.digest, size, facts: JSON.stringify(facts), jpeg })
  }

  return {
    ...createPageStore({ webSources, deferred }, countMax, kind),
    setPicture: (row, picture) => void deferred.add(() => settingPicture(row, picture)),
    async picture(digest) {
      // It may wait to be stored.
      await deferred.flush()
      const found = await webPictures.find(digest)
      return found && { ...JSON.parse(found.facts), jpeg: new Uint8Array(found.jpeg) }
    },
    async takeNew(owner, digest) {
      const taken = await meter.reserve({
        bucket: `pictures:${owner}`,
        limit: newPicturesPerDay,
        dedupKey: digest,
      })
      return taken.granted ? () => meter.release(taken) : undefined
    },
  }
}

interface LoadedOrders extends DocumentOrders {
  loadedAtMs: number
}

/** Bytes of the addresses whose orders are in memory. */
const ordersBytesMax = 4 * 2 ** 20
const orderBytes = 128
/** Older orders are read again: the operator may have changed them on another server. */
const syncMs = 60_000

/** Stores how reading documents of live badges went, and knows which are blocked or to be read again. Nobody waits for a write. */
export function createDocumentList(
  store: Pick<Store, 'webSources' | 'deferred'>,
  { now }: Clock,
  documentsMax?: number,
) {
  const documents = createPageStore(store, documentsMax, 'document')
  const known = new LRUCache<string, LoadedOrders>({
    maxSize: ordersBytesMax,
    sizeCalculation: (_, url) => 2 * url.length + orderBytes,
  })
  const loadOnce = createCoalescer<DocumentOrders>()

  async function reload(url: string): Promise<DocumentOrders> {
    const stored = await store.webSources.find(documentDigest(url))
    const { isBlocked, renewals } =
      stored === undefined ? noOrders : { isBlocked: stored.isBlocked !== 0, renewals: stored.renewals }
    const orders = { isBlocked, renewals, loadedAtMs: now() }
    known.set(url, orders)
    return orders
  }

  function load(url: string): Promise<DocumentOrders> {
    return loadOnce(url, () => reload(url))
  }

  const list: DocumentList = {
    record(url, { failure, requests }) {
      const digest = documentDigest(url)
      const atMs = now()
      if (failure === undefined)
        documents.setRead({ digest, url, facts: null, etag: null, lastModified: null, atMs })
      else documents.setFailed({ digest, url, reason: failure, atMs })
      documents.addUse(digest, requests, atMs)
    },
    peek(url) {
      const orders = known.get(url)
      if (orders !== undefined && !isWithin(orders.loadedAtMs, now(), syncMs)) {
        orders.loadedAtMs = now()
        // The orders of before hold for another minute.
        load(url).catch(() => {})
      }
      return orders
    },
    load,
  }
  return {
    ...list,
    /** Takes over what the operator has just ordered. */
    reload,
  }
}

function documentDigest(url: string): string {
  return hash('sha256', `document ${url}`, 'hex').slice(0, 32)
}
