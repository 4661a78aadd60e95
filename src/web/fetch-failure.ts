import { invalidQuery, Problem, waitedTooLong } from '../errors.ts'
import { WaitEnded } from '../lib/waiter.ts'

/** Why a page could not be fetched: `code` is the error code of our API, `reason` the precise cause. The message never contains text from the target, but for the name of a misspelt member. */
export class FetchFailure extends Error {
  readonly code: FailureCode
  readonly reason: FailureReason
  /** The HTTP status of the target, if that is the reason. */
  readonly targetStatus: number | undefined
  /** When another attempt is worth its while, if that is known. */
  readonly retryAfterSeconds: number | undefined

  constructor(
    reason: FailureReason,
    details: {
      readonly code?: FailureCode
      readonly targetStatus?: number
      readonly retryAfterSeconds?: number
      readonly message?: string
    } = {},
  ) {
    super(details.message ?? failures[reason][1])
    this.name = 'FetchFailure'
    this.code = details.code ?? failures[reason][0]
    this.reason = reason
    this.targetStatus = details.targetStatus
    this.retryAfterSeconds = details.retryAfterSeconds
  }
}

export type FailureCode =
  | 'invalid_query'
  | 'blocked_address'
  | 'blocked_host'
  | 'blocked_port'
  | 'self_request'
  | 'upstream_failed'
  | 'upstream_timeout'
  | 'busy'

export type FailureReason = keyof typeof failures

export function failureReason(name: string): FailureReason | undefined {
  return reasonNames.find((reason) => reason === name)
}

export function reasonsOf(
  code: FailureCode,
): readonly { readonly reason: FailureReason; readonly message: string }[] {
  return reasonNames
    .filter((reason) => failures[reason][0] === code)
    .map((reason) => ({ reason, message: failures[reason][1] }))
}

const failures = {
  invalid_url: ['invalid_query', 'The URL is not an absolute http or https URL.'],
  unsupported_scheme: ['invalid_query', 'Only http and https URLs can be fetched.'],
  credentials_in_url: ['invalid_query', 'The URL must not carry a user name or password.'],
  url_too_long: ['invalid_query', 'The URL is longer than 2048 characters.'],
  blocked_address: [
    'blocked_address',
    'The host is not on the public internet. The operator can allow its address with FETCH_ALLOW_CIDRS.',
  ],
  blocked_host: [
    'blocked_host',
    'The host name is not a public one. The operator can allow private hosts with FETCH_ALLOW_CIDRS, and their ports with FETCH_ALLOW_PORTS.',
  ],
  denied_domain: ['blocked_host', 'The operator of this service does not fetch from this domain.'],
  blocked_port: [
    'blocked_port',
    'This port is not fetched from. The operator can allow it with FETCH_ALLOW_PORTS.',
  ],
  self_request: ['self_request', 'This service does not fetch from itself.'],
  dns_not_found: ['upstream_failed', 'The host name does not exist.'],
  dns_error: ['upstream_failed', 'The host name could not be resolved.'],
  connect_refused: ['upstream_failed', 'The site refused the connection.'],
  connection_reset: ['upstream_failed', 'The site closed the connection before it answered.'],
  unreachable: ['upstream_failed', 'The site could not be reached.'],
  tls_error: ['upstream_failed', 'No trusted TLS connection to the site could be made.'],
  protocol_error: ['upstream_failed', 'The site did not speak valid HTTP.'],
  headers_too_large: ['upstream_failed', 'The site sent more than 64 KiB of headers.'],
  redirect_loop: ['upstream_failed', 'The site redirects in a circle.'],
  too_many_redirects: ['upstream_failed', 'The site redirects more than 5 times.'],
  unsupported_encoding: ['upstream_failed', 'The site used a content coding that is not supported.'],
  decode_error: ['upstream_failed', 'The compressed body could not be decoded.'],
  empty_response: ['upstream_failed', 'The site answered without a body.'],
  too_large: [
    'upstream_failed',
    'The document is larger than 1 MiB, or than 10 MiB for a query of names and indexes in JSON of a signed call.',
  ],
  invalid_document: ['upstream_failed', 'The document is not valid in the format that it was read as.'],
  no_value: ['upstream_failed', 'The document has no text or number where one was asked for.'],
  too_complex: ['upstream_failed', 'The page takes too much work to read.'],
  target_http_status: ['upstream_failed', 'The site answered with an error status.'],
  target_challenge: ['upstream_failed', 'The site asked the fetcher to prove that it is human.'],
  login_required: ['upstream_failed', 'The page is shown only after a login.'],
  scripts_required: ['upstream_failed', 'The page is empty until its scripts run.'],
  error_page: ['upstream_failed', 'The site answered with the page of an error.'],
  not_html: ['upstream_failed', 'There is no HTML page at this address.'],
  timeout_dns: ['upstream_timeout', 'Resolving the host name took too long.'],
  timeout_connect: ['upstream_timeout', 'Connecting to the site took too long.'],
  timeout_headers: ['upstream_timeout', 'The site took too long to answer.'],
  timeout_body: ['upstream_timeout', 'The site stopped sending before its page was complete.'],
  timeout_total: ['upstream_timeout', 'Fetching the page took too long.'],
  too_busy: ['busy', 'Too many pages are being fetched at this moment.'],
  target_busy: ['busy', 'This service has asked the site for as much as it may in a minute.'],
} as const satisfies Record<string, readonly [FailureCode, string]>

const reasonNames = Object.keys(failures) as readonly FailureReason[]

/** Turns a FetchFailure into the problem for the caller, and returns any other error as it is. `parameter` is the one that named the URL. */
export function fetchProblem(error: unknown, parameter: string): unknown {
  if (error instanceof WaitEnded && !error.isGone) return waitedTooLong(error)
  if (!(error instanceof FetchFailure)) return error
  const { code, reason, message, targetStatus, retryAfterSeconds = 2 } = error
  if (code === 'invalid_query')
    return invalidQuery([{ parameter, message: `is refused (${reason}): ${message}` }])
  const members = { reason, ...(targetStatus !== undefined && { target_status: targetStatus }) }
  const headers = code === 'busy' ? { 'retry-after': String(retryAfterSeconds) } : {}
  return new Problem(code, message, { members, headers })
}
