import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { type Clock, isWithin } from '../../lib/clock.ts'
import { createCoalescer } from '../../lib/waiter.ts'
import { operatorRequester, type Requester } from '../../web/requester.ts'
import { createSourceCache, type SourceCacheOptions, type SourceRequest } from '../../web/source-cache.ts'
import type { LivePages } from '../live-pages.ts'
import type { CardFacts } from './card-facts.ts'
import {
  CardPage,
  type ReadFacts,
  type ReadPage,
  readPageOf,
  readStoredFacts,
  reasonText,
  type StoredPage,
} from './card-page.ts'

/** The store of pages. Writes are made soon, in order. */
export interface PageStore {
  find(digest: string): PromiseLike<StoredPage | undefined>
  /** Claims the reading of a page for this server, if it is free and was last read at `readAtMs` (0: never). */
  claim(digest: string, readAtMs: number, nowMs: number, untilMs: number): Promise<boolean>
  setRead(
    page: PageName & Pick<StoredPage, 'facts' | 'etag' | 'lastModified'> & { readonly atMs: number },
  ): void
  /** @param isOfVisitors whether only visitors of a site asked for the page: few such pages are kept */
  setFailed(page: PageName & { readonly reason: string; readonly atMs: number }, isOfVisitors?: boolean): void
  addUse(digest: string, requests: number, atMs: number): void
}

/** Keeps nothing: for programs that draw without a server. */
export const noPageStore: PageStore = {
  find: async () => undefined,
  claim: async () => false,
  setRead() {},
  setFailed() {},
  addUse() {},
}

export interface PageName {
  readonly digest: string
  readonly url: string
}

export type CardPages = ReturnType<typeof createCardPages>

interface KeptSources<Facts> {
  readonly clock: Clock
  readonly store: Omit<PageStore, 'setRead'>
  readonly setRead: (row: Parameters<PageStore['setRead']>[0], facts: Facts) => void
  readonly read: SourceCacheOptions<ReadPage<Facts>, CardPage<Facts>, Reading<Facts>>['read']
  readonly readFacts: ReadFacts<Facts>
  readonly digestOf: (url: string) => string
  /** False where a source that could never be read is not stored. */
  readonly keepsUnread: boolean
}

/** A page that failed while its facts are kept can wait longer, because nobody waits for it. */
const retryMs = 300_000
/** A server has so much time to read a page for all of them. */
const claimMs = 30_000
/** An older copy is compared with the store, because others may have read or blocked the page. */
const syncMs = 60_000

/** The pages whose cards are drawn: stored for all servers, those in use in memory too, read again after an hour meanwhile. */
export function createCardPages(livePages: Pick<LivePages, 'load'>, store: PageStore, clock: Clock) {
  return createKeptSources<CardFacts>({
    clock,
    store,
    setRead: store.setRead,
    readFacts: readStoredFacts,
    digestOf: pageDigest,
    keepsUnread: true,
    async read({ key: url, value }, _request, onBehalfOf) {
      const { readCardPage } = await livePages.load()
      // Facts that an earlier version read lack what templates show, though the page has not changed.
      const known = value?.facts.templates === undefined ? undefined : value
      const read = await readCardPage(url, onBehalfOf, known)
      return read && readPageOf(read.facts, read)
    },
  })
}

export function createKeptSources<Facts>({ store, clock: { now }, ...kind }: KeptSources<Facts>) {
  type Page = CardPage<Facts>
  const pages = new LRUCache<string, Page>({ max: 2_000, dispose: forget })
  const loadOnce = createCoalescer<void>()
  const sources = createSourceCache<ReadPage<Facts>, Page, Reading<Facts>>({
    now,
    memory: pages,
    freshMs: () => 3_600_000,
    retryMs,
    read: kind.read,
    // The failure would happen again, and is news: a URL that was never fetched from is refused each time.
    saysSomething: ({ code }, { value }) => code.startsWith('upstream_') || value !== undefined,
    record,
    async claim(page) {
      const nowMs = now()
      if (!page.isStored || (await store.claim(page.digest, page.readAtMs, nowMs, nowMs + claimMs)))
        return true
      await sync(page)
      return false
    },
  })

  function record(page: Page, { isKept = () => true }: Reading<Facts>, isChanged: boolean): void {
    const { digest, key: url, value, failure } = page
    const name = { digest, url }
    if (failure !== undefined) {
      if (!kind.keepsUnread && !page.isStored) return
      const isOfVisitors = value === undefined && !isKept(undefined)
      store.setFailed({ ...name, atMs: page.failedAtMs, reason: reasonText(failure) }, isOfVisitors)
    } else if (value !== undefined && (isChanged ? isKept(value.facts) : page.isStored)) {
      const { facts, etag = null, lastModified = null } = value
      const row = { ...name, atMs: page.readAtMs, facts: JSON.stringify(facts), etag, lastModified }
      kind.setRead(row, facts)
    } else return
    page.isStored = true
  }

  function forget(page: Page): void {
    page.version = 0
    storeUses(page)
  }

  function storeUses(page: Page): void {
    if (page.uses > 0) store.addUse(page.digest, page.uses, now())
    page.uses = 0
  }

  async function sync(page: Page): Promise<void> {
    storeUses(page)
    page.adopt(await store.find(page.digest))
  }

  async function load(url: string): Promise<void> {
    await loadOnce(url, async () => {
      const digest = kind.digestOf(url)
      const stored = await store.find(digest)
      if (!pages.has(url)) pages.set(url, new CardPage(url, digest, stored, now(), kind.readFacts))
    })
  }

  async function pageOf(url: string): Promise<Page> {
    for (;;) {
      const page = pages.get(url)
      if (page !== undefined) return page
      await load(url)
    }
  }

  function refreshIfDue(page: Page, { mayRefresh, requester, isKept }: Refreshing<Facts>): void {
    sources.refresh(page, () => {
      if (!page.mayTry(now()) || mayRefresh?.() === false) return undefined
      page.triedAtMs = now()
      return { requester: page.backer ?? requester(), isKept }
    })
  }

  return {
    now,
    /** The page if it is in memory; undefined if it has to be loaded. */
    peek: (url: string): Page | undefined => pages.get(url),
    load,
    at: pageOf,
    /** Returns a page, which is read first if nothing is known of it; another object where it had left the memory. @throws FetchFailure */
    async read(url: string, reading: Reading<Facts>): Promise<Page> {
      const page = await pageOf(url)
      return page.state(now()).kind === 'unread' ? sources.read(page, reading) : page
    },
    use(page: Page, refreshing: Refreshing<Facts>): void {
      if (refreshing.isBacked === true) page.backer ??= refreshing.requester()
      page.uses += 1
      if (!isWithin(page.syncedAtMs, now(), syncMs)) {
        page.syncedAtMs = now()
        // The next use tries again.
        sync(page).catch(() => {})
      }
      refreshIfDue(page, refreshing)
    },
    refreshIfDue,
    renew: async (url: string): Promise<unknown> =>
      sources.read(await pageOf(url), { requester: operatorRequester }),
    reload: async (url: string): Promise<void> => sync(await pageOf(url)),
    flush(): void {
      for (const page of pages.values()) storeUses(page)
    },
  }
}

export function pageDigest(url: string): string {
  return hash('sha256', `page ${url}`, 'hex').slice(0, 32)
}

interface Reading<Facts> extends SourceRequest {
  /** False for a page that is not to be kept; the facts are undefined where it could not be read. */
  readonly isKept?: IsKept<Facts> | undefined
}

interface Refreshing<Facts> {
  readonly requester: () => Requester
  /** A key or a payment stands behind the use. */
  readonly isBacked?: boolean
  readonly mayRefresh?: (() => boolean) | undefined
  readonly isKept?: IsKept<Facts>
}

type IsKept<Facts> = (facts: Facts | undefined) => boolean
