/** An error code: its status, its title, and for the reference page what helps. */
export interface ErrorCode {
  readonly status: number
  readonly title: string
  readonly remedy: string
}

/** Every error of `application/problem+json`. The reference page shows this table. */
export const errorCodes = {
  invalid_query: {
    status: 400,
    title: 'The query is not valid',
    remedy: 'Correct the parameters that `errors` names; nothing was charged.',
  },
  invalid_host: {
    status: 400,
    title: 'This host is not served here',
    remedy: 'Call the service by its public host name.',
  },
  invalid_body: {
    status: 400,
    title: 'The body is not valid',
    remedy: 'Send the form or JSON that the reference page shows.',
  },
  cross_site: {
    status: 403,
    title: 'This write came from another site',
    remedy: 'Send the form from the page that shows it.',
  },
  issuing_closed: {
    status: 403,
    title: 'Keys are not issued to the public here',
    remedy: 'Ask the operator for a key, use demo=1, or pay per call.',
  },
  unknown_key: {
    status: 404,
    title: 'There is no such key',
    remedy: 'Check the id; it starts with mk_.',
  },
  not_found: {
    status: 404,
    title: 'There is nothing at this path',
    remedy: 'The reference page lists every path.',
  },
  method_not_allowed: {
    status: 405,
    title: 'This path does not answer this method',
    remedy: 'Use a method that the `Allow` header names.',
  },
  too_large: {
    status: 413,
    title: 'The request is too large',
    remedy: 'A body may have 64 KiB; the URL and all headers together 16 KiB.',
  },
  rate_limited: {
    status: 429,
    title: 'Too many requests',
    remedy: 'Wait for the seconds that `Retry-After` names.',
  },
  blocked_address: {
    status: 403,
    title: 'This host is not on the public internet',
    remedy: 'Name a page that everybody can reach.',
  },
  blocked_host: {
    status: 403,
    title: 'This host is not fetched from',
    remedy: 'Name a page on a public host name; the operator may have denied this one.',
  },
  blocked_port: {
    status: 403,
    title: 'This port is not fetched from',
    remedy: 'Name a page on a port for the web.',
  },
  self_request: {
    status: 403,
    title: 'This service does not fetch from itself',
    remedy: 'Name a page of another site.',
  },
  upstream_failed: {
    status: 502,
    title: 'The site did not answer well',
    remedy: 'Nothing was charged. `reason` says what happened; correct the URL, or try again later.',
  },
  upstream_timeout: {
    status: 504,
    title: 'The site took too long',
    remedy: 'Nothing was charged. `reason` says in which step; try again later.',
  },
  internal: {
    status: 500,
    title: 'Something broke on our side',
    remedy: 'Nothing was charged. Try again, and report the request id if it stays.',
  },
  payments_unavailable: {
    status: 503,
    title: 'Whether the payment is good is not known now',
    remedy: 'The payment stays usable: send the same request again after `Retry-After` seconds.',
  },
  settlement_pending: {
    status: 503,
    title: 'The settlement is not confirmed yet',
    remedy: 'The payment stays usable: send the same request again after `Retry-After` seconds.',
  },
  busy: {
    status: 503,
    title: 'No capacity at this moment',
    remedy: 'Nothing was charged. Try again after `Retry-After` seconds.',
  },
  not_ready: {
    status: 503,
    title: 'The service is starting or stopping',
    remedy: 'Try again after `Retry-After` seconds.',
  },
} as const satisfies Record<string, ErrorCode>

export type ProblemCode = keyof typeof errorCodes

/** A wrong parameter, and the values that are allowed where there is a list of them. */
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

/** The problem for wrong parameters, which names them all. */
export function invalidQuery(errors: readonly ParameterError[]): Problem {
  const detail = errors.map(({ parameter, message }) => `${parameter} ${message}`).join('; ')
  return new Problem('invalid_query', `${detail}.`, { errors })
}
