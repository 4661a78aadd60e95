/** @jsxImportSource #jsx */
import type { Markup } from '../../src/lib/jsx/markup.ts'
import { submitButton } from '../parts/buttons.tsx'
import { loggedOutPage } from '../parts/layout.tsx'
import { currentPasswordField, problemNote } from '../parts/password-form.tsx'

/** @param next the requested page, to redirect to after the login. */
export function loginPage(next: string, problem?: string): Markup {
  return loggedOutPage('Log in', [
    problemNote(problem),
    <form class="form" method="post" action="/admin/login">
      <input type="hidden" name="next" value={next} />
      {currentPasswordField()}
      {submitButton('Log in', 'btn primary')}
    </form>,
  ])
}

/** The login page while no password is set: says where the set-up link is. */
export function setupPendingPage(): Markup {
  return loggedOutPage('Almost there', [
    <p class="muted">
      No password is set yet. The terminal in which Mintmark started shows a one-time link to set one. You can
      also start it with <code>ADMIN_PASSWORD</code>.
    </p>,
  ])
}
