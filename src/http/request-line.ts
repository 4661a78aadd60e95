import type { RequestContext } from './request-context.ts'

/**
 * Returns the members of a request's log line. The query is left out, because it may hold a signature. The client address
 * is logged only if the request was refused or failed.
 */
export function requestLine(context: RequestContext, status: number, durationMs: number): string {
  const { id, method, path, logFields } = context
  const ms = Math.round(durationMs * 100) / 100
  const line = `"message":"request","id":"${id}","method":"${method}","path":${JSON.stringify(path)},"status":${status},"ms":${ms}`
  const fields =
    member('asset', logFields.asset) + member('auth', logFields.auth) + member('cache', logFields.cache)
  if (status < 400) return line + fields
  return line + fields + member('refused', logFields.refused) + member('client', context.clientAddress)
}

/** The values are identifiers of ours and IP addresses, which need no escaping. */
function member(name: string, word: string | undefined): string {
  return word === undefined ? '' : `,"${name}":"${word}"`
}
