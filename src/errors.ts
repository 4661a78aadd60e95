import table from './lib/error-codes.json' with { type: 'json' }
import type { WaitEnded } from './lib/waiter.ts'
export interface ErrorCode {
  readonly status: number
  readonly title: string
  readonly remedy: string
}

/** Every error of `application/problem+json`. The reference page shows this table. */
export const errorCodes = table satisfies Record<string, ErrorCode>

export type ProblemCode = keyof typeof errorCodes

export interface ParameterError {
  readonly parameter: string
  readonly message: string
  readonly allowed?: readonly string[]
}

interface ProblemOptions {
  readonly errors?: readonly ParameterError[]
  readonly headers?: Readonly<Record<string, string>>
  readonly status?: number
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
  return busy('Too many calls wait for their turn. Nothing was charged.', 5, cause)
}

export function busy(detail: string, seconds: number, cause?: unknown): Problem {
  return new Problem('busy', detail, { headers: { 'retry-after': String(seconds) }, cause })
}

export function rateLimited(detail: string, seconds: number): Problem {
  return new Problem('rate_limited', detail, { headers: { 'retry-after': String(seconds) } })
}
