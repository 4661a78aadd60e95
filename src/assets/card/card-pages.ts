import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { type Clock, isWithin } from '../../lib/clock.ts'
import { isJsonObject, parseJson } from '../../lib/json.ts'
import { createCoalescer } from '../../lib/waiter.ts'
import { FetchFailure, failureReason } from '../../web/fetch-failure.ts'
import type { PageValidators } from '../../web/fetched-page.ts'
import { operatorRequester, type Requester } from '../../web/requester.ts'
import {
  CachedSource,
  createSourceCache,
  type SourceCacheOptions,
  type SourceRequest,
} from '../../web/source-cache.ts'
import type { LivePages } from '../live-pages.ts'
import { type CardFacts, cardFactsTag, factsVersion } from './card-facts.ts'

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

type PageName = Readonly<Record<'digest' | 'url', string>>

export type CardPages = ReturnType<typeof createCardPages>

interface KeptSources<Facts> {
  readonly clock: Clock
  readonly store: Omit<PageStore, 'setRead'>
  readonly setRead: (row: Parameters<PageStore['setRead']>[0], facts: Facts) => void
  readonly read: SourceCacheOptions<ReadPage<Facts>, CardPage<Facts>, Reading<Facts>>['read']
  /** That of facts that are stored now: those of another are as good as none. */
  readonly version: number
  readonly tagOf: (facts: Facts) => string
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
    version: factsVersion,
    tagOf: cardFactsTag,
    digestOf: pageDigest,
    keepsUnread: true,
    async read({ key: url, value }, _request, onBehalfOf) {
      const { readCardPage } = await livePages.load()
      // Facts that an earlier version read lack what templates show, though the page has not changed.
      const known = value?.facts.templates === undefined ? undefined : value
      const read = await readCardPage(url, onBehalfOf, known)
      return read && { ...read, tag: cardFactsTag(read.facts) }
    },
  })
}

export function createKeptSources<Facts>({ store, clock: { now }, ...kind }: KeptSources<Facts>) {
  type Page = CardPage<Facts>
  const pages = new LRUCache<string, Page>({ max: 2_000, dispose: storeUses })
  const loadOnce = createCoalescer<Page>()
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

  /** Undefined where it was never read, or its facts are those of another version. */
  function storedValue(stored: StoredPage): ReadPage<Facts> | undefined {
    const facts = parseJson(stored.facts ?? 'null')
    if (!isJsonObject(facts) || facts['version'] !== kind.version) return undefined
    const validators = { etag: stored.etag ?? undefined, lastModified: stored.lastModified ?? undefined }
    return { ...validators, facts: facts as Facts, tag: kind.tagOf(facts as Facts) }
  }

  function storeUses(page: Page): void {
    if (page.uses > 0) store.addUse(page.digest, page.uses, now())
    page.uses = 0
  }

  async function sync(page: Page): Promise<void> {
    storeUses(page)
    page.adopt(await store.find(page.digest), storedValue)
  }

  async function pageOf(url: string): Promise<Page> {
    const known = pages.get(url)
    if (known !== undefined) return known
    return loadOnce(url, async () => {
      const digest = kind.digestOf(url)
      const page = new CardPage<Facts>(url, digest, now())
      page.adopt(await store.find(digest), storedValue)
      pages.set(url, page)
      return page
    })
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
    peek: (url: string): Page | undefined => pages.get(url),
    load: async (url: string): Promise<void> => void (await pageOf(url)),
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

export interface StoredPage {
  /** JSON; null if it was never read. */
  readonly facts: string | null
  readonly etag: string | null
  readonly lastModified: string | null
  readonly readAtMs: number | null
  /** The last failure since it was read. */
  readonly failedAtMs: number | null
  /** The first failure since it was read. */
  readonly goneAtMs: number | null
  /** A reason, for `target_http_status` with the status behind it. */
  readonly reason: string | null
  /** 1: the operator lets nobody read it. */
  readonly isBlocked: number
}

type PageState<Facts> =
  /** Facts: `kept` if the page could not be read since, or may not be read now. */
  | {
      readonly kind: 'page' | 'kept'
      readonly facts: Facts
      readonly tag: string
      readonly untilMs: number
    }
  /** It cannot be read, and nothing is known of it. */
  | { readonly kind: 'failed'; readonly failure: FetchFailure; readonly untilMs: number }
  | { readonly kind: 'unread' }

const goneMsMax = 30 * 86_400_000
const failureMs = 60_000

interface ReadPage<Facts = CardFacts> extends PageValidators {
  readonly facts: Facts
  /** Equal tags mean equal facts. */
  readonly tag: string
}

/** A page, or something else of another site that is kept as pages are. */
export class CardPage<Facts = CardFacts> extends CachedSource<ReadPage<Facts>> {
  readonly digest: string
  /** Uses that are not stored yet. */
  uses = 0
  syncedAtMs: number
  triedAtMs = 0
  /** The requester that pays for the page, or whose key has counted it. The page is read again on its account, whoever looks at it. */
  backer: Requester | undefined
  /** The store has it: what leads to another page is in memory alone. */
  isStored = false
  #isBlocked = false

  constructor(url: string, digest: string, nowMs: number) {
    super(url)
    this.digest = digest
    this.syncedAtMs = nowMs
  }

  /** Equal names mean that equal cards are drawn. */
  get stateName(): string {
    return `${this.#isBlocked} ${this.failure?.reason} ${this.value?.tag}`
  }

  /** Takes over what is stored, unless what is known here is newer and not stored yet. */
  adopt(
    stored: StoredPage | undefined,
    storedValue: (stored: StoredPage) => ReadPage<Facts> | undefined,
  ): void {
    this.isStored = stored !== undefined
    if (stored === undefined) return
    const { isBlocked, reason, readAtMs, failedAtMs, goneAtMs } = stored
    this.#isBlocked = isBlocked !== 0
    if (Math.max(this.readAtMs, this.failedAtMs) > Math.max(readAtMs ?? 0, failedAtMs ?? 0)) return
    this.value = storedValue(stored)
    this.readAtMs = readAtMs ?? 0
    this.failure = failedAtMs === null ? undefined : failureOf(reason ?? '')
    this.failedAtMs = failedAtMs ?? 0
    this.goneAtMs = goneAtMs ?? 0
  }

  state(nowMs: number): PageState<Facts> {
    const forever = Number.POSITIVE_INFINITY
    if (this.#isBlocked)
      return { kind: 'failed', failure: new FetchFailure('denied_domain'), untilMs: forever }
    const untilMs = this.failure === undefined ? forever : this.goneAtMs + goneMsMax
    if (this.value !== undefined && nowMs < untilMs) {
      const { facts, tag } = this.value
      return { kind: this.failure === undefined ? 'page' : 'kept', facts, tag, untilMs }
    }
    const failure = this.recentFailure(nowMs, failureMs)
    if (failure === undefined) return { kind: 'unread' }
    return { kind: 'failed', failure, untilMs: this.failedAtMs + failureMs }
  }

  mayTry(nowMs: number): boolean {
    return !this.#isBlocked && !isWithin(this.triedAtMs, nowMs, failureMs / 2)
  }
}

function reasonText({ reason, targetStatus }: FetchFailure): string {
  return reason === 'target_http_status' ? `${reason} ${targetStatus ?? ''}`.trim() : reason
}

function failureOf(text: string): FetchFailure {
  const [name = '', status] = text.split(' ')
  const reason = failureReason(name) ?? 'protocol_error'
  const failure = new FetchFailure(reason, status === undefined ? {} : { targetStatus: Number(status) })
  // The site redirected to an address that a caller could not have asked for.
  return failure.code.startsWith('upstream_')
    ? failure
    : new FetchFailure(reason, { code: 'upstream_failed' })
}
