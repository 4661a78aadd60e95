import type { Waiter } from '../lib/waiter.ts'
import { FetchFailure } from './fetch-failure.ts'
import type { BodySink } from './read-body.ts'
import type { Requester } from './requester.ts'
import type { TargetReservation } from './target-limit.ts'

export interface PageHead {
  readonly url: URL
  readonly status: number
  /** Lower-case names; repeated headers joined with commas. */
  readonly headers: Readonly<Record<string, string>>
  readonly redirects: readonly { readonly status: number; readonly url: string }[]
}

export interface PageValidators {
  readonly etag?: string | undefined
  readonly lastModified?: string | undefined
}

export interface FetchPageOptions {
  readonly acceptLanguage?: string | undefined
  readonly accept?: string
  /** Validators of an earlier answer. If it still holds, the result has status 304 and its body was not read. */
  readonly validators?: PageValidators | undefined
  /** Chooses the reader of the body once the headers are known. Undefined leaves the body unread. */
  readonly sink: (head: PageHead) => BodySink | undefined
  /** A URL that it returns is fetched next, as if the page had redirected there. If that fails, the page is the result. */
  readonly onward?: (page: FetchedPage) => Promise<string | undefined>
  /** Returns responses with an error status or an empty body instead of failing. */
  readonly anyStatus?: boolean
  readonly bodyBytesMax?: number
  readonly totalMsMax?: number
  readonly redirectsMax?: number
  /** For whom the page is: slots and requests to its site are shared fairly between them. The operator if missing. */
  readonly requesters?: Iterable<Requester>
  /** Waits for slots on behalf of all of them; without one each wait is bounded alone. */
  readonly waiter?: Waiter
  readonly reservation?: TargetReservation
}

export interface FetchedPage extends PageHead {
  readonly truncated: boolean
  /** It was truncated because nothing pays for more. */
  readonly isUnpaidPart: boolean
  readonly isStranded: boolean
  readonly bytes: { readonly wire: number; readonly decoded: number }
  /** Milliseconds; of the last hop, except the total. */
  readonly timingMs: Readonly<Record<'dns' | 'connect' | 'headers' | 'total', number>>
}

/** Throws FetchFailure unless a response has status 2xx and is no bot challenge. */
export function checkStatus(head: PageHead): void {
  const { status } = head
  const targetStatus = status
  if (isChallenge(head)) throw new FetchFailure('target_challenge', { targetStatus })
  if (status < 200 || status > 299) throw new FetchFailure('target_http_status', { targetStatus })
}

export function isChallenge({ status, headers }: Pick<PageHead, 'status' | 'headers'>): boolean {
  return challenges.some((isMarked) => isMarked(headers, status))
}

/** Content delivery networks mark a challenge that only a browser passes. */
const challenges: readonly ((headers: PageHead['headers'], status: number) => boolean)[] = [
  (headers) => headers['cf-mitigated'] === 'challenge',
  (headers) => /^(challenge|captcha)$/.test(headers['x-amzn-waf-action'] ?? ''),
  (headers) => headers['x-vercel-mitigated'] === 'challenge',
  (headers, status) => status === 403 && ('x-datadome' in headers || 'cf-chl-bypass' in headers),
]

/** The validators of an answer that are short enough to be kept and sent back: a site may send 64 KiB of headers. */
export function keptValidators({ headers }: Pick<PageHead, 'headers'>): PageValidators {
  return { etag: kept(headers['etag']), lastModified: kept(headers['last-modified']) }
}

function kept(header: string | undefined): string | undefined {
  return header !== undefined && /^[ -~]{1,200}$/.test(header) ? header : undefined
}
