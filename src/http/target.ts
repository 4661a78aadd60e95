/** The path and the query of a URL. */
export interface Target {
  readonly path: string
  readonly rawQuery: string
}

/** Splits a request's URL, without decoding or normalising it. The fragment is dropped. */
export function splitTarget(url: string): Target {
  // A malformed Host header leaves the bare target, which starts with its slash.
  const start = url.startsWith('/') ? 0 : url.indexOf('/', url.indexOf('://') + 3)
  const fragment = url.indexOf('#', start)
  const end = fragment < 0 ? url.length : fragment
  const question = url.indexOf('?', start)
  if (question < 0 || question > end) return { path: url.slice(start, end), rawQuery: '' }
  return { path: url.slice(start, question), rawQuery: url.slice(question + 1, end) }
}

/** Joins them as they stand in a URL. */
export function targetOf({ path, rawQuery }: Target): string {
  return rawQuery === '' ? path : `${path}?${rawQuery}`
}
