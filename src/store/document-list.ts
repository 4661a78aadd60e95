import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { type DocumentList, type DocumentOrders, noOrders } from '../assets/document-list.ts'
import { type Clock, isWithin } from '../lib/clock.ts'
import { createCoalescer } from '../lib/coalescer.ts'
import type { Store } from './open.ts'
import { createPageStore } from './page-store.ts'

interface LoadedOrders extends DocumentOrders {
  loadedAtMs: number
}

/** Bytes of the addresses whose orders are in memory. */
const ordersBytesMax = 4 * 2 ** 20
const orderBytes = 128
/** How old orders may be while a document is in use: then the operator may have changed them on another server. */
const syncMs = 60_000

/**
 * Stores how reading the documents of live badges went, for the operator, and knows which of them are blocked or to be read
 * again. Nobody waits for a write.
 */
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
        load(url).catch(ignore)
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

/** For work in the background: the orders of before hold for another minute. */
function ignore(): void {}

function documentDigest(url: string): string {
  return hash('sha256', `document ${url}`, 'hex').slice(0, 32)
}
