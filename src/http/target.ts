/** The path and the query of a URL. */
export interface Target {
  readonly path: string
  readonly rawQuery: string
}

/** Splits a request's URL, without decoding or normalising it. The fragment is dropped. */
export function splitTarget(url: string): Target {
  const start = pathStart(url)
  const fragment = url.indexOf('#', start)
  const end = fragment < 0 ? url.length : fragment
  const question = url.indexOf('?', start)
  if (question < 0 || question > end) return { path: url.slice(start, end) || '/', rawQuery: '' }
  return { path: url.slice(start, question) || '/', rawQuery: url.slice(question + 1, end) }
}

function pathStart(url: string): number {
  // A malformed Host header leaves the bare target, which starts with its slash.
  if (url.startsWith('/')) return 0
  const authority = url.indexOf('://') + 3
  const slash = url.indexOf('/', authority)
  // Deno hands out `http://host?a=/b` as it was sent: the slash is part of the query.
  const other = url.slice(authority, slash < 0 ? url.length : slash).search(/[?#]/)
  if (other >= 0) return authority + other
  return slash < 0 ? url.length : slash
}

/** Joins them as in a URL. */
export function targetOf({ path, rawQuery }: Target): string {
  return rawQuery === '' ? path : `${path}?${rawQuery}`
}
