import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { type Clock, isWithin } from '../../lib/clock.ts'
import { FetchFailure } from '../../web/fetch-failure.ts'
import { inBackground, operatorRequester, type Requester } from '../../web/requester.ts'
import { createSingleFlight, isCapacityFailure } from '../../web/single-flight.ts'
import type { LivePages } from '../live-pages.ts'
import type { CardFacts } from './card-facts.ts'
import { CardPage, reasonText, type StoredPage } from './card-page.ts'

/** Where pages are kept. Writes are stored soon, in the order in which they were made. */
export interface PageStore {
  find(digest: string): PromiseLike<StoredPage | undefined>
  /**
   * Claims the reading of a page for this server. Resolves with whether it was free, and was last read at this time (0:
   * never).
   */
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

export interface CardPagesDeps {
  readonly livePages: Pick<LivePages, 'load'>
  readonly store: PageStore
  readonly clock: Clock
}

export type CardPages = ReturnType<typeof createCardPages>

/** Each with facts of a few kilobytes. */
const pagesMax = 2_000
/** How long a server may take to read a page for all of them. */
const claimMs = 30_000
/** How old a copy may be: then others may have read or blocked the page. */
const syncMs = 60_000

/**
 * The pages whose cards are drawn. What was read of them is stored, so that all servers have it; the pages in use are in
 * memory, too. Facts that are over an hour old are used, and read again meanwhile.
 */
export function createCardPages({ livePages, store, clock }: CardPagesDeps) {
  const pages = new LRUCache<string, CardPage>({ max: pagesMax, dispose: forget })
  const loading = new Map<string, Promise<void>>()
  const reads = createSingleFlight<CardPage>()

  const { storeUses, sync } = createPageSync({ store, clock })

  function forget(page: CardPage): void {
    page.version = 0
    storeUses(page)
  }

  async function loadNow(url: string, digest: string): Promise<void> {
    const stored = await store.find(digest)
    if (!pages.has(url)) pages.set(url, new CardPage(url, digest, stored, clock.now()))
  }

  async function pageOf(url: string): Promise<CardPage> {
    for (;;) {
      const page = pages.get(url)
      if (page !== undefined) return page
      await load(url)
    }
  }

  function load(url: string): Promise<void> {
    const known = loading.get(url)
    if (known !== undefined) return known
    const started = loadNow(url, pageDigest(url)).finally(() => loading.delete(url))
    loading.set(url, started)
    return started
  }

  const readInto = createPageReader({ livePages, store, clock })

  /** Returns the page as it was read, which is another object where it had left the memory meanwhile. */
  function readShared(
    page: CardPage,
    { requester, beforeRead, isKept = always }: Reading,
  ): Promise<CardPage> {
    return reads.join(page.digest, requester, async (onBehalfOf) => {
      beforeRead?.()
      await readInto(page, onBehalfOf, isKept)
      return page
    })
  }

  const refreshIfDue = createPageRefresh({ store, clock, sync, readShared })

  return {
    now: clock.now,
    /** The page if it is in memory; undefined if it has to be loaded. */
    peek: (url: string): CardPage | undefined => pages.get(url),
    /** Loads what is stored of a page. */
    load,
    /**
     * Returns a page, which is read first if nothing is known of it.
     * @throws FetchFailure where the page may not be fetched, or not now
     */
    async read(url: string, reading: Reading): Promise<CardPage> {
      const page = await pageOf(url)
      return page.state(clock.now()).kind === 'unread' ? readShared(page, reading) : page
    },
    /** Notes that a page was used, and brings it up to date in the background. */
    use(page: CardPage, refreshing: Refreshing): void {
      const nowMs = clock.now()
      if (refreshing.isBacked === true) page.backer ??= refreshing.requester()
      page.uses += 1
      if (!isWithin(page.syncedAtMs, nowMs, syncMs)) {
        page.syncedAtMs = nowMs
        sync(page).catch(ignore)
      }
      refreshIfDue(page, refreshing)
    },
    /** Brings a page up to date in the background, without a use of it. */
    refreshIfDue,
    /** Reads a page now, whatever is known of it. */
    renew: async (url: string): Promise<unknown> =>
      readShared(await pageOf(url), { requester: operatorRequester }),
    /** Takes over what is stored of a page. */
    reload: async (url: string): Promise<void> => sync(await pageOf(url)),
    /** Stores what was counted. */
    flush(): void {
      for (const page of pages.values()) storeUses(page)
    },
  }
}

interface PageRefreshDeps extends Pick<CardPagesDeps, 'store' | 'clock'> {
  readonly sync: (page: CardPage) => Promise<void>
  readonly readShared: (page: CardPage, reading: Reading) => Promise<unknown>
}

/** Returns what reads a page that is in use again, by one server for all of them. */
function createPageRefresh({ store, clock, sync, readShared }: PageRefreshDeps) {
  async function refresh(page: CardPage, requester: Requester, isKept: IsKept): Promise<void> {
    page.isRefreshing = true
    try {
      page.triedAtMs = clock.now()
      const { digest, stored, triedAtMs } = page
      const isOurs =
        !page.isStored || (await store.claim(digest, stored?.readAtMs ?? 0, triedAtMs, triedAtMs + claimMs))
      await (isOurs ? readShared(page, { requester: inBackground(requester), isKept }) : sync(page))
    } finally {
      page.isRefreshing = false
    }
  }

  return (page: CardPage, { mayRefresh, requester, isKept = always }: Refreshing): void => {
    if (page.isDue(clock.now()) && mayRefresh?.() !== false)
      refresh(page, page.backer ?? requester(), isKept).catch(ignore)
  }
}

/** Returns what brings a page in memory and the stored one together. */
function createPageSync({ store, clock }: Pick<CardPagesDeps, 'store' | 'clock'>) {
  function storeUses(page: CardPage): void {
    if (page.uses > 0) store.addUse(page.digest, page.uses, clock.now())
    page.uses = 0
  }
  return {
    storeUses,
    async sync(page: CardPage): Promise<void> {
      storeUses(page)
      page.adopt(await store.find(page.digest), clock.now())
    },
  }
}

/** For work in the background: the next use tries again. */
function ignore(): void {}

export function pageDigest(url: string): string {
  return hash('sha256', `page ${url}`, 'hex').slice(0, 32)
}

/** For whom a page is read. */
interface Reading {
  readonly requester: Requester
  /** Called before the page is fetched for this request alone; an error that it throws is the result. */
  readonly beforeRead?: () => void
  /** Whether the outcome is that of a page to keep, as it is otherwise; the facts are undefined where it could not be read. */
  readonly isKept?: IsKept
}

/** For whom a page that is in use is read again. */
interface Refreshing {
  readonly requester: () => Requester
  /** Whether a key or a payment stands behind the use. */
  readonly isBacked?: boolean
  /** Whether it may be read again now; every time if undefined. */
  readonly mayRefresh?: (() => boolean) | undefined
  readonly isKept?: IsKept
}

type IsKept = (facts: CardFacts | undefined) => boolean

function always(): boolean {
  return true
}

type ReadPage = (
  page: CardPage,
  onBehalfOf: Parameters<Parameters<ReturnType<typeof createSingleFlight<CardPage>>['join']>[2]>[0],
  isKept: IsKept,
) => Promise<void>

/** Returns what reads a page, and stores the outcome. A failure that says nothing of the page is thrown. */
function createPageReader({ livePages, store, clock }: CardPagesDeps): ReadPage {
  return async (page, onBehalfOf, isKept) => {
    const { url, digest, stored } = page
    const { readCardPage } = await livePages.load()
    try {
      const read = await readCardPage(url, onBehalfOf, page.validators)
      const atMs = clock.now()
      const facts = read === undefined ? (stored?.facts ?? null) : JSON.stringify(read.facts)
      const { etag = null, lastModified = null } = read ?? stored ?? {}
      const outcome = { facts, etag, lastModified }
      if (read === undefined ? page.isStored : isKept(read.facts)) {
        store.setRead({ digest, url, atMs, ...outcome })
        page.isStored = true
      }
      page.update({ ...outcome, ...noFailure, readAtMs: atMs, isBlocked: stored?.isBlocked ?? 0 }, atMs)
    } catch (failure) {
      if (!(failure instanceof FetchFailure) || !saysSomething(failure, stored)) throw failure
      const atMs = clock.now()
      const reason = reasonText(failure)
      store.setFailed({ digest, url, atMs, reason }, stored?.facts == null && !isKept(undefined))
      page.isStored = true
      const failed = { failedAtMs: atMs, goneAtMs: stored?.goneAtMs ?? atMs, reason }
      page.update({ ...(stored ?? neverRead), ...failed }, atMs)
    }
  }
}

const noFailure = { failedAtMs: null, goneAtMs: null, reason: null }
const neverRead = { facts: null, etag: null, lastModified: null, readAtMs: null, isBlocked: 0 }

/** Whether a failure would happen again, and is news: an address that was never fetched from is refused each time. */
function saysSomething(failure: FetchFailure, stored: StoredPage | undefined): boolean {
  if (isCapacityFailure(failure)) return false
  return failure.code.startsWith('upstream_') || stored?.facts != null
}
