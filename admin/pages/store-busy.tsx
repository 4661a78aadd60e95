/** @jsxImportSource #jsx */
import type { Problem } from '../../src/errors.ts'
import { adminResponse } from '../admin-response.ts'
import { loggedOutPage } from '../parts/layout.tsx'

/** 503 response if the database is not available: nothing was changed. The page itself reads nothing from it. */
export function storeBusyPage({ message, headers }: Problem): Response {
  const page = loggedOutPage('Try again in a moment', [
    <p class="note warn" role="alert">
      {message}
    </p>,
    <p class="muted">The log of the service says what is wrong with the database.</p>,
    <a class="btn" href="/admin">
      Back to the overview
    </a>,
  ])
  return adminResponse(page, 503, headers)
}
