/** The connection ended before a statement was answered: nobody knows whether it was executed. */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost'

  /** Whether the server was silent: neither an answer nor an end of the connection came. */
  readonly isSilent: boolean

  constructor(cause: unknown, isSilent = false) {
    super(`The connection was lost: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
    this.isSilent = isSilent
  }
}

/** The five characters that PostgreSQL gives to an error, such as `55P03`; undefined for other errors. */
export function sqlState(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('severity' in error) || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}

/** Whether the error ends the session: a fatal one of the server, or one of the network, which has no SQLSTATE. */
export function isConnectionFault(error: unknown): boolean {
  const state = sqlState(error)
  if (state === undefined) return true
  const severity = (error as { readonly severity?: unknown }).severity
  return severity === 'FATAL' || severity === 'PANIC' || state.startsWith('08')
}
