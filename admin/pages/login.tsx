/** @jsxImportSource #jsx */
import type { Markup } from '../../src/lib/jsx/markup.ts'
import { passwordLengthMax, passwordLengthMin } from '../../src/lib/password.ts'
import { submitButton } from '../parts/buttons.tsx'
import { loggedOutPage } from '../parts/layout.tsx'
import { currentPasswordField, problemNote, usernameField } from '../parts/password-form.tsx'

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

/** The page of the one-time set-up link. */
export function setupPage(token: string, problem?: string): Markup {
  return loggedOutPage('Set the password', [
    problemNote(problem),
    <form class="form" method="post" action="/admin/setup">
      <input type="hidden" name="token" value={token} />
      {usernameField()}
      <label>
        New password
        <input
          name="password"
          type="password"
          autocomplete="new-password"
          minlength={passwordLengthMin}
          maxlength={passwordLengthMax}
          required
          autofocus
        />
      </label>
      <p class="hint">At least {passwordLengthMin} characters. It opens this area from any browser.</p>
      {submitButton('Set password and log in', 'btn primary')}
    </form>,
  ])
}

export function setupExpiredPage(): Markup {
  return loggedOutPage('This link is used up', [
    <p class="muted">
      A set-up link works once, until a password is set. Restart Mintmark for a new one, or{' '}
      <a href="/admin/login">log in</a>.
    </p>,
  ])
}
