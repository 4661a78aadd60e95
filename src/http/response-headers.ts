import { allowOrigins, isPublic } from './cors.ts'

/** Makes an SVG that is opened directly inert: it draws, and can do nothing else. */
export const inertSvg = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox"

/** What every answer carries, unless its handler decided otherwise. */
export function completeHeaders(headers: Headers, path: string): void {
  headers.set('x-content-type-options', 'nosniff')
  if (isPublic(path)) allowOrigins(headers)
  if (headers.has('content-security-policy')) return
  if (headers.get('content-type')?.startsWith('text/html') !== true) {
    headers.set('content-security-policy', "default-src 'none'")
  }
}
