/** @jsxImportSource #jsx */
import type { Problem } from '../../src/errors.ts'
import { doorPage } from '../parts/layout.tsx'
import { htmlResponse } from '../session-guard.ts'

/** A page or an action that the database could not serve: nothing of it was done. Itself it reads nothing. */
export function busyPage({ message, headers }: Problem): Response {
  const page = doorPage('Try again in a moment', [
    <p class="note warn" role="alert">
      {message}
    </p>,
    <p class="muted">The log of the service says what is wrong with the database.</p>,
    <a class="btn" href="/admin">
      Back to the overview
    </a>,
  ])
  return htmlResponse(page, 503, headers)
}
