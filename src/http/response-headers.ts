import { allowOrigins, isPublic } from './cors.ts'

/** The policy for an SVG that is opened directly: it is drawn, but runs and loads nothing. */
export const inertSvg = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox"

/** Adds the headers that every response has, unless its handler set them. */
export function completeHeaders(headers: Headers, path: string): void {
  headers.set('x-content-type-options', 'nosniff')
  if (isPublic(path)) allowOrigins(headers)
  if (headers.has('content-security-policy')) return
  if (headers.get('content-type')?.startsWith('text/html') !== true) {
    headers.set('content-security-policy', "default-src 'none'")
  }
}
