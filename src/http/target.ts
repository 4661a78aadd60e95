/** What a request is for. */
export interface Target {
  readonly path: string
  readonly rawQuery: string
}

/** The path and the query of a request's URL, neither decoded nor normalised. The fragment is nobody's business. */
export function splitTarget(url: string): Target {
  // A malformed Host header leaves the bare target, which starts with its slash.
  const start = url.startsWith('/') ? 0 : url.indexOf('/', url.indexOf('://') + 3)
  const fragment = url.indexOf('#', start)
  const end = fragment < 0 ? url.length : fragment
  const question = url.indexOf('?', start)
  if (question < 0 || question > end) return { path: url.slice(start, end), rawQuery: '' }
  return { path: url.slice(start, question), rawQuery: url.slice(question + 1, end) }
}

/** Both as they stand in a URL. */
export function targetOf({ path, rawQuery }: Target): string {
  return rawQuery === '' ? path : `${path}?${rawQuery}`
}
