import { isWithin } from '../../lib/clock.ts'
import { FetchFailure, failureReason } from '../../web/fetch-failure.ts'
import type { PageValidators } from '../../web/fetched-page.ts'
import type { Requester } from '../../web/requester.ts'
import { CachedSource } from '../../web/source-cache.ts'
import { type CardFacts, cardFactsTag, readCardFacts } from './card-facts.ts'

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

export type PageState<Facts = CardFacts> =
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

export interface ReadPage<Facts = CardFacts> extends PageValidators {
  readonly facts: Facts
  /** Equal tags mean equal facts. */
  readonly tag: string
}

/** A page, or something else of another site that is kept as pages are. */
export class CardPage<Facts = CardFacts> extends CachedSource<ReadPage<Facts>> {
  readonly digest: string
  /** Grows with each change of the page's state, and is 0 once it has left the memory. */
  version = 1
  /** Uses that are not stored yet. */
  uses = 0
  syncedAtMs: number
  triedAtMs = 0
  /** Somebody who pays for the page or whose key has counted it: then it is read again for them, whoever looks at it. */
  backer: Requester | undefined
  /** The store has it: what leads to another page is in memory alone. */
  isStored = false
  #isBlocked = false
  readonly #read: ReadFacts<Facts>

  constructor(
    url: string,
    digest: string,
    stored: StoredPage | undefined,
    nowMs: number,
    read: ReadFacts<Facts>,
  ) {
    super(url)
    this.#read = read
    this.digest = digest
    this.syncedAtMs = nowMs
    this.adopt(stored)
  }

  override succeed(page: ReadPage<Facts>, atMs: number): void {
    this.#change(() => super.succeed(page, atMs))
  }

  override fail(failure: FetchFailure, atMs: number): void {
    this.#change(() => super.fail(failure, atMs))
  }

  /** Takes over what is stored, unless what is known here is newer and not stored yet. */
  adopt(stored: StoredPage | undefined): void {
    this.isStored = stored !== undefined
    if (stored === undefined) return
    const { facts, etag, lastModified, isBlocked, reason } = stored
    const { readAtMs, failedAtMs, goneAtMs } = stored
    this.#change(() => {
      this.#isBlocked = isBlocked !== 0
      if (Math.max(this.readAtMs, this.failedAtMs) > Math.max(readAtMs ?? 0, failedAtMs ?? 0)) return
      const validators = { etag: etag ?? undefined, lastModified: lastModified ?? undefined }
      this.value = facts === null ? undefined : this.#read(facts, validators)
      this.readAtMs = readAtMs ?? 0
      this.failure = failedAtMs === null ? undefined : failureOf(reason ?? '')
      this.failedAtMs = failedAtMs ?? 0
      this.goneAtMs = goneAtMs ?? 0
    })
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

  #change(work: () => void): void {
    const before = this.#name()
    work()
    if (this.version > 0 && this.#name() !== before) this.version += 1
  }

  #name(): string {
    return `${this.#isBlocked} ${this.failure?.reason} ${this.value?.tag}`
  }
}

export type ReadFacts<Facts> = (facts: string, validators: PageValidators) => ReadPage<Facts> | undefined

export function readStoredFacts(text: string, validators: PageValidators): ReadPage | undefined {
  const facts = readCardFacts(text)
  return facts && readPageOf(facts, validators)
}

export function readPageOf(facts: CardFacts, { etag, lastModified }: PageValidators): ReadPage {
  return { facts, tag: cardFactsTag(facts), etag, lastModified }
}

export function reasonText({ reason, targetStatus }: FetchFailure): string {
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
