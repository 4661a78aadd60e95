import { isWithin } from '../../lib/clock.ts'
import { FetchFailure, failureReason } from '../../web/fetch-failure.ts'
import type { Requester } from '../../web/requester.ts'
import { type CardFacts, cardFactsTag, readCardFacts } from './card-facts.ts'

/** A page as the store keeps it. */
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

export type PageState =
  /** Facts: `kept` if the page could not be read since, or may not be read now. */
  | {
      readonly kind: 'page' | 'kept'
      readonly facts: CardFacts
      readonly tag: string
      readonly untilMs: number
    }
  /** It cannot be read, and nothing is known of it. */
  | { readonly kind: 'failed'; readonly failure: FetchFailure; readonly untilMs: number }
  | { readonly kind: 'unread' }

/** How long a page that is gone keeps its card. */
const goneMsMax = 30 * 86_400_000
/** A page that failed is not asked for again for so long. */
const failureMs = 60_000
const refreshMs = 3_600_000
/** A page whose facts are kept can wait longer, because nobody waits for it. */
const retryMs = 300_000

/** A page in memory. Its version grows with each change of its state, and is 0 once it has left the memory. */
export class CardPage {
  readonly url: string
  readonly digest: string
  version = 1
  /** Uses that are not stored yet. */
  uses = 0
  syncedAtMs: number
  isRefreshing = false
  /** Somebody who pays for the page or whose key has counted it: then it is read again for them, whoever looks at it. */
  backer: Requester | undefined
  triedAtMs = 0
  /** Whether the store has it: what leads to another page is in memory alone. */
  isStored: boolean
  #stored: StoredPage | undefined
  #facts: CardFacts | undefined
  #tag = ''

  constructor(url: string, digest: string, stored: StoredPage | undefined, nowMs: number) {
    this.url = url
    this.digest = digest
    this.syncedAtMs = nowMs
    this.isStored = stored !== undefined
    this.#set(stored)
  }

  /** Validators by which the site knows its last answer. */
  get validators() {
    if (this.#facts === undefined) return undefined
    const { etag, lastModified } = this.#stored ?? {}
    return { etag: etag ?? undefined, lastModified: lastModified ?? undefined }
  }

  get stored(): StoredPage | undefined {
    return this.#stored
  }

  /** Takes over what is stored, unless what is known here is newer and not stored yet. */
  adopt(stored: StoredPage | undefined, nowMs: number): void {
    if (stored === undefined) return
    this.isStored = true
    const own = this.#stored
    const isNewer = own !== undefined && lastTryMs(own) > lastTryMs(stored)
    this.update(isNewer ? { ...own, isBlocked: stored.isBlocked } : stored, nowMs)
  }

  /** Takes over what became of a page. */
  update(stored: StoredPage | undefined, nowMs: number): void {
    const before = this.#nameOf(this.state(nowMs))
    this.#set(stored)
    if (this.version > 0 && this.#nameOf(this.state(nowMs)) !== before) this.version += 1
  }

  state(nowMs: number): PageState {
    const { failedAtMs = null, goneAtMs = null, reason = null, isBlocked = 0 } = this.#stored ?? {}
    const forever = Number.POSITIVE_INFINITY
    if (isBlocked !== 0)
      return { kind: 'failed', failure: new FetchFailure('denied_domain'), untilMs: forever }
    const keptUntilMs = goneAtMs === null ? forever : goneAtMs + goneMsMax
    if (this.#facts !== undefined && nowMs < keptUntilMs)
      return {
        kind: failedAtMs === null ? 'page' : 'kept',
        facts: this.#facts,
        tag: this.#tag,
        untilMs: keptUntilMs,
      }
    if (failedAtMs === null || !isWithin(failedAtMs, nowMs, failureMs)) return { kind: 'unread' }
    return { kind: 'failed', failure: failureOf(reason ?? ''), untilMs: failedAtMs + failureMs }
  }

  /** Whether it is time to read the page again, while its facts are in use. */
  isDue(nowMs: number): boolean {
    const { failedAtMs = null, readAtMs = null, isBlocked = 0 } = this.#stored ?? {}
    if (this.#facts === undefined || isBlocked !== 0 || this.isRefreshing) return false
    if (isWithin(this.triedAtMs, nowMs, failureMs / 2)) return false
    return failedAtMs === null
      ? !isWithin(readAtMs ?? 0, nowMs, refreshMs)
      : !isWithin(failedAtMs, nowMs, retryMs)
  }

  #set(stored: StoredPage | undefined): void {
    if (stored?.facts !== this.#stored?.facts) {
      this.#facts = stored?.facts == null ? undefined : readCardFacts(stored.facts)
      this.#tag = this.#facts === undefined ? '' : cardFactsTag(this.#facts)
    }
    this.#stored = stored
  }

  #nameOf(state: PageState): string {
    return state.kind === 'failed' ? state.failure.reason : `${state.kind} ${this.#tag}`
  }
}

function lastTryMs({ readAtMs, failedAtMs }: StoredPage): number {
  return Math.max(readAtMs ?? 0, failedAtMs ?? 0)
}

/** How a failure is stored. */
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
