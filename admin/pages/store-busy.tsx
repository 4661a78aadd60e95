/** @jsxImportSource #jsx */
import type { Problem } from '../../src/errors.ts'
import { adminResponse } from '../admin-response.ts'
import { linkButton } from '../parts/buttons.tsx'
import { loggedOutPage } from '../parts/layout.tsx'
import { problemNote } from '../parts/password-form.tsx'

/** 503 response if the database is not available, or too much is drawn: nothing was changed. The page itself reads nothing. */
export function storeBusyPage({ message, headers }: Problem): Response {
  const page = loggedOutPage('Try again in a moment', [
    problemNote(message),
    <p class="muted">Nothing was changed. If it lasts, the log of the service says why.</p>,
    linkButton('/admin', 'Back to the overview'),
  ])
  return adminResponse(page, 503, headers)
}
