import { afterAll, beforeAll } from 'bun:test'
import { startService, type TestService } from './service.ts'

/** Starts a server for the tests of a file. Returns a function that asks it, and says what it answered. */
export function useMovedUrls() {
  let server: TestService | undefined
  beforeAll(async () => {
    server = await startService()
  })
  afterAll(async () => {
    await server?.stop()
  })

  return async (path: string, init?: RequestInit) => {
    const response = await fetch(`${server?.url}${path}`, init)
    return {
      status: response.status,
      type: response.headers.get('content-type'),
      auth: response.headers.get('x-auth-mode'),
      text: await response.text(),
    }
  }
}

/** The native URL of a badge, called with the demo quota. */
export function badge(query: string): string {
  return `/api/transform?kind=badge&${query}&demo=1`
}
