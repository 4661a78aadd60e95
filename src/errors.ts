import type { WaitEnded } from './lib/waiter.ts'
export interface ErrorCode {
  readonly status: number
  readonly title: string
  readonly remedy: string
}

/** Every error of `application/problem+json`. The reference page shows this table. */
export const errorCodes = {
  invalid_query: error(
    400,
    'The query is not valid',
    'Correct the parameters that `errors` names; nothing was charged.',
  ),
  invalid_host: error(400, 'This host is not served here', 'Call the service by its public host name.'),
  invalid_path: error(
    400,
    'The path is ambiguous',
    'Send the path as it is on the reference page: a proxy may read this one differently.',
  ),
  invalid_body: error(400, 'The body is not valid', 'Send the form or JSON that the reference page shows.'),
  cross_site: error(403, 'This write came from another site', 'Send the form from the page that shows it.'),
  issuing_closed: error(
    403,
    'Keys are not issued to the public here',
    'Ask the operator for a key, or use demo=1.',
  ),
  brand_not_allowed: error(
    403,
    'This brand is restricted to certain keys',
    'Nothing was charged. Sign the call with a key that may use the brand; the operator gives keys access.',
  ),
  host_not_allowed: error(
    403,
    'The page is on another host',
    'Nothing was charged. A site id draws pages of the hosts that its key names; the operator can add one, or sign the address.',
  ),
  unknown_key: error(404, 'There is no such key', 'Check the id; it starts with mk_.'),
  not_found: error(404, 'There is nothing at this path', 'The reference page lists every path.'),
  method_not_allowed: error(
    405,
    'This path does not support this method',
    'Use a method that the `Allow` header names.',
  ),
  payment_identifier_used: error(
    409,
    'This payment identifier was used for another request',
    'Nothing was charged. Repeat the request that it was used for, or pay under a new identifier.',
  ),
  too_large: error(
    413,
    'The request is too large',
    'A body may have 64 KiB; the URL and all headers together 16 KiB.',
  ),
  rate_limited: error(429, 'Too many requests', 'Wait for the seconds that `Retry-After` names.'),
  blocked_address: error(
    403,
    'This host is not on the public internet',
    'Name a page that everyone can reach. On a server of your own FETCH_ALLOW_CIDRS allows private addresses, such as 127.0.0.0/8 for localhost.',
  ),
  blocked_host: error(
    403,
    'This host is not fetched from',
    'Name a page on a public host name; the operator may have denied this one. On a server of your own FETCH_ALLOW_CIDRS allows private hosts.',
  ),
  blocked_port: error(
    403,
    'This port is not fetched from',
    'Name a page on a usual web port, or one of FETCH_ALLOW_PORTS.',
  ),
  self_request: error(403, 'This service does not fetch from itself', 'Name a page of another site.'),
  upstream_failed: error(
    502,
    'The site did not answer properly',
    'Nothing was charged. `reason` says what happened; correct the URL, or try again later.',
  ),
  upstream_timeout: error(
    504,
    'The site took too long',
    'Nothing was charged. `reason` says in which step; try again later.',
  ),
  internal: error(
    500,
    'Something broke on our side',
    'Nothing was charged. Try again, and report the request id if the error persists.',
  ),
  payments_unavailable: error(
    503,
    'The payment cannot be checked now',
    'The payment stays usable: send the same request again after `Retry-After` seconds.',
  ),
  settlement_pending: error(
    503,
    'The settlement is not confirmed yet',
    'The payment stays usable: send the same request again after `Retry-After` seconds.',
  ),
  busy: error(
    503,
    'The server is at capacity',
    'Nothing was charged. Try again after `Retry-After` seconds.',
  ),
  not_ready: error(503, 'The service is not ready', 'Try again after `Retry-After` seconds.'),
}

function error(status: number, title: string, remedy: string): ErrorCode {
  return { status, title, remedy }
}

export type ProblemCode = keyof typeof errorCodes

export interface ParameterError {
  readonly parameter: string
  readonly message: string
  readonly allowed?: readonly string[]
}

interface ProblemOptions {
  readonly errors?: readonly ParameterError[]
  readonly headers?: Readonly<Record<string, string>>
  /** Overrides the code's status where one code has two (413 and 431). */
  readonly status?: number
  /** Further members of the problem document, for example `reason`. */
  readonly members?: Readonly<Record<string, unknown>>
  /** The error behind it: for the log, never for the caller. */
  readonly cause?: unknown
}

/** An error whose text is public. Any other thrown error is answered as `internal`. */
export class Problem extends Error {
  readonly code: ProblemCode
  readonly status: number
  readonly errors: readonly ParameterError[]
  readonly headers: Readonly<Record<string, string>>
  readonly members: Readonly<Record<string, unknown>>

  constructor(code: ProblemCode, detail: string, options: ProblemOptions = {}) {
    super(detail, { cause: options.cause })
    this.name = 'Problem'
    this.code = code
    this.status = options.status ?? errorCodes[code].status
    this.errors = options.errors ?? []
    this.headers = options.headers ?? {}
    this.members = options.members ?? {}
  }

  /** The RFC 9457 document. `baseUrl` has no trailing slash. */
  toJSON(baseUrl: string): Record<string, unknown> {
    return {
      type: `${baseUrl}/docs/errors#${this.code}`,
      title: errorCodes[this.code].title,
      status: this.status,
      detail: this.message,
      code: this.code,
      errors: this.errors,
      ...this.members,
    }
  }
}

export function invalidQuery(errors: readonly ParameterError[]): Problem {
  const detail = errors.map(({ parameter, message }) => `${parameter} ${message}`).join('; ')
  return new Problem('invalid_query', `${detail}.`, { errors })
}

export function waitedTooLong(cause: WaitEnded): Problem {
  return new Problem('busy', 'Too many calls wait for their turn. Nothing was charged.', {
    headers: { 'retry-after': '5' },
    cause,
  })
}

export function rateLimited(detail: string, seconds: number): Problem {
  return new Problem('rate_limited', detail, { headers: { 'retry-after': String(seconds) } })
}
