import type { RequestContext } from './request-context.ts'

/**
 * The members of a request's log line. Never the query: it may hold a signature. Who called is told only where
 * something was refused or failed: nobody needs to know the others.
 */
export function requestLine(context: RequestContext, status: number, durationMs: number): string {
  const { id, method, path, logFields: notes } = context
  const ms = Math.round(durationMs * 100) / 100
  const line = `"message":"request","id":"${id}","method":"${method}","path":${JSON.stringify(path)},"status":${status},"ms":${ms}`
  const words = member('asset', notes.asset) + member('auth', notes.auth) + member('cache', notes.cache)
  if (status < 400) return line + words
  return line + words + member('refused', notes.refused) + member('client', context.clientAddress)
}

/** Of our own words and of addresses, which need no escaping. */
function member(name: string, word: string | undefined): string {
  return word === undefined ? '' : `,"${name}":"${word}"`
}
