import type { Requester } from './concurrency-limiter.ts'
import type { BodySink } from './read-body.ts'

export interface PageHead {
  /** Where the redirects led. */
  readonly url: URL
  readonly status: number
  /** Lower-case names; repeated headers joined with commas. */
  readonly headers: Readonly<Record<string, string>>
  readonly redirects: readonly { readonly status: number; readonly url: string }[]
}

export interface FetchPageOptions {
  readonly acceptLanguage?: string
  readonly accept?: string
  /** Chooses what to do with the body once the headers are known; null leaves it unread. */
  readonly sink: (head: PageHead) => BodySink | null
  /** Give error statuses and empty bodies back instead of failing. */
  readonly anyStatus?: boolean
  readonly bodyBytesMax?: number
  readonly totalMsMax?: number
  /** Whom the page is for: slots are shared fairly between them. Ourselves when missing. */
  readonly requesters?: Iterable<Requester>
}

export interface HopTiming {
  readonly dns: number
  readonly connect: number
  readonly headers: number
}

export interface FetchedPage extends PageHead {
  readonly truncated: boolean
  readonly bytes: { readonly wire: number; readonly decoded: number }
  /** Of the last hop, except the total. */
  readonly timingMs: HopTiming & { readonly total: number }
}
